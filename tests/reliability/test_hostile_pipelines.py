"""What pipelines give back: wrong shapes are that case's error, odd but right ones are fine."""

from __future__ import annotations

import asyncio
import math

import pytest

from ragproof_core import Answer, Chunk, evaluate

CASE = {"id": "c1", "question": "q", "expected_source_ids": ["12", "b"], "expected_answer": "yes"}


class Panic(BaseException):
    """Not an Exception, as a native library's panic is not."""


class Unreadable(Exception):
    def __str__(self):
        raise RuntimeError("no text")


def run(retrieve=None, answer=None, metrics=("retrieval.mrr", "echo.exact_match"), **run_settings):
    methods = {"retrieve": retrieve, "answer": answer}
    given = {name: staticmethod(method) for name, method in methods.items() if method is not None}
    report = evaluate({"run": run_settings}, cases=[CASE], adapter=type("P", (), given)(), metrics=metrics)
    (row,) = report.rows
    return row, report


WANTS_LIST = "expected a list of chunks, each with 'id' and 'text'"
STRING = "input should be a valid string"
WRONG_RETRIEVALS = [
    (None, f"retrieve returned None; {WANTS_LIST}"),
    ("text", f"retrieve returned 'text'; {WANTS_LIST}"),
    ({"id": "a"}, f"retrieve returned {{'id': 'a'}}; {WANTS_LIST}"),
    (5, "retrieve returned 5; expected a list of chunks"),
    ([{"id": None}], f"retrieve returned a wrong shape: 0.id: {STRING}, found None"),
    ([{"id": "a"}, {"id": None}], f"retrieve returned a wrong shape: 1.id: {STRING}, found None"),
    ([{"text": "t"}], "retrieve returned a wrong shape: 0.id: field required, found {'text': 't'}"),
    ([{"id": ""}], "retrieve returned a wrong shape: 0.id: string should have at least 1 character, found ''"),
    ([{"id": "a", "text": None}], f"retrieve returned a wrong shape: 0.text: {STRING}, found None"),
    (
        [{"id": None}, {"id": None}],
        f"retrieve returned a wrong shape: 0.id: {STRING}, found None (and 1 more)",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("value", "error"), WRONG_RETRIEVALS)
def test_a_wrong_retrieval_is_the_cases_error(value, error):
    row, report = run(lambda: value, lambda: "yes")
    assert (row.status, row.error, row.scores) == ("error", error, {})
    assert [(each.scored, each.errors, each.mean) for each in report.run.summaries] == [(0, 1, None)] * 2


WRONG_ANSWERS = [
    (None, "answer returned None; expected a text, a dict with 'answer_text', or an Answer"),
    ({}, "answer returned a wrong shape: answer_text: field required, found {}"),
    ({"answer_text": None}, f"answer returned a wrong shape: answer_text: {STRING}, found None"),
    (
        {"answer_text": "a", "citations": [None]},
        "answer returned a wrong shape: citations.0: ",
    ),
    (
        {"answer_text": "a", "usage": {"input_tokens": -1}},
        "answer returned a wrong shape: usage.input_tokens: input should be greater than or equal to 0, found -1",
    ),
    (
        {"answer_text": "a", "retrieved_chunks": [{"id": None}]},
        f"answer returned a wrong shape: retrieved_chunks.0.id: {STRING}, found None",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("value", "error"), WRONG_ANSWERS)
def test_a_wrong_answer_is_the_cases_error(value, error):
    row, _ = run(list, lambda: value)
    assert row.status == "error"
    assert row.error.startswith(error)


RAISED = [
    (ValueError("down"), "ValueError: down"),
    (ValueError(), "ValueError"),
    (SystemExit(3), "SystemExit: 3"),
    (asyncio.CancelledError(), "CancelledError"),
    (KeyboardInterrupt(), "KeyboardInterrupt"),
    (GeneratorExit(), "GeneratorExit"),
    (Panic("index out of bounds"), "Panic: index out of bounds"),
    (Unreadable(), "Unreadable"),
    (TimeoutError("socket"), "TimeoutError: socket"),
    (RecursionError("too deep"), "RecursionError: too deep"),
    (MemoryError(), "MemoryError"),
    (ValueError("half \ud800"), "ValueError: half \ud800"),
]


@pytest.mark.parametrize(("problem", "error"), RAISED, ids=[error for _, error in RAISED])
@pytest.mark.parametrize("kind", ["sync", "async"])
def test_whatever_is_raised_is_the_cases_error(problem, error, kind):
    def retrieve():
        raise problem

    async def retrieve_async():
        raise problem

    row, report = run(retrieve if kind == "sync" else retrieve_async)
    assert (row.status, row.error) == ("error", error)
    assert report.run.status == "completed"


def test_ids_are_compared_as_strings():
    row, report = run(lambda: [{"id": 12}, Chunk(id="x"), {"id": "b", "extra": 1}])
    assert [chunk.id for chunk in row.retrieved] == ["12", "x", "b"]
    assert report["retrieval.mrr"].mean == 1.0


@pytest.mark.parametrize("scores", [[0.5, 0.5, 0.5], [None] * 3, [math.nan, 0.1, 0.9], [0.1, math.inf, -math.inf]])
def test_the_adapters_order_is_the_rank_whatever_the_scores(scores):
    chunks = [{"id": each, "score": score} for each, score in zip(["x", "y", "b"], scores, strict=True)]
    row, report = run(lambda: chunks)
    assert [chunk.id for chunk in row.retrieved] == ["x", "y", "b"]
    assert report["retrieval.mrr"].mean == 1 / 3


def test_documents_as_sources_are_ranked_once_each():
    chunks = [
        {"id": "1", "metadata": {"document_id": "x"}}, {"id": "2", "metadata": {"document_id": "x"}},
        {"id": "3", "metadata": {"document_id": 12}}, {"id": "b"},
    ]  # fmt: skip
    _, report = run(lambda: chunks, source_match="document")
    assert report["retrieval.mrr"].mean == 1 / 2
    _, report = run(lambda: chunks)
    assert report["retrieval.mrr"].mean == 1 / 4


@pytest.mark.parametrize(
    ("answer", "text", "citations"),
    [
        ("yes", "yes", ()),
        (Answer(answer_text="yes"), "yes", ()),
        ({"answer_text": "yes", "citations": ["a", 5, {"chunk_id": "b", "text": "t"}]}, "yes", ("a", "5", "b")),
        ({"answer_text": "", "unknown": 1}, "", ()),
        ("a" * 2_000_000, "a" * 2_000_000, ()),
    ],
    ids=["text", "object", "dict", "empty", "long"],
)
def test_answers_in_every_form(answer, text, citations):
    row, _ = run(None, lambda: answer)
    assert (row.status, row.answer_text, row.citations) == ("ok", text, citations)


@pytest.mark.parametrize("chunks", [[], [{"id": "a", "text": ""}]], ids=["no chunks", "an empty chunk"])
@pytest.mark.parametrize("answer", ["", " \n"])
def test_nothing_scores_nothing(chunks, answer):
    row, _ = run(lambda: chunks, lambda: answer)
    assert [outcome.value for outcome in row.scores.values()] == [0.0, 0.0]


def test_the_depth_asked_for_is_retrieve_k():
    seen = []

    def retrieve(k):
        seen.append(k)
        return []

    run(retrieve)
    run(retrieve, k=3)
    run(retrieve, k=3, retrieve_k=50)
    assert seen == [5, 3, 50]


def test_no_overlap_over_a_run_warns_and_one_hit_does_not():
    cases = [{"id": n, "question": "q", "expected_source_ids": ["doc-1"]} for n in range(3)]

    class Pipeline:
        def retrieve(self):
            return [{"id": "chunk-1", "metadata": {"document_id": "doc-1"}}]

    report = evaluate(cases=cases, adapter=Pipeline(), metrics="retrieval.mrr")
    assert report.run.notes == (
        "no case retrieved any of its expected sources: the ids look like two different id spaces; "
        "check run.source_match and the dataset's expected_source_ids",
    )
    report = evaluate({"run": {"source_match": "document"}}, cases=cases, adapter=Pipeline(), metrics="retrieval.mrr")
    assert (report.run.notes, report["retrieval.mrr"].mean) == ((), 1.0)


def test_results_come_back_in_dataset_order():
    import time

    class Pipeline:
        def retrieve(self, question):
            time.sleep(0.03 if question == "0" else 0)
            return []

    cases = [{"id": n, "question": str(n), "expected_source_ids": ["a"]} for n in range(20)]
    report = evaluate(cases=cases, adapter=Pipeline(), metrics="retrieval.mrr")
    assert [row.case_id for row in report] == [str(n) for n in range(20)]


def test_one_bad_metric_leaves_the_others_their_values(distributions):
    distributions("metrics", "ok")
    names = ["bad.raises", "bad.nan", "bad.panics", "bad.exits", "bad.repr", "bad.reason", "bad.fine", "ok.half"]
    row, report = run(list, metrics=names)
    assert {name: outcome.status for name, outcome in row.scores.items()} == {
        **dict.fromkeys(names[:6], "error"), "bad.fine": "scored", "ok.half": "scored",
    }  # fmt: skip
    assert report["bad.raises"].error_reasons == {"bad.raises raised KeyError: 'c1'": 1}
    assert (report["bad.fine"].mean, report["ok.half"].mean) == (0.75, 0.5)
