"""Whether an answer declined: the judge's word where there is one, else the phrase heuristic's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ragproof_core import Case, Judge, Prompt, Reply, Response, skipped
from ragproof_core.engine.needs import NEEDS
from ragproof_metrics_robustness.refusals import refusal_verdict

NO_ANSWER = skipped(NEEDS["answer"])
BLANK = skipped("answer is blank: it neither answers nor declines")


class RefusalReply(Reply):
    """Whether the answer declined."""

    refused: bool


def _as_score(reply: RefusalReply, variables: Mapping[str, str]) -> float:  # noqa: ARG001
    return float(reply.refused)


PROMPT = Prompt("refusal", "ragproof_metrics_robustness", RefusalReply, _as_score)


class Decision(NamedTuple):
    """Whether the answer declined, and what decided."""

    declined: bool
    note: str | None


def decide(case: Case, answer: str, judge: Judge | None) -> Decision:
    """Return the decision on an answer; with a judge, its verdict counts, and a note says where the phrases disagree.

    Raises :class:`~ragproof_core.errors.JudgeError` when the judge gives no usable verdict.
    """
    by_phrases = refusal_verdict(answer)
    if judge is None:
        return Decision(by_phrases.refused, str(by_phrases) if by_phrases.sentence else None)
    declined = bool(judge.ask(PROMPT, {"question": asked(case), "answer": answer}).refused)
    if declined is by_phrases.refused:
        return Decision(declined, None)
    return Decision(declined, f"by the judge; the phrase heuristic says {by_phrases}")


def asked(case: Case) -> str:
    """Return the question as the judge reads it: after the earlier turns, one line each, where there are any."""
    if not case.history:
        return case.question
    return "\n".join([*(f"{turn.role}: {turn.content}" for turn in case.history), f"user: {case.question}"])


def text_of(response: Response) -> str | None:
    """Return the answer's text, or ``None`` when the adapter gave no answer."""
    return None if response.answer is None else response.answer.answer_text
