"""Which judge call may start: a free place, and room in the budget for the most it can cost.

Calls are let in first come, first served, from threads and event loops alike. What a call may cost is reserved before
it starts and settled with what it did cost; a call that does not fit waits for the ones in flight to settle, and only
when none is left is the budget exceeded. From then on nothing is let in.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field

from ragproof_core.errors import BudgetExceededError
from ragproof_core.judging.prices import PICODOLLARS
from ragproof_core.judging.steps import Future, Steps, Wait, uncancellable


@dataclass(slots=True, eq=False)
class Ticket:
    """A call's place in the line, then in flight. ``reserved`` is in picodollars."""

    reserved: int
    admitted: bool = False
    turn: Future | None = field(default=None, repr=False)


class Admission:
    """At most ``concurrency`` calls in flight and at most ``budget`` picodollars spent and reserved together."""

    def __init__(self, concurrency: int, budget: int | None) -> None:
        self._concurrency = concurrency
        self._budget = budget
        self._lock = threading.Lock()
        self._waiting: deque[Ticket] = deque()
        self._in_flight = 0
        self._reserved = 0
        self._spent = 0
        self._refusal: str | None = None

    def enter(self, ticket: Ticket) -> Steps[None]:
        """Wait for the ticket's turn; raises ``BudgetExceededError`` when the budget has no room for it.

        Whatever happens, :meth:`leave` must follow.
        """
        with self._lock:
            self._waiting.append(ticket)
            self._advance()
            if ticket.admitted:
                return
            refusal = self._refusal
            if ticket in self._waiting:
                ticket.turn = uncancellable()
        if ticket.turn is not None:
            refusal = yield Wait(ticket.turn)
        if refusal is not None:
            raise BudgetExceededError(refusal)

    def leave(self, ticket: Ticket, spent: int) -> None:
        """Give up the place, in flight or still in line; ``spent`` picodollars count from now on."""
        with self._lock:
            if ticket.admitted:
                ticket.admitted = False
                self._in_flight -= 1
                self._reserved -= ticket.reserved
                self._spent += spent
            elif ticket in self._waiting:
                self._waiting.remove(ticket)
            self._advance()

    def _advance(self) -> None:
        while self._waiting:
            ticket = self._waiting[0]
            if self._refusal is None and self._fits(ticket):
                if self._in_flight >= self._concurrency:
                    return
                ticket.admitted = True
                self._in_flight += 1
                self._reserved += ticket.reserved
            elif self._refusal is None and self._in_flight:
                return
            else:
                self._refusal = self._refusal or self._explained(ticket)
            self._waiting.popleft()
            if ticket.turn is not None:
                ticket.turn.set_result(None if ticket.admitted else self._refusal)

    def _fits(self, ticket: Ticket) -> bool:
        return self._budget is None or self._spent + self._reserved + ticket.reserved <= self._budget

    def _explained(self, ticket: Ticket) -> str:
        return (
            f"the next judge call may cost up to ${ticket.reserved / PICODOLLARS:.6f} and "
            f"${self._spent / PICODOLLARS:.6f} of RAGPROOF_MAX_COST_USD=${(self._budget or 0) / PICODOLLARS:.6f} are "
            "spent, or held for calls that failed and may be billed; raise it or lower judge.max_tokens, then resume"
        )
