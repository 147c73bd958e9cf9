"""What a metric needs before it can be computed, checked in one place.

The kernel checks a metric's ``needs`` before it calls it, and skips with the same reasons; these checks keep a metric
right when it is called directly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragproof_core import skipped
from ragproof_core.engine.needs import NEEDS

if TYPE_CHECKING:
    from ragproof_core import Case, Chunk, Judge, Outcome, Response

MISSING = {need: skipped(reason) for need, reason in NEEDS.items()}
EMPTY_CONTEXT = skipped("context is empty")


def unmet(needs: Sequence[str], case: Case, response: Response, judge: Judge | None) -> Outcome | None:
    """Return why a metric with these needs skips the case, or ``None`` when all are there."""
    there = {
        "answer": response.answer is not None,
        "citations": response.answer is not None and bool(response.answer.citations),
        "context": response.context is not None,
        "expected_answer": bool(case.expected_answer and case.expected_answer.strip()),
        "judge": judge is not None,
    }
    return next((MISSING[need] for need in needs if not there[need]), None)


def readable(context: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """Return the chunks that have any text, each id once, at its best rank."""
    first: dict[str, Chunk] = {}
    for chunk in context:
        if chunk.text.strip():
            first.setdefault(chunk.id, chunk)
    return tuple(first.values())
