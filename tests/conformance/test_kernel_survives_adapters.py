"""What the kernel makes of adapters that raise, hang or answer in another shape: the case's error, and the run goes on."""

import time

import pytest

from ragproof_core import evaluate

CASES = [{"id": "bad", "question": "Bad?"}, {"id": "good", "question": "Good?"}]


def raising(problem):
    def raised():
        raise problem

    return raised


def nested():
    inner = []
    inner.append(inner)
    return inner


HOSTILE = {
    "raises": (raising(ValueError("no such index")), "ValueError: no such index"),
    "raises without a text": (raising(ValueError()), "ValueError"),
    "exits": (raising(SystemExit(3)), "SystemExit: 3"),
    "asserts": (raising(AssertionError("k")), "AssertionError: k"),
    "None": (lambda: None, "retrieve returned None; expected a list of chunks"),
    "text": (lambda: "office", "retrieve returned 'office'; expected a list of chunks"),
    "one chunk": (lambda: {"id": "a"}, "retrieve returned {'id': 'a'}; expected a list of chunks"),
    "number": (lambda: 7, "retrieve returned 7; expected a list of chunks"),
    "None id": (
        lambda: [{"id": None}],
        "retrieve returned a wrong shape: 0.id: input should be a valid string, found None",
    ),
    "empty id": (lambda: [{"id": ""}], "0.id: string should have at least 1 character"),
    "no id": (lambda: [{"text": "x"}], "0.id: field required"),
    "text as chunk": (lambda: ["office"], "0: "),
    "text is a number list": (lambda: [{"id": 1, "text": [2]}], "0.text: input should be a valid string"),
    "score is a text": (lambda: [{"id": 1, "score": "high"}], "0.score: input should be a valid number"),
    "list in itself": (nested, "0: "),
    "generator that raises": (lambda: (1 / 0 for _ in range(1)), "ZeroDivisionError"),
}


class Pipeline:
    def __init__(self, hostile):
        self.hostile = hostile

    def retrieve(self, question):
        return self.hostile() if question == "Bad?" else [{"id": 12, "text": "fine"}]


def run(pipeline, **settings):
    return evaluate({"run": settings}, cases=CASES, adapter=pipeline, metrics=["retrieval.*"]).rows


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_reply_is_its_own_cases_error(hostile):
    reply, reason = HOSTILE[hostile]
    bad, good = run(Pipeline(reply))
    assert (bad.status, good.status) == ("error", "ok")
    assert reason in bad.error
    assert [chunk.id for chunk in good.retrieved] == ["12"]


def test_a_call_that_never_returns_is_a_timeout_and_the_run_ends():
    began = time.monotonic()
    bad, good = run(Pipeline(lambda: time.sleep(30)), case_timeout_seconds=0.5)
    assert (bad.status, good.status) == ("timeout", "ok")
    assert bad.error == "the adapter did not return within 0.5 s"
    assert time.monotonic() - began < 10


def test_an_endless_list_is_a_timeout():
    def endless():
        while True:
            time.sleep(0.01)
            yield {"id": 1}

    bad, good = run(Pipeline(endless), case_timeout_seconds=0.5)
    assert (bad.status, good.status) == ("timeout", "ok")
