"""Whether what the answer says is backed by its context: ``generation.groundedness``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragproof_core import Case, Judge, Outcome, Prompt, Reply, Response, hookimpl, not_applicable, scored
from ragproof_metrics_generation.conversation import asked
from ragproof_metrics_generation.preconditions import EMPTY_CONTEXT, readable, unmet
from ragproof_metrics_generation.statements import Statement, share

NO_CLAIMS = not_applicable("answer makes no factual claim")


class Claim(Reply):
    """One atomic factual claim of the answer, and whether the context supports it."""

    claim: Statement
    supported: bool


class GroundednessReply(Reply):
    """Every claim of the answer; empty when it states no fact."""

    claims: list[Claim]


def supported_share(reply: GroundednessReply, variables: Mapping[str, Any]) -> float | None:  # noqa: ARG001
    """Supported claims / claims, 0 to 1; ``None`` without claims."""
    return share([claim.supported for claim in reply.claims])


PROMPT = Prompt("groundedness", "ragproof_metrics_generation", GroundednessReply, supported_share, ordered=True)


class Groundedness:
    """Share of the answer's atomic claims that the context supports."""

    api_version = 1
    direction = "higher"
    range = (0.0, 1.0)
    unit = "share"
    description = "claims of the answer that the context supports / claims of the answer"
    source = "Es et al. 2023, RAGAS (faithfulness); Min et al. 2023, FActScore (atomic claims)"
    needs = ("answer", "context", "judge")
    prompts = (PROMPT,)

    @hookimpl
    def score(self, case: Case, response: Response, judge: Judge | None) -> Outcome:
        """Ask once for the claims with their verdicts; no claims is not applicable."""
        if reason := unmet(self.needs, case, response, judge):
            return reason
        assert response.answer is not None and response.context is not None and judge is not None  # noqa: PT018
        context = readable(response.context)
        if not context:
            return EMPTY_CONTEXT
        if not response.answer.answer_text.strip():
            return NO_CLAIMS
        variables = {"question": asked(case), "context": context, "answer": response.answer.answer_text}
        value = PROMPT.score(judge.ask(PROMPT, variables), variables)
        return NO_CLAIMS if value is None else scored(value)
