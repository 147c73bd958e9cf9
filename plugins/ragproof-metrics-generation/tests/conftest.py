"""A judge that replies from a script, through the same rendering and validation as a real one."""

import json

import pytest

from ragproof_core import Answer, Case, Chunk, JudgeError, Response
from ragproof_core.judging.rendering import read_template, render


class ScriptedJudge:
    """Replies by prompt name; remembers the variables and the texts of every ask."""

    def __init__(self, replies):
        self.replies = replies
        self.variables = []
        self.texts = []

    def ask(self, prompt, variables):
        rendered = render(read_template(prompt), variables)
        self.variables.append(variables)
        self.texts.append(rendered.user)
        reply = self.replies[prompt.name]
        if isinstance(reply, Exception):
            raise reply
        try:
            return prompt.reply.model_validate_json(json.dumps(reply))
        except ValueError as problem:
            raise JudgeError(str(problem)) from None


@pytest.fixture
def judged():
    """Score a metric: ``judged(metric, reply, case fields, answer, context)`` -> (outcome, judge)."""

    def score(metric, reply, *, answer="An answer.", context=("c1", "c2"), citations=(), context_ids=None, **case):
        judge = None if reply is None else ScriptedJudge({prompt.name: reply for prompt in metric.prompts})
        chunks = (
            None
            if context is None
            else tuple(c if isinstance(c, Chunk) else Chunk(c, f"Text of {c}.") for c in context)
        )
        response = Response(
            answer=None if answer is None else Answer(answer, citations=citations),
            context=chunks,
            context_ids=context_ids,
        )
        outcome = metric.score(**_wanted(metric, Case(**{"id": "1", "question": "Why?"} | case), response, judge))
        return outcome, judge

    return score


def _wanted(metric, case, response, judge):
    offered = {"case": case, "response": response, "judge": judge}
    names = metric.score.__code__.co_varnames[1 : metric.score.__code__.co_argcount]
    return {name: offered[name] for name in names}
