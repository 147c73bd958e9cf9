"""What the four stages have in common: their declarations, their verdict on a set of sources, and survival rates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from ragproof_core import Outcome, ScoreRow, scored

PASSED = scored(1.0)
_MOST_NAMED = 5


class Stage:
    """One stage of the funnel: 1 for a case that passes it, 0 for one that does not."""

    api_version = 1
    direction = "higher"
    range: ClassVar[tuple[float | None, float | None]] = (0.0, 1.0)
    unit = "share"
    kinds = ("qa",)


def all_found(expected: frozenset[str], found: Iterable[str], where: str) -> Outcome:
    """Return 1 when every expected source was found, else 0 with a note that names the missing ones."""
    missing = sorted(expected.difference(found))
    if not missing:
        return PASSED
    more = len(missing) - _MOST_NAMED
    tail = f" and {more} more" if more > 0 else ""
    return scored(0.0, f"not {where}: {', '.join(missing[:_MOST_NAMED])}{tail}")


def survival(rows: Sequence[ScoreRow], stage: str, given: str, *, passed: bool = True) -> float | None:
    """Return the share of cases that pass ``stage`` among those that passed ``given`` (or did not).

    Only cases where both are scored count; ``None`` when there are none.
    """
    wanted = 1.0 if passed else 0.0
    outcomes = [row.values[stage] for row in rows if row.values.get(given) == wanted and stage in row.values]
    return sum(outcomes) / len(outcomes) if outcomes else None
