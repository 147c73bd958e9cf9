"""Reply parts in which a judge lists statements, each with a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank: write the statement out, or leave the entry away")
    return text


Statement = Annotated[str, AfterValidator(_not_blank)]
"""A statement in words. A blank one would count as a verdict about nothing."""


def share(verdicts: Sequence[bool]) -> float | None:
    """Share of the verdicts that are true, 0 to 1; ``None`` when there are none."""
    return sum(verdicts) / len(verdicts) if verdicts else None
