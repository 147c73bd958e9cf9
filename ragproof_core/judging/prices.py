"""What judge calls cost. Money is counted in whole picodollars (1e-12 USD), so that sums are exact."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import lru_cache

from ragproof_core.errors import ConfigError

PICODOLLARS = 10**12
_CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars for a million tokens in and out."""

    input_per_mtok: float
    output_per_mtok: float

    def picodollars(self, input_tokens: int, output_tokens: int) -> int:
        """Return what so many tokens cost, rounded up."""
        return input_tokens * _per_token(self.input_per_mtok) + output_tokens * _per_token(self.output_per_mtok)


def estimated_tokens(characters: int) -> int:
    """Return tokens at four characters a token, rounded up."""
    return -(-characters // _CHARACTERS_PER_TOKEN)


def budget_picodollars(budget: float) -> int:
    """Return a budget in US dollars as whole picodollars, rounded down."""
    return int((Decimal(str(budget)) * PICODOLLARS).to_integral_value(ROUND_FLOOR))


def check_budget(budget: float | None, prices: Prices | None) -> None:
    """Raise ``ConfigError`` when there is a budget and no prices to hold it with."""
    if budget is not None and prices is None:
        raise ConfigError(
            f"RAGPROOF_MAX_COST_USD is {budget:g}, but the judge's prices are unknown: set "
            "RAGPROOF_JUDGE_INPUT_COST_PER_MTOK and RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK (0 for a free judge), or "
            "judge.input_cost_per_mtok and judge.output_cost_per_mtok in the config"
        )


@lru_cache(maxsize=16)
def _per_token(per_mtok: float) -> int:
    return int((Decimal(str(per_mtok)) * (PICODOLLARS // 10**6)).to_integral_value(ROUND_CEILING))
