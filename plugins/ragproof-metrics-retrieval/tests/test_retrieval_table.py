"""Every rule of the retrieval metrics, with the fractions visible."""

from importlib.metadata import entry_points
from math import log2

import pytest

from ragproof_core import Case, Chunk, Response, RunSettings, evaluate
from ragproof_core.engine.asking import source_ids
from ragproof_core.errors import ConfigError
from ragproof_core.plugins.contract import register

METRICS = {
    entry.name.removeprefix("retrieval."): entry.load()
    for entry in entry_points(group="ragproof.metrics")
    if entry.value.startswith("ragproof_metrics_retrieval.")
}
AT_K = ("precision_at_k", "recall_at_k", "f1_at_k", "hit_rate_at_k", "ndcg_at_k", "context_precision_at_k")
LABELLED = (*AT_K, "mrr", "map")


def score(name, ranked, relevant, k=5, *, grades=None, by_document=False):
    """The outcome for chunks given as ids, or as (id, document) pairs."""
    chunks = tuple(
        Chunk(chunk) if isinstance(chunk, str) else Chunk(chunk[0], metadata={"document_id": chunk[1]})
        for chunk in ranked
    )
    case = Case("1", "?", expected_source_ids=tuple(relevant), expected_source_grades=grades)
    response = Response(retrieved=chunks, ranked=source_ids(chunks, by_document=by_document))
    return METRICS[name]().score(case, response, RunSettings(k=k))


def value(*args, **kwargs):
    found = score(*args, **kwargs)
    assert isinstance(found, float)
    return found


def test_declarations():
    assert len(METRICS) == 10
    for name, metric in METRICS.items():
        _, hooks = register("metric", metric(), name)
        assert hooks == {"score"}
        assert (metric.direction, metric.range, metric.unit) == ("higher", (0.0, 1.0), "share")
        assert metric.needs[0] == "retrieval"
        assert not hasattr(metric, "kinds")  # all of them
        assert metric.description
        assert metric.source


@pytest.mark.parametrize(
    ("name", "k", "expected"),
    [
        ("hit_rate_at_k", 5, 1.0),
        ("recall_at_k", 5, 2 / 2),
        ("precision_at_k", 5, 2 / 5),
        ("f1_at_k", 5, 4 / 7),  # 2 · 2/5 · 1 / (2/5 + 1)
        ("mrr", 5, 1 / 2),
        ("map", 5, (1 / 2 + 2 / 4) / 2),
        ("context_precision_at_k", 5, (1 / 2 + 2 / 4) / 2),
        ("recall_at_k", 3, 1 / 2),
        ("precision_at_k", 3, 1 / 3),
        ("f1_at_k", 3, 2 / 5),  # 2 · 1/3 · 1/2 / (1/3 + 1/2)
        ("context_precision_at_k", 3, 1 / 2),
        ("hit_rate_at_k", 1, 0.0),
        ("context_precision_at_k", 1, 0.0),
        ("mrr", 1, 1 / 2),  # the full list, whatever k is
        ("map", 1, 1 / 2),
    ],
)
def test_worked_example(name, k, expected):
    assert value(name, "BADCE", "AC", k) == expected


def test_worked_example_ndcg():
    expected = (1 / log2(3) + 1 / log2(5)) / (1 + 1 / log2(3))
    assert value("ndcg_at_k", "BADCE", "AC") == pytest.approx(expected, abs=1e-15)
    assert f"{expected:.7f}" == "0.6509209"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("precision_at_k", 2 / 5),  # three came back, and five count
        ("recall_at_k", 2 / 3),
        ("f1_at_k", 2 * 2 / (5 + 3)),
        ("hit_rate_at_k", 1.0),
        ("mrr", 1.0),
        ("map", (1 / 1 + 2 / 3) / 3),  # the one that is missing counts as 0
        ("context_precision_at_k", (1 / 1 + 2 / 3) / 2),  # and here it does not count
    ],
)
def test_fewer_than_k_came_back(name, expected):
    assert value(name, "ABC", "ACX") == expected


def test_ndcg_ideal_is_bounded_by_k_and_by_what_is_relevant():
    second, third = 1 / log2(3), 1 / log2(4)
    assert value("ndcg_at_k", "ABC", "ACX") == pytest.approx((1 + third) / (1 + second + third), abs=1e-15)
    assert value("ndcg_at_k", "BA", "A", 5) == pytest.approx(second / 1, abs=1e-15)
    assert value("ndcg_at_k", "ABX", "ABCDEF", 2) == 1.0  # two of six fill the two places
    assert value("ndcg_at_k", "XXA", "A", 2) == pytest.approx(second, abs=1e-15)  # the repeated X takes one rank


