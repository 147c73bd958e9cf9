"""Readings with their conditions, the heat map, documents, histograms, funnel, refusals, trends."""

import pytest
from ragproof_report import gather
from ragproof_report.documents import DocumentTally
from ragproof_report.histograms import histogram
from ragproof_report.readings import PrecisionCeiling, readings
from ragproof_report.tag_map import level, tag_map
from ragproof_report.trends import trends

from ragproof_core.models.outcome import skipped
from ragproof_core.models.response import Chunk

HIT, RECALL = "retrieval.hit_rate_at_k", "retrieval.recall_at_k"
PRECISION, MRR = "retrieval.precision_at_k", "retrieval.mrr"
NO_DOCUMENTS = DocumentTally().table()


def run_of(samples, **means):
    names = {"hit": HIT, "recall": RECALL, "precision": PRECISION, "mrr": MRR}
    return samples.run(*(samples.summary(names[name], mean) for name, mean in means.items()))


@pytest.mark.parametrize(
    ("means", "found"),
    [
        ({"hit": 0.93, "recall": 0.7}, [
            ("Some of the evidence is found, but not all of it.",
             "hit rate 0.930 ≥ 0.8 and recall 0.700 at least 0.15 below it")]),
        ({"hit": 0.93, "recall": 0.86}, []),
        ({"hit": 0.7, "recall": 0.4}, []),
        ({"recall": 0.86, "precision": 0.41}, [
            ("The context is noisy: the evidence is there among much else.",
             "recall 0.860 ≥ 0.8 and precision 0.410 ≤ 0.5; these labels allow 0.600 at most at k = 5")]),
        ({"recall": 0.86, "precision": 0.55}, []),
        ({"recall": 0.9, "mrr": 0.6}, [
            ("The right chunks are found, in the wrong order.", "recall 0.900 ≥ 0.8 and MRR 0.600 at least 0.15 below it")]),
        ({"recall": 0.9, "mrr": 0.8}, []),
        ({"recall": 0.7, "mrr": 0.2}, []),
    ],
)  # fmt: skip
def test_a_reading_is_given_with_the_condition_that_triggered_it(samples, means, found):
    given = readings(run_of(samples, **means), NO_DOCUMENTS, 0.6)
    assert [(reading.finding, reading.condition) for reading in given] == found


def test_low_precision_that_the_labels_do_not_allow_to_be_higher_asks_for_a_lower_k(samples):
    run = run_of(samples, recall=0.9, precision=0.2)
    assert "a lower k would" in readings(run, NO_DOCUMENTS, 0.22)[0].advice
    assert "re-rank, or lower k" in readings(run, NO_DOCUMENTS, 0.6)[0].advice


def test_few_cases_give_no_reading(samples):
    run = samples.run(samples.summary(HIT, 1.0, scored=4), samples.summary(RECALL, 0.5, scored=4))
    assert readings(run, NO_DOCUMENTS, None) == []


@pytest.mark.parametrize(
    ("tags", "advice"),
    [
        ({"numeric": (0.4, 5), "lookup": (0.95, 20), "table": (0.9, 5)}, "numbers and codes"),
        ({"slang": (0.4, 5), "lookup": (0.95, 20), "list": (0.9, 5)}, "in common"),
        ({"slang": (0.4, 2), "lookup": (0.95, 20), "list": (0.9, 5)}, None),
        ({"slang": (0.4, 5), "lookup": (0.3, 20), "list": (0.9, 5)}, None),
    ],
)
def test_only_some_tags_low(samples, tags, advice):
    run = samples.run(samples.summary(RECALL, 0.82, scored=40, tags=tags))
    found = readings(run, NO_DOCUMENTS, None)
    assert [advice in reading.advice for reading in found] == ([True] if advice else [])


def expecting(samples, index, source, recall, document=None):
    chunks = (Chunk(id=source, metadata={"document_id": document} if document else {}),)
    return samples.result(index, {RECALL: recall}, expected_source_ids=(source,), retrieved=chunks)


def test_only_one_document_low(samples):
    tally = DocumentTally()
    for index, (source, document, recall) in enumerate(
        [("a1", "a", 0.0), ("a2", "a", 0.5), ("a1", "a", 0.25)]
        + [(f"{name}{n}", name, 1.0) for name in "bc" for n in range(3)]
    ):
        tally.add(expecting(samples, index, source, recall, document))
    table = tally.table()
    assert [(row.document, row.cases, row.parts[0].mean) for row in table.rows] == [
        ("a", 3, 0.25), ("b", 3, 1.0), ("c", 3, 1.0),
    ]  # fmt: skip
    [reading] = readings(samples.run(samples.summary(RECALL, 0.75)), table, None)
    assert reading.finding == "Only one document is low: a."
    assert (
        reading.condition == "recall 0.250 ≤ 0.5 over the 3 cases that expect it, 1.000 ≥ 0.8 for the other documents"
    )


def test_a_source_that_was_never_retrieved_stands_for_itself_and_a_case_counts_for_each_document(samples):
    tally = DocumentTally()
    tally.add(samples.result(0, {RECALL: 0.5}, expected_source_ids=("x#1", "lost"),
                             retrieved=(Chunk(id="x#1", metadata={"document_id": "x"}),)))  # fmt: skip
    tally.add(samples.result(1, status="error", error="e", expected_source_ids=("x#1",)))
    assert [(row.document, row.cases) for row in tally.table().rows] == [("lost", 1), ("x", 1)]


