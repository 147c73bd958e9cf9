"""Scored examples of prompts, wherever they come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ragproof_core import Prompt
from ragproof_core.errors import PluginBrokenError


@dataclass(frozen=True, slots=True)
class Sample:
    """One example: ``expected`` is the reference score, 0 to 1, or ``None`` for not applicable; ``where`` names it."""

    prompt: Prompt
    variables: Mapping[str, Any]
    expected: float | None
    where: str


def distinct(prompts: Iterable[Prompt]) -> list[Prompt]:
    """Return each prompt once, by package and name, in name order; several metrics may share one."""
    by_name = {(prompt.name, prompt.package): prompt for prompt in prompts}
    return [by_name[key] for key in sorted(by_name)]


def shipped(prompts: Iterable[Prompt], warn: Callable[[str], None]) -> list[Sample]:
    """Return the fixtures that the prompts' packages ship.

    A prompt without any is named to ``warn``. Raises ``PluginBrokenError`` for a fixture that cannot be read.
    """
    found: list[Sample] = []
    for prompt in prompts:
        samples = list(_fixtures(prompt))
        if not samples:
            warn(f"prompt {prompt.name} of {prompt.package} ships no fixtures, so it is not calibrated")
        found.extend(samples)
    return found


def _fixtures(prompt: Prompt) -> Iterator[Sample]:
    where = f"{prompt.package}/fixtures/{prompt.name}.jsonl"
    try:
        for number, fixture in enumerate(prompt.fixtures(), 1):
            yield Sample(prompt, fixture.variables, checked_score(fixture.expected), f"{where} example {number}")
    except FileNotFoundError:
        return
    except (ValueError, KeyError, TypeError) as problem:
        raise PluginBrokenError(f"{where}: a fixture cannot be used: {type(problem).__name__}: {problem}") from problem


def checked_score(value: object) -> float | None:
    """Return a reference score. Raises ``ValueError`` unless it is a number from 0 to 1, or ``None``."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= 1.0:
        raise ValueError(f"expected a number from 0 to 1, or null for not applicable, found {value!r}")
    return float(value)
