from importlib.metadata import entry_points

import pytest
from ragproof_metrics_funnel.correct import DECIDED_BY, Correct
from ragproof_metrics_funnel.sources import InContext, Retrieved
from ragproof_metrics_funnel.used import Used

from ragproof_core import Answer, Case, Chunk, Outcome, Response, RunSettings, ScoreRow, evaluate
from ragproof_core.engine.asking import source_ids
from ragproof_core.plugins.contract import register

STAGES = {"retrieved": Retrieved, "in_context": InContext, "used": Used, "correct": Correct}
NO_SOURCES = ("skipped", None, "case has no expected_source_ids")


def case(*expected, **fields):
    return Case("1", "?", expected_source_ids=expected, **fields)


def chunks(*names):
    """Chunks from "id" or "id@document"."""
    found = []
    for name in names:
        chunk_id, _, document = name.partition("@")
        found.append(Chunk(chunk_id, metadata={"document_id": document} if document else {}))
    return tuple(found)


def response(*, retrieved=None, context=None, citations=(), by_document=False):
    """What the engine makes of an answer with this context (default: what was retrieved) and these citations."""
    context = retrieved if context is None else context
    return Response(
        retrieved=retrieved,
        ranked=None if retrieved is None else source_ids(retrieved, by_document=by_document),
        answer=Answer("…", citations=citations),
        context=context,
        context_ids=None if context is None else source_ids(context, by_document=by_document),
    )


def test_declarations():
    for name, stage in STAGES.items():
        _, hooks = register("metric", stage(), name)
        assert hooks == ({"score"} if name == "retrieved" else {"score", "summarize"})
        assert (stage.direction, stage.range, stage.unit, stage.kinds) == ("higher", (0.0, 1.0), "share", ("qa",))
    installed = {entry.name for entry in entry_points(group="ragproof.metrics") if "_funnel." in entry.value}
    assert installed == {f"funnel.{name}" for name in STAGES}


# retrieved


@pytest.mark.parametrize(
    ("ranked", "expected", "k", "value", "note"),
    [
        ("ABC", "A", 1, 1.0, None),
        ("ABC", "C", 2, 0.0, "not among the first 2: C"),
        ("ABC", "C", 3, 1.0, None),
        ("ABC", "AC", 3, 1.0, None),
        ("ABC", "AC", 2, 0.0, "not among the first 2: C"),  # one of two is not enough
        ("ABC", "AX", 50, 0.0, "not among the first 50: X"),  # k larger than the list
        ("ABC", "ZYX", 3, 0.0, "not among the first 3: X, Y, Z"),
        ("ABCDE", "ABCDE", 4, 0.0, "not among the first 4: E"),  # more expected than k: cannot pass
        ("", "A", 5, 0.0, "not among the first 5: A"),
        ("A", "QRSTUVWX", 5, 0.0, "not among the first 5: Q, R, S, T, U and 3 more"),
    ],
)
def test_retrieved_is_all_or_nothing_within_k(ranked, expected, k, value, note):
    found = Retrieved().score(case(*expected), response(retrieved=chunks(*ranked)), RunSettings(k=k))
    assert found == ("scored", value, note)


def test_retrieved_by_document_counts_documents_not_chunks():
    given = response(retrieved=chunks("1@A", "2@A", "3@A", "4@B"), by_document=True)
    assert Retrieved().score(case("A", "B"), given, RunSettings(k=2)).value == 1.0


def test_grades_above_zero_are_expected_when_no_ids_are():
    graded = case(expected_source_grades={"A": 2, "Z": 0})
    assert Retrieved().score(graded, response(retrieved=chunks("A")), RunSettings()).value == 1.0
    assert Retrieved().score(graded, response(retrieved=chunks("Z")), RunSettings()).value == 0.0


# in_context


