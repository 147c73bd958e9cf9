"""What holds for any ranking, and agreement with definitions written down a second time."""

from importlib.metadata import entry_points
from math import log2

import pytest
from hypothesis import assume, given, strategies as st

from ragproof_core import Case, Chunk, Response, RunSettings
from ragproof_core.engine.asking import source_ids

METRICS = {
    entry.name.removeprefix("retrieval."): entry.load()()
    for entry in entry_points(group="ragproof.metrics")
    if entry.value.startswith("ragproof_metrics_retrieval.") and "index_recall" not in entry.name
}
SOURCES = st.sampled_from("ABCDEFGHIJKL")
RANKINGS = st.lists(SOURCES, max_size=12, unique=True)
GRADES = st.dictionaries(SOURCES, st.integers(0, 4), min_size=1, max_size=8).filter(lambda g: any(g.values()))
CUTOFFS = st.integers(1, 15)


def values(ranked, grades, k):
    case = Case("1", "?", expected_source_grades=grades)
    chunks = tuple(Chunk(source) for source in ranked)
    response = Response(retrieved=chunks, ranked=source_ids(chunks, by_document=False))
    return {name: metric.score(case, response, RunSettings(k=k)) for name, metric in METRICS.items()}


def precision(ranked, relevant, k):
    return sum(1 for source in ranked[:k] if source in relevant) / k


def average(terms, count):
    return sum(terms) / count if count else 0.0


def dcg(gains, k):
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains[:k], 1))


def by_definition(ranked, grades, k):
    """The table of the documentation, spelled out without the code under test."""
    relevant = {source for source, grade in grades.items() if grade > 0}
    p, r = precision(ranked, relevant, k), len(set(ranked[:k]) & relevant) / len(relevant)
    at_relevant = [
        precision(ranked, relevant, rank) for rank in range(1, len(ranked) + 1) if ranked[rank - 1] in relevant
    ]
    ranks = [rank for rank, source in enumerate(ranked, 1) if source in relevant]
    within = [value for rank, value in zip(ranks, at_relevant, strict=True) if rank <= k]
    binary = [1 if source in relevant else 0 for source in ranked]
    graded = [grades.get(source, 0) for source in ranked]
    return {
        "precision_at_k": p,
        "recall_at_k": r,
        "f1_at_k": 2 * p * r / (p + r) if p + r else 0.0,
        "hit_rate_at_k": 1.0 if p else 0.0,
        "mrr": max((1 / rank for rank in ranks), default=0.0),
        "map": average(at_relevant, len(relevant)),
        "ndcg_at_k": dcg(binary, k) / dcg([1] * len(relevant), k),
        "graded_ndcg_at_k": dcg(graded, k) / dcg(sorted(grades.values(), reverse=True), k),
        "context_precision_at_k": average(within, len(within)),
    }


@given(RANKINGS, GRADES, CUTOFFS)
def test_agrees_with_the_definitions(ranked, grades, k):
    assert values(ranked, grades, k) == pytest.approx(by_definition(ranked, grades, k), abs=1e-12)


@given(st.lists(SOURCES, max_size=30), GRADES, CUTOFFS)
def test_every_value_is_a_share(ranked, grades, k):
    assert all(0.0 <= value <= 1.0 for value in values(ranked, grades, k).values())


@given(st.lists(SOURCES, max_size=12), GRADES, CUTOFFS, st.data())
def test_a_repeat_further_down_changes_nothing(ranked, grades, k, data):
    assume(ranked)
    first = data.draw(st.integers(0, len(ranked) - 1))
    place = data.draw(st.integers(first + 1, len(ranked)))
    repeated = [*ranked[:place], ranked[first], *ranked[place:]]
    assert values(repeated, grades, k) == values(ranked, grades, k)


@given(RANKINGS, GRADES, CUTOFFS, st.data())
def test_moving_a_relevant_source_up_never_lowers_a_value(ranked, grades, k, data):
    assume(len(ranked) > 1)
    low = data.draw(st.integers(1, len(ranked) - 1))
    high = data.draw(st.integers(0, low - 1))
    assume(grades.get(ranked[low], 0) >= grades.get(ranked[high], 0))
    swapped = list(ranked)
    swapped[high], swapped[low] = swapped[low], swapped[high]
    before, after = values(ranked, grades, k), values(swapped, grades, k)
    for name in before:
        if name != "context_precision_at_k":  # a source that comes into the first k at their end may lower their mean
            assert after[name] >= before[name] - 1e-12, name


@given(RANKINGS, GRADES, CUTOFFS, RANKINGS)
def test_what_is_below_k_matters_to_full_list_metrics_only(ranked, grades, k, tail):
    cut = ranked[:k]
    longer = [*cut, *(source for source in tail if source not in cut)] if len(cut) == k else cut
    before, after = values(cut, grades, k), values(longer, grades, k)
    assert {n: v for n, v in before.items() if n.endswith("_at_k")} == {
        n: v for n, v in after.items() if n.endswith("_at_k")
    }
    assert after["map"] >= before["map"]
    assert after["mrr"] >= before["mrr"]


@given(RANKINGS, GRADES, st.integers(1, 14))
def test_recall_and_hit_rate_grow_with_k(ranked, grades, k):
    shallow, deep = values(ranked, grades, k), values(ranked, grades, k + 1)
    assert deep["recall_at_k"] >= shallow["recall_at_k"]
    assert deep["hit_rate_at_k"] >= shallow["hit_rate_at_k"]