@pytest.mark.parametrize("name", LABELLED)
@pytest.mark.parametrize("ranked", ["", "XYZ"])
def test_nothing_found_scores_zero(name, ranked):
    assert value(name, ranked, "AC") == 0.0


@pytest.mark.parametrize("name", [name for name in LABELLED if name not in ("precision_at_k", "f1_at_k")])
def test_a_perfect_list_scores_one(name):
    assert value(name, "AC", "AC", 10) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize(
    ("name", "expected"), [("precision_at_k", 2 / 50), ("recall_at_k", 1.0), ("f1_at_k", 2 * 2 / 52), ("mrr", 1 / 2)]
)
def test_k_larger_than_the_list(name, expected):
    assert value(name, "BADCE", "AC", 50) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("precision_at_k", 1 / 2),  # A B | C: the second A is gone before the cut
        ("recall_at_k", 1 / 2),
        ("mrr", 1.0),
        ("map", (1 / 1 + 2 / 3) / 2),
        ("context_precision_at_k", 1.0),
    ],
)
def test_a_repeated_id_counts_once_at_its_best_rank(name, expected):
    assert value(name, "AAABBC", "AC", 2) == expected


@pytest.mark.parametrize(
    ("name", "by_document", "expected"),
    [
        ("precision_at_k", True, 2 / 3),  # D1 D2 D3
        ("precision_at_k", False, 0.0),  # the labels are documents, the ids are chunks
        ("recall_at_k", True, 2 / 2),
        ("mrr", True, 1 / 2),  # D1 D2: two chunks of D1 take one rank
        ("map", True, (1 / 2 + 2 / 3) / 2),
    ],
)
def test_documents_take_one_rank(name, by_document, expected):
    ranked = [("c1", "D1"), ("c2", "D1"), ("c3", "D2"), ("c4", "D1"), ("c5", "D3")]
    assert value(name, ranked, ["D2", "D3"], 3, by_document=by_document) == expected


def test_a_chunk_without_a_document_is_its_own():
    assert value("mrr", [("c1", "D1"), "D2"], ["D2"], by_document=True) == 1 / 2


def test_context_precision_ignores_what_is_below_k():
    assert value("context_precision_at_k", "AVWXYC", "AC", 5) == 1.0
    assert value("map", "AVWXYC", "AC", 5) == (1 / 1 + 2 / 6) / 2


# grades


def test_graded_ndcg_is_linear_in_the_grades():
    grades = {"A": 3, "B": 2, "C": 1}
    second, third = 1 / log2(3), 1 / log2(4)
    ideal = 3 + 2 * second + third
    assert value("graded_ndcg_at_k", "CBA", "ABC", grades=grades) == pytest.approx(
        (1 + 2 * second + 3 * third) / ideal, abs=1e-15
    )
    assert value("graded_ndcg_at_k", "ABC", "ABC", grades=grades) == 1.0
    assert value("graded_ndcg_at_k", "XYZ", "ABC", grades=grades) == 0.0
    assert value("graded_ndcg_at_k", "", "ABC", grades=grades) == 0.0


def test_graded_ideal_is_over_the_k_largest_grades():
    grades = {"A": 1, "B": 1, "C": 5}
    assert value("graded_ndcg_at_k", "C", "ABC", 1, grades=grades) == 1.0
    assert value("graded_ndcg_at_k", "A", "ABC", 1, grades=grades) == 1 / 5


def test_grades_of_zero_and_unjudged_ids_gain_nothing():
    grades = {"A": 2, "Z": 0}
    expected = (2 / log2(4)) / 2
    assert value("graded_ndcg_at_k", "ZXA", "A", grades=grades) == pytest.approx(expected, abs=1e-15)


def test_equal_grades_give_the_binary_value():
    binary = value("ndcg_at_k", "BADCE", "AC")
    assert value("graded_ndcg_at_k", "BADCE", "AC", grades={"A": 7, "C": 7}) == pytest.approx(binary, abs=1e-15)


def test_the_expected_ids_come_from_the_grades_when_there_are_no_others():
    assert value("recall_at_k", "A", [], grades={"A": 1, "B": 2, "Z": 0}) == 1 / 2
    assert value("recall_at_k", "A", ["A"], grades={"A": 1, "B": 2}) == 1.0  # ids that are given are the ids


# index recall


@pytest.mark.parametrize(
    ("found", "exact", "k", "expected"),
    [
        ("ABC", "ABC", 3, 1.0),
        ("CBA", "ABC", 3, 1.0),  # a set: order does not matter
        ("ABX", "ABC", 3, 2 / 3),
        ("ABXC", "ABC", 3, 2 / 3),  # below k does not count
        ("AB", "ABCD", 4, 2 / 4),
        ("ABC", "AB", 5, 2 / 2),  # fewer than k exist
        ("", "ABC", 3, 0.0),
        ("XYZ", "ABC", 3, 0.0),
        ("AAB", "ABC", 2, 2 / 2),  # each id once
    ],
)
def test_index_recall(found, exact, k, expected):
    class Searching:
        def retrieve(self, question):
            return [{"id": source} for source in found]

        def retrieve_exact(self, question, k):
            return [{"id": source} for source in exact]

    [row] = evaluate(
        {"run": {"k": k}},
        cases=[{"id": "1", "question": "?"}],
        adapter=Searching(),
        metrics="retrieval.index_recall_at_k",
    ).rows
    assert row.scores["retrieval.index_recall_at_k"] == ("scored", expected, None)


