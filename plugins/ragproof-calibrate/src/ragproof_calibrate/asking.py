"""Asking the judge many questions side by side, and what each one came to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

from ragproof_core import JudgeError, Prompt
from ragproof_core.statistics import band

Ask = Callable[[Prompt, Mapping[str, Any], int], Any]
"""``ask(prompt, variables, repeat)`` returns a validated reply; ``JudgeError`` when there is no usable one."""

NOT_APPLICABLE = "not applicable"
UNUSABLE = "unusable"
Category = float | str


@dataclass(frozen=True, slots=True)
class Question:
    """One call: ``variables`` are shown to the judge, ``scored_by`` says what its verdicts are about."""

    prompt: Prompt
    variables: Mapping[str, Any]
    scored_by: Mapping[str, Any]
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judge's score, 0 to 1 or ``None`` for not applicable; ``problem`` says why there is none at all."""

    score: float | None
    problem: str | None = None

    @property
    def category(self) -> Category:
        """The score's band (0, 0.5, 1), ``not applicable`` or ``unusable``."""
        return UNUSABLE if self.problem is not None else category_of(self.score)


def category_of(score: float | None) -> Category:
    """Return the band of a score, or ``not applicable``."""
    return NOT_APPLICABLE if score is None else band(score)


def ask_all(
    ask: Ask,
    questions: Sequence[Question],
    concurrency: int,
    progress: Callable[[int], None] | None = None,
) -> list[Verdict]:
    """Ask everything, at most ``concurrency`` at once, and return the verdicts in order.

    Any error but a ``JudgeError`` (a budget that is used up, say) ends it; what had not begun is not asked any more.
    """
    stop = threading.Event()

    def unless_stopped(question: Question) -> Verdict:
        if stop.is_set():
            raise CancelledError
        try:
            return _ask(ask, question)
        except BaseException:
            stop.set()
            raise

    with ThreadPoolExecutor(max_workers=max(1, concurrency), thread_name_prefix="calibrate") as pool:
        pending = [pool.submit(unless_stopped, question) for question in questions]
        try:
            for done, future in enumerate(as_completed(pending), 1):
                future.result()
                if progress is not None:
                    progress(done)
        except BaseException as problem:
            stop.set()
            raise _first_problem(pending) or problem from None
        return [future.result() for future in pending]


def _first_problem(pending: Sequence[Future[Verdict]]) -> BaseException | None:
    """Return what really went wrong, not that something else was given up because of it."""
    found = [future.exception() for future in pending if future.done() and not future.cancelled()]
    return next((problem for problem in found if problem is not None and not isinstance(problem, CancelledError)), None)


def _ask(ask: Ask, question: Question) -> Verdict:
    try:
        reply = ask(question.prompt, question.variables, question.repeat)
    except JudgeError as problem:
        return Verdict(None, str(problem))
    try:
        score = question.prompt.score(reply, question.scored_by)
        category_of(score)
    except Exception as problem:
        return Verdict(None, f"score of prompt {question.prompt.name} failed: {type(problem).__name__}: {problem}")
    return Verdict(score)