def test_the_precision_ceiling_is_the_mean_of_what_k_leaves_room_for():
    ceiling = PrecisionCeiling(5)
    for expected in (1, 2, 9, 0):
        ceiling.add(expected)
    assert ceiling.value(3) == pytest.approx((1 + 2 + 5) / 15)
    assert ceiling.value(4) is None


@pytest.mark.parametrize(
    ("unit", "direction", "overall", "mean", "expected"),
    [
        ("share", "higher", 0.8, 0.84, "same"),
        ("share", "higher", 0.8, 0.86, "better"),
        ("share", "higher", 0.8, 0.6, "much-worse"),
        ("share", "lower", 0.1, 0.2, "worse"),
        ("share", "lower", 0.4, 0.1, "much-better"),
        ("ms", "lower", 1000.0, 1080.0, "worse"),
        ("ms", "lower", 1000.0, 1010.0, "same"),
        ("ms", "lower", 0.0, 5.0, "same"),
    ],
)
def test_the_heat_map_knows_the_direction(samples, unit, direction, overall, mean, expected):
    assert level(samples.summary("a.b", overall, unit=unit, direction=direction), mean) == expected


def test_the_heat_map_keeps_the_tags_with_most_cases_and_counts_the_rest(samples):
    tags = {f"t{n:02}": (0.5, n + 1) for n in range(45)}
    found = tag_map([samples.summary("a.b", 0.5, tags=tags), samples.summary("a.c", 0.5)], ("a.b", "a.c"))
    assert [summary.metric for summary in found.metrics] == ["a.b"]
    assert found.rows[0][0] == "t44"
    assert (len(found.rows), found.tags_left_out) == (40, 5)
    assert [cells[0].few for tag, cells in found.rows if tag in ("t05", "t44")] == [False, False]


@pytest.mark.parametrize(
    ("unit", "values", "counts", "ends"),
    [
        ("share", [0.0, 0.1, 0.3, 0.95, 1.0, 1.0], [1, 1, 0, 1, 0, 0, 0, 0, 0, 3], ("0.000", "1.000")),
        ("ms", [0.0, 500.0, 1000.0], [1, 0, 0, 0, 0, 1, 0, 0, 0, 1], ("0.0 ms", "1.0 s")),
        ("ms", [7.0, 7.0], [2], ("7.0 ms", "7.0 ms")),
    ],
)
def test_histograms_count_every_value_once(samples, unit, values, counts, ends):
    found = histogram(samples.summary("a.b", 0.5, unit=unit), values)
    assert [bar.count for bar in found.bars] == counts
    assert (found.low, found.high) == ends


def test_the_funnel_says_where_a_case_was_lost_first(samples):
    names = ("funnel.retrieved", "funnel.in_context", "funnel.used", "funnel.correct")
    run = samples.run(*(samples.summary(name, 0.5) for name in names))
    results = [
        samples.result(0, dict.fromkeys(names, 1.0)),
        samples.result(1, dict.fromkeys(names, 0.0)),
        samples.result(2, {names[0]: 1.0, names[1]: 1.0, names[2]: skipped("none"), names[3]: 0.0}),
    ]
    stages = gather(run, results).funnel
    assert [(stage.metric, stage.lost, stage.lost_ids) for stage in stages] == [
        (names[0], 1, ("case-1",)), (names[1], 0, ()), (names[2], 0, ()), (names[3], 1, ("case-2",)),
    ]  # fmt: skip


def test_refusals_are_counted_by_whether_there_is_an_answer(samples):
    over, abstention = "robustness.overrefusal", "robustness.abstention"
    run = samples.run(samples.summary(over, 0.5, direction="lower"), samples.summary(abstention, 0.5))
    results = [
        samples.result(0, {over: 1.0}), samples.result(1, {over: 0.0}), samples.result(2, {over: 0.0}),
        samples.result(3, {abstention: 1.0}, kind="unanswerable"),
        samples.result(4, {abstention: 0.0}, kind="unanswerable"),
        samples.result(5, {}, kind="unanswerable", status="error", error="e"),
        samples.result(6, {}, kind="injection"),
    ]  # fmt: skip
    matrix = gather(run, results).abstention
    answerable, unanswerable = matrix.answerable, matrix.unanswerable
    assert (answerable.answered, answerable.refused, answerable.unknown) == (2, 1, 0)
    assert (unanswerable.answered, unanswerable.refused, unanswerable.unknown) == (1, 1, 1)
    assert gather(run, []).abstention.is_empty


def test_the_trend_stops_at_the_run_and_stays_in_its_project(samples):
    def at(day, mean, project="handbook"):
        return samples.run(
            samples.summary(MRR, mean), run_id=f"r{day}", project=project, started_at=f"2026-01-0{day}T00:00:00+00:00"
        )

    newest_first = [at(5, 0.9), at(4, 0.1, "other"), at(3, 0.8), at(2, 0.6), at(1, 0.7)]
    [trend] = trends(newest_first[2], newest_first, (MRR, RECALL))
    assert [dot.point.mean for dot in trend.dots] == [0.7, 0.6, 0.8]
    assert trend.step == pytest.approx(0.2)
    assert trends(newest_first[-1], newest_first, (MRR,)) == ()
