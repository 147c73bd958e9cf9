"""What is stored comes back exactly."""

import dataclasses
import math
import sqlite3
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from ragproof_store_sqlite import Settings, SqliteStore

from ragproof_core.models.outcome import Outcome, error, judge_error, not_applicable, scored, skipped
from ragproof_core.models.response import Chunk
from ragproof_core.models.run import (
    CacheEntry,
    Calibration,
    CaseResult,
    DatasetInfo,
    RunRecord,
    RunSettings,
    Summary,
    TagSummary,
)

HOSTILE = {
    "chinese": "办公室在波恩，不在柏林",
    "arabic": "المكتب ليس في برلين",
    "emoji": "👩🏽‍🚀 rocket",
    "curly": "“don’t” — it’s",
    "line separators": "a\u2028b\u2029c\x85d\r\ne",
    "nul": "before\0after\0",
    "lone high": "x\ud83dy",
    "lone low": "\ude00",
    "two halves of a pair": "\ud83d\ude00",
    "sql": "'; DROP TABLE results; --",
    "json": '{"a": [1, "\\"]}',
    "not a number": "NaN Infinity -Infinity",
    "empty": "",
    "long": "word " * 400_000,
}
texts = pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())


@texts
def test_text_of_every_kind_comes_back_wherever_it_stands(stored, make_result, text):
    chunk_id = "id" if text == "" or any("\ud800" <= c <= "\udfff" for c in text) else text  # all that Chunk accepts
    result = make_result(
        case_id=text or "id",
        question=text,
        expected_answer=text,
        expected_source_ids=(text, "b"),
        tags=(text,),
        error=text,
        answer_text=text,
        retrieved=(Chunk(chunk_id, text, 0.5, {"document_id": text, text: [text]}),),
        context=(Chunk("id", text),),
        citations=(text,),
        judge_raw={"m": text, text: "x"},
        scores={
            "note": scored(1.0, text),
            "skip": skipped(text),
            "na": not_applicable(text),
            "judge": judge_error(text),
            "error": error(text),
            text: scored(0.25),
        },
    )
    assert stored(result) == [result]


@texts
def test_text_of_every_kind_comes_back_in_runs_cache_and_calibrations(store, make_run, text):
    run = make_run(
        run_id=text or "id",
        project=text,
        label=text,
        dataset=DatasetInfo(text, text, 1, {text: 1}),
        describe={text: text},
        judge={"model": text},
        plugins={text: text},
        metrics=(text,),
        fingerprint={text: text},
        notes=(text,),
    )
    store.open_run(run)
    store.cache_put([CacheEntry(text, text, text, text, text)])
    calibration = Calibration({"model": text}, text, ({"prompt": text},))
    store.add_calibration(calibration)
    assert store.runs() == [run]
    assert store.cache_get([text, "other"]) == {text: text}
    assert store.calibrations() == [calibration]


def test_every_field_of_a_result_is_filled_and_comes_back(stored, make_result):
    full = make_result(
        index=7,
        case_id="full",
        kind="unanswerable",
        status="timeout",
        scores={"b": scored(1 / 3), "a": skipped("no judge"), "c": scored(0.0, "why")},
        question="Where?",
        expected_answer="Bonn",
        expected_source_ids=("d1", "d2"),
        tags=("numeric", "table"),
        error="timeout: 60 s",
        answer_text="Berlin",
        retrieved=(Chunk("c1", "one", 0.1 + 0.2, {"n": 1, "list": [1.5, None, True]}), Chunk("c2")),
        context=(Chunk("c2", "two", -1e-300),),
        citations=("c1",),
        duration_ms=1234.5678901234567,
        timings_ms={"retrieve": 0.1, "total": 1e22},
        judge_raw={"a": '{"supported": true}'},
    )
    unfilled = [
        field.name
        for field in dataclasses.fields(CaseResult)
        if field.default is not dataclasses.MISSING and getattr(full, field.name) == field.default
    ]
    (back,) = stored(full)
    assert (back, list(back.scores), unfilled) == (full, ["b", "a", "c"], [])


