"""What judge calls a run would make and what they could cost, before anything is spent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ragproof_core.judging.prices import PICODOLLARS, Prices, estimated_tokens
from ragproof_core.judging.rendering import Template, read_template, render
from ragproof_core.models.judging import Prompt

_UNKNOWN_CHARACTERS = 2000


@dataclass(frozen=True, slots=True)
class PromptEstimate:
    """One prompt's calls over the run. ``cost_usd`` is ``None`` when the prices are unknown.

    ``input_tokens`` is an estimate at four characters a token, ``output_tokens`` the bound that ``max_tokens`` sets.
    """

    prompt: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class JudgeEstimate:
    """All prompts, and their sums. Repairs (one more call each) are not in it, cached verdicts not taken off."""

    prompts: tuple[PromptEstimate, ...]
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None


def estimate(
    asks: Iterable[tuple[Prompt, Mapping[str, Any]]],
    *,
    max_tokens: int,
    prices: Prices | None = None,
    unknown_characters: int = _UNKNOWN_CHARACTERS,
) -> JudgeEstimate:
    """Add up the asks: a prompt, and what is known of its variables, for each case that it would be asked about.

    A case gives its question and expected answer; the answer and the chunks of one question that was really asked
    stand in for those not known yet. A variable that is still missing counts ``unknown_characters``, one that the
    template does not have counts nothing. Equal asks are one call, as in a run.
    """
    templates: dict[int, Template] = {}
    rows: dict[str, list[int]] = {}
    seen: set[tuple[str, str]] = set()
    for prompt, variables in asks:
        template = templates.get(id(prompt)) or templates.setdefault(id(prompt), read_template(prompt))
        known = {name: value for name, value in variables.items() if name in template.variables}
        missing = template.variables - known.keys()
        rendered = render(template, known | dict.fromkeys(missing, ""))
        # A missing variable differs from case to case: such asks are never equal.
        if not missing and (prompt.sha256, rendered.sha256) in seen:
            continue
        seen.add((prompt.sha256, rendered.sha256))
        characters = len(rendered.system) + len(rendered.user) + unknown_characters * len(missing)
        row = rows.setdefault(prompt.name, [0, 0])
        row[0] += 1
        row[1] += estimated_tokens(characters)
    prompts = tuple(
        PromptEstimate(name, calls, tokens, calls * max_tokens, _dollars(prices, tokens, calls * max_tokens))
        for name, (calls, tokens) in sorted(rows.items())
    )
    tokens_in, tokens_out = sum(p.input_tokens for p in prompts), sum(p.output_tokens for p in prompts)
    calls = sum(p.calls for p in prompts)
    return JudgeEstimate(prompts, calls, tokens_in, tokens_out, _dollars(prices, tokens_in, tokens_out))


def _dollars(prices: Prices | None, input_tokens: int, output_tokens: int) -> float | None:
    return None if prices is None else prices.picodollars(input_tokens, output_tokens) / PICODOLLARS
