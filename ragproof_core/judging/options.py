"""The keys of the judge section that belong to the kernel, not to the judge component."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ragproof_core.errors import ConfigError
from ragproof_core.judging.prices import Prices

DEFAULT_CONCURRENCY = 8
DEFAULT_MAX_TOKENS = 2048

KERNEL_KEYS = ("type", "concurrency", "max_tokens", "input_cost_per_mtok", "output_cost_per_mtok", "max_cost_usd")


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """How the kernel uses the judge. Costs are US dollars; ``max_cost_usd`` is the run's budget."""

    type: str
    concurrency: int = DEFAULT_CONCURRENCY
    max_tokens: int = DEFAULT_MAX_TOKENS
    input_cost_per_mtok: float | None = None
    output_cost_per_mtok: float | None = None
    max_cost_usd: float | None = None

    @property
    def prices(self) -> Prices | None:
        """Both prices, or ``None`` when they are unknown."""
        if self.input_cost_per_mtok is None or self.output_cost_per_mtok is None:
            return None
        return Prices(self.input_cost_per_mtok, self.output_cost_per_mtok)


def split_options(section: Mapping[str, Any]) -> tuple[JudgeOptions, dict[str, Any]]:
    """Take the kernel's keys out of the judge section; the rest is for the component's ``Settings``.

    Raises ``ConfigError`` naming the key for a missing type, a number that is none or out of range, and a price given
    alone.
    """
    kind = section.get("type")
    if not isinstance(kind, str) or not kind.strip():
        raise ConfigError("judge.type is missing: name a judge, such as openai (see 'ragproof plugins --role judge')")
    options = JudgeOptions(
        type=kind,
        concurrency=_whole(section, "concurrency", DEFAULT_CONCURRENCY),
        max_tokens=_whole(section, "max_tokens", DEFAULT_MAX_TOKENS),
        input_cost_per_mtok=_amount(section, "input_cost_per_mtok"),
        output_cost_per_mtok=_amount(section, "output_cost_per_mtok"),
        max_cost_usd=_amount(section, "max_cost_usd"),
    )
    if (options.input_cost_per_mtok is None) != (options.output_cost_per_mtok is None):
        given, missing = ("input", "output") if options.output_cost_per_mtok is None else ("output", "input")
        raise ConfigError(
            f"judge.{given}_cost_per_mtok is given without judge.{missing}_cost_per_mtok: both are needed (0: free)"
        )
    return options, {key: value for key, value in section.items() if key not in KERNEL_KEYS}


def _whole(section: Mapping[str, Any], key: str, default: int) -> int:
    value = section.get(key)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ConfigError(f"judge.{key}: expected a whole number, 1 or more, found {value!r}")
    return value


def _amount(section: Mapping[str, Any], key: str) -> float | None:
    value = section.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value < 0:
        raise ConfigError(f"judge.{key}: expected US dollars, a number of 0 or more, found {value!r}")
    return float(value)