@pytest.mark.parametrize(
    ("retrieved", "context", "value", "note"),
    [
        ("ABC", "AC", 1.0, None),
        ("ABC", "AB", 0.0, "not in the context: C"),
        ("ABC", None, 1.0, None),  # the answer does not tell: it saw what was retrieved
        ("B", "AC", 1.0, None),  # not retrieved, and there all the same
        ("ABC", "", 0.0, "not in the context: A, C"),  # an empty context has nothing
        (None, "AC", 1.0, None),
    ],
)
def test_in_context(retrieved, context, value, note):
    given = response(
        retrieved=None if retrieved is None else chunks(*retrieved),
        context=None if context is None else chunks(*context),
    )
    assert InContext().score(case("A", "C"), given) == ("scored", value, note)


def test_in_context_looks_beyond_k():
    given = response(retrieved=chunks(*"BDEFGA"))
    assert Retrieved().score(case("A"), given, RunSettings(k=5)).value == 0.0
    assert InContext().score(case("A"), given).value == 1.0


def test_in_context_by_document():
    given = response(context=chunks("1@A", "2@C"), by_document=True)
    assert InContext().score(case("A", "C"), given).value == 1.0


# used


@pytest.mark.parametrize(
    ("citations", "value", "note"),
    [
        (["A", "C"], 1.0, None),
        (["C", "B", "A", "A"], 1.0, None),  # others and repeats do no harm
        (["A"], 0.0, "not cited: C"),
        (["B"], 0.0, "not cited: A, C"),
        ([{"chunk_id": "A", "text": "x"}, {"chunk_id": "C"}], 1.0, None),
        (["a", "c"], 0.0, "not cited: A, C"),
    ],
)
def test_used_is_every_expected_source_cited(citations, value, note):
    given = response(retrieved=chunks(*"ABC"), citations=citations)
    assert Used().score(case("A", "C"), given, RunSettings()) == ("scored", value, note)


@pytest.mark.parametrize(
    ("citations", "value"),
    [
        (["1", "4"], 1.0),  # chunks of A in the context, and of C among what was only retrieved
        (["1", "2"], 0.0),  # two chunks of one document
        (["A", "C"], 1.0),  # documents cited by name
        (["1", "C"], 1.0),
        (["9", "4"], 0.0),  # 9 is nobody's
        (["3", "4"], 0.0),  # a chunk without a document is its own
    ],
)
def test_used_by_document_maps_chunks_through_context_and_retrieved(citations, value):
    given = response(retrieved=chunks("3", "4@C"), context=chunks("1@A", "2@A"), citations=citations, by_document=True)
    assert Used().score(case("A", "C"), given, RunSettings(source_match="document")).value == value


def test_the_context_decides_about_a_chunk_that_has_two_documents():
    given = response(retrieved=chunks("1@old"), context=chunks("1@A"), citations=["1"], by_document=True)
    assert Used().score(case("A"), given, RunSettings(source_match="document")).value == 1.0


def test_a_chunk_citation_is_no_document_when_labels_are_chunks():
    given = response(retrieved=chunks("1@A"), citations=["1"])
    assert Used().score(case("A"), given, RunSettings()) == ("scored", 0.0, "not cited: A")


# correct


@pytest.mark.parametrize(
    ("correctness", "keywords", "exact", "value", "by"),
    [
        (1.0, 0.0, 0.0, 1.0, 0),
        (0.0, 1.0, 1.0, 0.0, 0),
        (0.5, 1.0, 1.0, 0.0, 0),  # partly correct is not correct
        ("skipped", 1.0, 0.0, 1.0, 1),
        ("judge_error", 0.0, 1.0, 0.0, 1),
        ("error", "skipped", 1.0, 1.0, 2),
        ("not_applicable", None, 0.0, 0.0, 2),
        (None, None, 1.0, 1.0, 2),
    ],
)
def test_the_first_scored_metric_decides(correctness, keywords, exact, value, by):
    outcomes = {}
    for name, given in zip(DECIDED_BY, (correctness, keywords, exact), strict=True):
        if given is not None:
            outcomes[name] = Outcome(given) if isinstance(given, str) else Outcome("scored", given)
    assert Correct().score(outcomes) == ("scored", value, f"by {DECIDED_BY[by]}")


