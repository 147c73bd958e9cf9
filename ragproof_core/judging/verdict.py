"""What came of one ask."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel


@dataclass(frozen=True, slots=True)
class RawReply:
    """A judge's text word for word, secrets redacted, and whether it was the one used."""

    text: str
    used: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """A validated reply, or the reason why there is none, with every raw reply on the way to it.

    ``over_budget`` says that the reason is the budget. ``notes`` are for the reader of the case.
    """

    reply: BaseModel | None
    raw: tuple[RawReply, ...] = ()
    notes: tuple[str, ...] = ()
    error: str | None = None
    over_budget: bool = False
