"""Whether the context holds what the expected answer says: ``context.recall``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragproof_core import Case, Judge, Outcome, Prompt, Reply, Response, hookimpl, not_applicable, scored
from ragproof_metrics_generation.conversation import asked
from ragproof_metrics_generation.preconditions import readable, unmet
from ragproof_metrics_generation.statements import Statement, share

NO_STATEMENTS = not_applicable("expected answer makes no factual statement")


class ReferenceStatement(Reply):
    """One statement of the reference answer, and whether the context supports it."""

    statement: Statement
    supported: bool


class ContextRecallReply(Reply):
    """Every statement of the reference answer."""

    statements: list[ReferenceStatement]


def recalled_share(reply: ContextRecallReply, variables: Mapping[str, Any]) -> float | None:  # noqa: ARG001
    """Supported statements / statements, 0 to 1; ``None`` without statements."""
    return share([statement.supported for statement in reply.statements])


PROMPT = Prompt("context_recall", "ragproof_metrics_generation", ContextRecallReply, recalled_share, ordered=True)


class ContextRecall:
    """Share of the expected answer's statements that the context supports."""

    api_version = 1
    direction = "higher"
    range = (0.0, 1.0)
    unit = "share"
    description = "statements of the expected answer that the context supports / its statements"
    source = "Es et al. 2023, RAGAS (context recall)"
    needs = ("context", "expected_answer", "judge")
    prompts = (PROMPT,)

    @hookimpl
    def score(self, case: Case, response: Response, judge: Judge | None) -> Outcome:
        """Ask once for the statements with their verdicts; an empty context supports none of them."""
        if reason := unmet(self.needs, case, response, judge):
            return reason
        assert response.context is not None and judge is not None  # noqa: PT018
        context = readable(response.context)
        if not context:
            return scored(0.0, "context is empty")
        variables = {"question": asked(case), "expected_answer": case.expected_answer, "context": context}
        value = PROMPT.score(judge.ask(PROMPT, variables), variables)
        return NO_STATEMENTS if value is None else scored(value)