# skips


class Recorded:
    def __init__(self, **hooks):
        for name, found in hooks.items():
            setattr(self, name, lambda found=found, **_: found)


def reasons(adapter, **case):
    [row] = evaluate(cases=[{"id": "1", "question": "?"} | case], adapter=adapter, metrics="retrieval.*").rows
    return {name.removeprefix("retrieval."): outcome[::2] for name, outcome in row.scores.items()}


def test_skipped_without_retrieval():
    found = reasons(Recorded(answer="…"), expected_source_ids=["A"], expected_source_grades={"A": 1})
    assert found == dict.fromkeys(METRICS, ("skipped", "adapter does not expose retrieval"))


@pytest.mark.parametrize("kind", ["qa", "unanswerable", "injection"])
def test_skipped_without_labels(kind):
    found = reasons(Recorded(retrieve=[{"id": "A"}], retrieve_exact=[{"id": "A"}]), kind=kind)
    assert found.pop("index_recall_at_k") == ("scored", None)  # needs no labels
    assert found.pop("graded_ndcg_at_k") == ("skipped", "case has no expected_source_grades")
    assert found == dict.fromkeys(LABELLED, ("skipped", "case has no expected_source_ids"))


@pytest.mark.parametrize("kind", ["qa", "unanswerable", "injection"])
def test_scored_for_every_kind_that_has_labels(kind):
    found = reasons(Recorded(retrieve=[]), kind=kind, expected_source_ids=["A"])
    assert found.pop("index_recall_at_k") == ("skipped", "adapter does not expose exact retrieval")
    assert found.pop("graded_ndcg_at_k") == ("skipped", "case has no expected_source_grades")
    assert found == dict.fromkeys(LABELLED, ("scored", None))


def test_skipped_when_there_is_nothing_to_divide_by():
    found = reasons(Recorded(retrieve=[{"id": "A"}], retrieve_exact=[]), expected_source_grades={"A": 0})
    assert found.pop("index_recall_at_k") == ("skipped", "exact search found nothing")
    assert found.pop("graded_ndcg_at_k") == ("skipped", "no grade in expected_source_grades is above 0")
    assert found == dict.fromkeys(LABELLED, ("skipped", "case has no expected_source_ids"))


def test_skips_the_same_when_called_directly():
    run = RunSettings()
    labelled = Case("1", "?", expected_source_ids=("A",))
    assert METRICS["mrr"]().score(labelled, Response(), run).reason == "adapter does not expose retrieval"
    assert METRICS["mrr"]().score(Case("1", "?"), Response(ranked=()), run).reason == "case has no expected_source_ids"


# settings


def test_a_second_instance_looks_deeper():
    adapter = Recorded(retrieve=[{"id": source} for source in "XYAXZWVC"])
    config = {
        "run": {"k": 3, "retrieve_k": 8},
        "metrics": ["retrieval.*", {"use": "retrieval.recall_at_k", "k": 8, "as": "retrieval.recall_at_8"}],
    }
    [row] = evaluate(
        config, cases=[{"id": "1", "question": "?", "expected_source_ids": ["A", "C"]}], adapter=adapter
    ).rows
    assert row.scores["retrieval.recall_at_k"].value == 1 / 2
    assert row.scores["retrieval.recall_at_8"].value == 2 / 2


@pytest.mark.parametrize("settings", [{"k": 0}, {"k": -1}, {"k": "many"}, {"depth": 3}])
def test_a_wrong_setting_is_refused(settings):
    with pytest.raises(ConfigError, match=r"metrics\.retrieval\.recall_at_k\.(k|depth)"):
        evaluate(
            {"metrics": {"retrieval.recall_at_k": settings}},
            cases=[{"id": "1", "question": "?"}],
            adapter=Recorded(retrieve=[]),
        )


@pytest.mark.parametrize("name", ["mrr", "map"])
def test_a_full_list_metric_has_no_cutoff_to_set(name):
    with pytest.raises(ConfigError, match=f"metrics.retrieval.{name}.k: unknown key"):
        evaluate(
            {"metrics": {f"retrieval.{name}": {"k": 3}}},
            cases=[{"id": "1", "question": "?"}],
            adapter=Recorded(retrieve=[]),
        )
