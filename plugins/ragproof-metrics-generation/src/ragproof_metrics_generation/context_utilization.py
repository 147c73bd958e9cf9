"""Whether the answer uses what the context says about the question: ``context.utilization``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragproof_core import Case, Judge, Outcome, Prompt, Reply, Response, hookimpl, not_applicable, scored
from ragproof_metrics_generation.conversation import asked
from ragproof_metrics_generation.preconditions import EMPTY_CONTEXT, readable, unmet
from ragproof_metrics_generation.statements import Statement, share

NOTHING_RELEVANT = not_applicable("context makes no claim that is relevant to the question")


class ContextClaim(Reply):
    """One claim of the context that is relevant to the question, and whether the answer uses it."""

    claim: Statement
    used: bool


class ContextUtilizationReply(Reply):
    """Every relevant claim of the context; empty when there is none."""

    claims: list[ContextClaim]


def used_share(reply: ContextUtilizationReply, variables: Mapping[str, Any]) -> float | None:  # noqa: ARG001
    """Used claims / relevant claims, 0 to 1; ``None`` without relevant claims."""
    return share([claim.used for claim in reply.claims])


PROMPT = Prompt("context_utilization", "ragproof_metrics_generation", ContextUtilizationReply, used_share, ordered=True)


class ContextUtilization:
    """Share of the context's relevant claims that the answer uses."""

    api_version = 1
    direction = "higher"
    range = (0.0, 1.0)
    unit = "share"
    description = "claims of the context relevant to the question that the answer uses / all such claims"
    source = "Ru et al. 2024, RAGChecker (context utilization)"
    needs = ("answer", "context", "judge")
    prompts = (PROMPT,)

    @hookimpl
    def score(self, case: Case, response: Response, judge: Judge | None) -> Outcome:
        """Ask once for the relevant claims and their use. A blank answer is judged too: it uses none."""
        if reason := unmet(self.needs, case, response, judge):
            return reason
        assert response.answer is not None and response.context is not None and judge is not None  # noqa: PT018
        context = readable(response.context)
        if not context:
            return EMPTY_CONTEXT
        variables = {"question": asked(case), "context": context, "answer": response.answer.answer_text}
        value = PROMPT.score(judge.ask(PROMPT, variables), variables)
        if value is None:
            return NOTHING_RELEVANT
        if not response.answer.answer_text.strip():
            return scored(0.0, "answer is blank")
        return scored(value)