def test_none_and_empty_stay_apart(stored, make_result):
    results = [
        make_result(0, retrieved=None, context=None, answer_text=None, expected_answer=None, error=None),
        make_result(1, retrieved=(), context=(), answer_text="", expected_answer="", error=""),
        make_result(2, scores={}),
        make_result(3, scores={"m": Outcome("skipped"), "n": Outcome("skipped", None, "")}),
    ]
    assert stored(*results) == results


def test_chunk_scores_that_are_no_number_become_null_and_infinities_stay(stored, make_result):
    scores = (math.nan, math.inf, -math.inf, None, 5e-324)
    (back,) = stored(make_result(retrieved=tuple(Chunk("c", "t", score) for score in scores)))
    assert [chunk.score for chunk in back.retrieved] == [None, math.inf, -math.inf, None, 5e-324]


def test_metadata_without_a_json_form_is_kept_as_text(stored, make_result):
    deep = inner = []
    for _ in range(5000):
        inner.append([])
        inner = inner[0]
    circle: dict = {}
    circle["self"] = circle
    metadata = {"when": date(2026, 1, 2), "both": {"x": math.nan, "when": date(2026, 1, 2)}, 3: (1, 2)}
    metadata |= {"object": ValueError("odd"), "raw": b"\xff", "deep": deep, "circle": circle, "big": 10**30}
    (back,) = stored(make_result(retrieved=(Chunk("c", "t", None, metadata),)))
    data = back.retrieved[0].metadata
    assert data["when"] == "2026-01-02"
    assert data["both"] == {"x": None, "when": "2026-01-02"}
    assert (data["3"], data["object"], data["raw"], data["big"]) == ([1, 2], "odd", "b'\\xff'", 10**30)
    assert "…" in str(data["deep"])
    assert "…" in str(data["circle"])


@pytest.mark.parametrize("value", [0.0, 1.0, 0.1 + 0.2, 1 / 3, 5e-324, -1.5, 1.7976931348623157e308])
def test_values_keep_all_their_bits(stored, make_result, value):
    (back,) = stored(make_result(scores={"m": scored(value), "n": scored(value, "note")}))
    assert [outcome.value.hex() for outcome in back.scores.values()] == [value.hex()] * 2


def test_a_value_that_the_kernel_never_lets_through_damages_nothing(stored, make_result):
    odd = {"nan": scored(math.nan), "inf": scored(math.inf), "none": Outcome("scored"), "int": scored(1)}
    odd["skip"] = Outcome("skipped", 0.5, "valued")
    (back,) = stored(make_result(scores=odd))
    assert back.scores["nan"] == Outcome("scored", None, None)
    assert (back.scores["inf"].value, back.scores["none"].value, back.scores["int"].value) == (math.inf, None, 1.0)
    assert back.scores["skip"] == odd["skip"]


def test_more_reasons_than_are_shared_and_more_than_are_remembered(stored, make_result):
    results = [
        make_result(i, scores={f"m{j}": skipped(f"reason {i} {j}") for j in range(40)} | {"n": scored(i, f"note {i}")})
        for i in range(300)
    ]
    results += [make_result(300, scores={"m": skipped("r" * 5000)}), make_result(301, scores=results[0].scores)]
    assert stored(*results) == results


def test_more_text_than_is_remembered(stored, make_result):
    results = [make_result(i, retrieved=(Chunk("c", f"{i % 12} " * 500_000),)) for i in range(24)]
    assert stored(*results) == results


words = st.text(st.characters(), max_size=8)
numbers = st.floats(allow_nan=False)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | numbers | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
chunks = st.builds(
    Chunk,
    id=st.text(st.characters(codec="utf-8"), min_size=1, max_size=8),
    text=words,
    score=st.none() | numbers,
    metadata=st.dictionaries(words, plain, max_size=3),
)
outcomes = st.builds(scored, numbers, st.none() | words) | st.builds(
    Outcome, st.sampled_from(["skipped", "not_applicable", "judge_error", "error"]), st.none(), st.none() | words
)
many_chunks = st.none() | st.lists(chunks, max_size=3).map(tuple)
word_tuples = st.lists(words, max_size=3).map(tuple)
case_results = st.builds(
    CaseResult,
    index=st.integers(0, 2**40),
    case_id=words,
    kind=st.sampled_from(["qa", "unanswerable", "injection"]),
    status=st.sampled_from(["ok", "error", "timeout"]),
    scores=st.dictionaries(words, outcomes, max_size=6),
    question=words,
    expected_answer=st.none() | words,
    expected_source_ids=word_tuples,
    tags=word_tuples,
    error=st.none() | words,
    answer_text=st.none() | words,
    retrieved=many_chunks,
    context=many_chunks,
    citations=word_tuples,
    duration_ms=numbers,
    timings_ms=st.dictionaries(words, numbers, max_size=3),
    judge_raw=st.dictionaries(words, words, max_size=2),
)


