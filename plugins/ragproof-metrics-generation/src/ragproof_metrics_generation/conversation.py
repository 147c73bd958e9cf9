"""The question as a judge has to read it."""

from __future__ import annotations

from ragproof_core import Case


def asked(case: Case) -> str:
    """Return the question; with earlier turns before it, one line a turn, where the case has a history.

    A follow-up ("How do I use them?") cannot be judged without what it follows.
    """
    if not case.history:
        return case.question
    turns = [f"{turn.role}: {turn.content}" for turn in case.history]
    return "\n".join([*turns, f"user (the question): {case.question}"])
