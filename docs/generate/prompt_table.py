"""Every prompt of our metric packages: which metrics ask it, and what a judge without judgement would reach."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

from generated_parts import table
from our_plugins import metric_classes

from ragproof_core import Prompt

_BANDS = (0.0, 0.5, 1.0)


def prompt_table(plugins: Path) -> str:
    """Return a table, a row a prompt, with the most that one and the same verdict for everything agrees with."""
    asked_by: dict[str, list[str]] = defaultdict(list)
    prompts: dict[str, Prompt] = {}
    for name, metric in metric_classes(plugins):
        for prompt in getattr(metric, "prompts", ()):
            prompts[prompt.name] = prompt
            asked_by[prompt.name].append(f"`{name}`")
    rows = [(f"`{name}`", ", ".join(asked_by[name]), *_constant(prompts[name])) for name in sorted(prompts)]
    return table(("prompt", "asked by", "examples", "exact agreement of one constant verdict"), rows)


def _constant(prompt: Prompt) -> tuple[str, str]:
    bands = Counter(_band(fixture.expected) for fixture in prompt.fixtures())
    examples = sum(bands.values())
    return str(examples), f"{max(bands.values()) / examples:.0%}"


def _band(score: float | None) -> float | None:
    """Return the nearest band, 0.5 where two are as near."""
    return None if score is None else min(_BANDS, key=lambda band: (abs(band - score), band != 0.5))  # noqa: PLR2004