@pytest.mark.parametrize("outcomes", [{}, {name: Outcome("skipped", None, "…") for name in DECIDED_BY}])
def test_undecided_is_skipped(outcomes):
    reason = "none of generation.answer_correctness, generation.keyword_hit, echo.exact_match is scored"
    assert Correct().score(outcomes) == ("skipped", None, reason)


# through the engine


class Counting:
    def __init__(self):
        self.calls = []

    def retrieve(self, question):
        self.calls.append("retrieve")
        return [{"id": "A"}]

    def answer(self, question):
        self.calls.append("answer")
        return {"answer_text": "27 days", "citations": ["A"]}


@pytest.mark.parametrize(
    ("metric", "calls"),
    [
        ("funnel.retrieved", ["retrieve"]),
        ("funnel.in_context", ["retrieve", "answer"]),
        ("funnel.used", ["retrieve", "answer"]),
        ("funnel.correct", []),  # forces no call
    ],
)
def test_only_the_calls_that_a_stage_needs_are_made(metric, calls):
    adapter = Counting()
    evaluate(cases=[{"id": "1", "question": "?", "expected_source_ids": ["A"]}], adapter=adapter, metrics=metric)
    assert adapter.calls == calls


def test_kinds_and_missing_labels():
    cases = [
        {"id": "1", "question": "?", "expected_source_ids": ["A"]},
        {"id": "2", "question": "?"},
        {"id": "3", "question": "?", "kind": "unanswerable", "expected_source_ids": ["A"]},
        {"id": "4", "question": "?", "kind": "injection", "expected_source_ids": ["A"]},
    ]
    rows = evaluate(cases=cases, adapter=Counting(), metrics="funnel.*").rows
    sources = ("funnel.retrieved", "funnel.in_context", "funnel.used")
    assert [rows[0].scores[name].value for name in sources] == [1.0, 1.0, 1.0]
    assert [rows[1].scores[name] for name in sources] == [NO_SOURCES] * 3
    for row in rows[2:]:
        assert set(row.scores.values()) == {("skipped", None, "applies to qa cases only")}


# survival


def rows(*cases):
    """Score rows from strings of one character a stage: 1, 0, or - for not scored."""
    return [
        ScoreRow(
            str(n), "qa", (), "ok", {f"funnel.{s}": float(c) for s, c in zip(STAGES, given, strict=True) if c != "-"}
        )
        for n, given in enumerate(cases)
    ]


def test_survival_counts_cases_where_both_stages_are_scored():
    given = rows("1111", "1110", "1101", "11-1", "0-10", "1001", "0111", "----")
    # in_context among retrieved: 1 1 1 1 0 (the fifth is not scored)
    assert InContext().summarize(given) == {"in_context_given_retrieved": 4 / 5}
    # used among in_context: 1 1 0 1 (one of five is not scored)
    assert Used().summarize(given) == {"used_given_in_context": 3 / 4}
    assert Correct().summarize(given) == {
        "correct_given_used": 2 / 4,  # 1 0 0 1
        "correct_given_in_context": 4 / 5,  # 1 0 1 1 1
        "correct_without_context": 1 / 1,  # the sixth
    }


def test_survival_of_nobody_is_absent():
    assert InContext().summarize([]) == {"in_context_given_retrieved": None}
    assert Correct().summarize(rows("0000", "1---")) == {
        "correct_given_used": None,
        "correct_given_in_context": None,
        "correct_without_context": 0.0,
    }


def test_survival_is_in_the_summaries_of_a_run():
    cases = [{"id": str(n), "question": "?", "expected_source_ids": ids} for n, ids in enumerate(["A", "AB"])]
    cases = [case | {"expected_source_ids": list(case["expected_source_ids"])} for case in cases]
    report = evaluate(cases=cases, adapter=Counting(), metrics="funnel.*")
    assert report["funnel.retrieved"].mean == 1 / 2
    assert report["funnel.in_context"].values == {"in_context_given_retrieved": 1.0}
    assert report["funnel.used"].values == {"used_given_in_context": 1.0}