@pytest.fixture(scope="module")
def shared_store(tmp_path_factory):
    store = SqliteStore(Settings(path=tmp_path_factory.mktemp("shared") / "ragproof.db"))
    yield store
    store.close()


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(results=st.lists(case_results, max_size=4, unique_by=lambda result: result.index), run_id=words)
def test_any_results_come_back_in_index_order(shared_store, make_run, results, run_id):
    before = {result.index: result for result in shared_store.results(run_id)}
    shared_store.open_run(make_run(run_id))
    shared_store.add_results(run_id, results)
    expected = before | {result.index: result for result in results}
    assert list(shared_store.results(run_id)) == [expected[index] for index in sorted(expected)]


@pytest.fixture
def summary():
    return Summary(
        metric="retrieval.mrr",
        direction="higher",
        unit="",
        mean=1 / 3,
        p50=0.5,
        p95=None,
        p99=1.0,
        ci95=(0.1 + 0.2, 0.7),
        scored=2,
        skipped=1,
        not_applicable=3,
        errors=4,
        values={"f1": 2 / 3, "coverage": None},
        skip_reasons={"case has no expected_source_ids": 1},
        error_reasons={"boom": 4},
        tags={"numeric": TagSummary(0.5, 2), "table": TagSummary(None, 0)},
    )


def test_a_finished_run_comes_back_with_its_summaries_in_order(store, make_run, summary):
    bare = Summary("a.first", "none", "ms", None, None, None, None, None, 0, 0, 0, 0)
    run = make_run(
        label="main",
        settings=RunSettings(k=7, retrieve_k=50, source_match="document", concurrency=3, case_timeout_seconds=1.5),
        describe={"embed": "bge", "chunk": [800, 120], "deep": {"x": None}},
        judge={"type": "openai", "model": "m", "prompts": {"p": "sha"}},
        plugins={"ragproof-metrics-echo": "0.1.0"},
        metrics=("retrieval.mrr", "a.first"),
        fingerprint={"judge": "digest"},
    )
    store.open_run(run)
    final = dataclasses.replace(
        run, ended_at="2026-01-01T01:00:00+00:00", duration_s=3600.25, cases={"total": 3, "ok": 3}
    )
    final = dataclasses.replace(final, notes=("judge refused temperature",))
    store.finish_run("run-1", "completed", [summary, bare], 0.1 + 0.2, final)
    expected = dataclasses.replace(final, status="completed", summaries=(summary, bare), cost_usd=0.1 + 0.2)
    assert store.runs() == [expected]
    store.finish_run("run-1", "partial", [bare], 0.0, final)
    assert [(run.status, run.summaries) for run in store.runs()] == [("partial", (bare,))]


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        (RunRecord, 18),
        (DatasetInfo, 4),
        (RunSettings, 5),
        (CaseResult, 17),
        (Summary, 16),
        (TagSummary, 2),
        (CacheEntry, 5),
        (Calibration, 3),
        (Chunk, 4),
    ],
)
def test_a_field_that_the_kernel_gains_is_noticed_here(model, fields):
    assert len(dataclasses.fields(model)) == fields


def test_the_file_is_plain_text_for_other_tools_except_for_lone_surrogates(stored, make_result, database):
    stored(make_result(0, answer_text="Grüße"), make_result(1, answer_text="x\ud83d"))
    with sqlite3.connect(database) as connection:
        rows = connection.execute("SELECT typeof(answer_text), answer_text FROM results ORDER BY position").fetchall()
    connection.close()
    assert rows == [("text", "Grüße"), ("blob", b"x\xed\xa0\xbd")]
