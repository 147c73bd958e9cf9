"""``evaluate()``: its arguments, its report, and the loops it works inside."""

from __future__ import annotations

import asyncio
import sys
import threading

import pytest
import yaml

from ragproof_core import Case, ConfigError, evaluate
from ragproof_core.errors import DatasetError

CASES = [
    {"id": "c1", "question": "a", "expected_source_ids": ["a"], "expected_answer": "a", "tags": ["t"]},
    {"id": "c2", "question": "b", "expected_source_ids": ["a"], "expected_answer": "a"},
    {"id": "c3", "question": "fail", "expected_source_ids": ["a"], "expected_answer": "a"},
]


class Pipeline:
    closed = 0

    def retrieve(self, question, k):
        if question == "fail":
            raise RuntimeError("no index")
        return [{"id": question, "text": "t", "score": 1}]

    def answer(self, question):
        return question


class AsyncPipeline:
    async def retrieve(self, question, k):
        await asyncio.sleep(0)
        return Pipeline().retrieve(question, k)

    async def answer(self, question):
        await asyncio.sleep(0)
        return question


METRICS = ["retrieval.mrr", "echo.exact_match"]


def check(report):
    assert [(row.case_id, row.status, row.error) for row in report] == [
        ("c1", "ok", None), ("c2", "ok", None), ("c3", "error", "RuntimeError: no index"),
    ]  # fmt: skip
    assert (report["retrieval.mrr"].mean, report["retrieval.mrr"].scored, report["retrieval.mrr"].errors) == (0.5, 2, 1)
    assert (report["echo.exact_match"].mean, report["echo.exact_match"].errors) == (0.5, 1)
    assert report.run.status == "completed"
    assert report.run.cases == {"total": 3, "ok": 2, "error": 1, "timeout": 0}


@pytest.mark.parametrize("adapter", [Pipeline(), AsyncPipeline()], ids=["sync", "async"])
def test_objects_in_a_plain_script(adapter):
    check(evaluate(cases=CASES, adapter=adapter, metrics=METRICS))


@pytest.mark.parametrize("adapter", [Pipeline(), AsyncPipeline()], ids=["sync", "async"])
@pytest.mark.parametrize("kind", ["asyncio", "uvloop"])
def test_inside_a_running_loop_which_is_left_as_it_was(adapter, kind):
    if kind == "uvloop":
        loop = pytest.importorskip("uvloop").new_event_loop()
    else:
        loop = asyncio.new_event_loop()
    methods = {name: getattr(type(loop), name) for name in ("run_until_complete", "run_forever", "create_task")}

    async def notebook_cell():
        before = asyncio.get_running_loop()
        report = evaluate(cases=CASES, adapter=adapter, metrics=METRICS)
        assert asyncio.get_running_loop() is before
        await asyncio.sleep(0)
        return report

    try:
        check(loop.run_until_complete(notebook_cell()))
    finally:
        loop.close()
    assert methods == {name: getattr(type(loop), name) for name in methods}


def test_from_a_thread_that_is_not_the_main_one():
    reports = []
    thread = threading.Thread(target=lambda: reports.append(evaluate(cases=CASES, adapter=Pipeline(), metrics=METRICS)))
    thread.start()
    thread.join(30)
    check(reports[0])


def test_no_thread_is_left_behind():
    before = set(threading.enumerate())
    evaluate(cases=CASES, adapter=AsyncPipeline(), metrics=METRICS)
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
        assert not thread.is_alive()


def test_all_calls_of_an_async_pipeline_share_one_loop():
    class Pipeline:
        def __init__(self):
            self.loops = set()

        async def retrieve(self, question):
            self.loops.add(asyncio.get_running_loop())
            return []

    for _ in range(10):
        pipeline = Pipeline()
        evaluate(cases=[{"id": n, "question": "q"} for n in range(8)], adapter=pipeline, metrics="retrieval.mrr")
        assert len(pipeline.loops) == 1


def test_the_report():
    report = evaluate(cases=CASES, adapter=Pipeline(), metrics=METRICS, label="mine")
    text = str(report)
    assert text.splitlines()[0].endswith(f"run {report.run.run_id} (mine) · completed")
    assert "retrieval.mrr" in text
    assert repr(report) == f"<Report of run {report.run.run_id}: completed, 3 rows>"
    found = report.to_dict()
    assert (found["label"], len(found["results"]), found["metrics"][0]["metric"]) == ("mine", 3, "echo.exact_match")
    with pytest.raises(KeyError, match=r"nothing; this run has: echo\.exact_match, retrieval\.mrr"):
        _ = report["nothing"]
    assert report["retrieval.mrr"].tags["t"].mean == 1.0


def test_progress_and_limit():
    calls = []
    report = evaluate(
        cases=CASES, adapter=Pipeline(), metrics=METRICS, limit=2, progress=lambda *done: calls.append(done)
    )
    assert len(report.rows) == 2
    assert calls[-1] == (2, 0)


def write(tmp_path, **config):
    (tmp_path / "own_pipeline_of_evaluate.py").write_text(
        "class P:\n    def retrieve(self, question):\n        return [{'id': question}]\n"
    )
    (tmp_path / "cases.jsonl").write_text('{"id": "c1", "question": "a", "expected_source_ids": ["a"]}\n')
    whole = {
        "project": "p", "dataset": "cases.jsonl", "metrics": ["retrieval.mrr"],
        "adapter": {"type": "python", "target": "own_pipeline_of_evaluate:P"}, **config,
    }  # fmt: skip
    (tmp_path / "ragproof.yaml").write_text(yaml.safe_dump(whole))
    return tmp_path / "ragproof.yaml"


@pytest.fixture
def path_kept(monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))


def test_a_config_file_and_nothing_on_disk_unless_asked(tmp_path, path_kept):
    config = write(tmp_path)
    assert evaluate(config)["retrieval.mrr"].mean == 1.0
    assert not (tmp_path / ".ragproof").exists()
    assert evaluate(str(config), store=True)["retrieval.mrr"].mean == 1.0
    assert (tmp_path / ".ragproof" / "ragproof.db").exists()
    evaluate(config, store=tmp_path / "other.db")
    assert (tmp_path / "other.db").exists()


def test_arguments_override_the_config(tmp_path, path_kept):
    report = evaluate(
        write(tmp_path), cases=[Case(id="x", question="q")], adapter=Pipeline(), metrics="echo.*", label="l"
    )
    assert [row.case_id for row in report] == ["x"]
    assert [summary.metric for summary in report.run.summaries] == ["echo.exact_match"]
    assert (report.run.label, report.run.project) == ("l", "p")


def test_a_mapping_is_a_config(tmp_path):
    report = evaluate({"run": {"k": 2}, "project": "m"}, cases=CASES[:1], adapter=Pipeline(), metrics=METRICS)
    assert (report.run.settings.k, report.run.project) == (2, "m")


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        (
            {"cases": CASES},
            ConfigError,
            "adapter: is required; it says how to reach your pipeline, see 'ragproof init'",
        ),
        ({"adapter": Pipeline()}, ConfigError, "dataset: is required; name a JSON Lines file in the config, or with"),
        ({"adapter": Pipeline(), "cases": []}, DatasetError, "cases: there are no cases to run"),
        ({"adapter": Pipeline(), "cases": CASES, "store": 5}, ConfigError, "store: expected True or a path, found int"),
        ({"adapter": Pipeline(), "cases": CASES, "metrics": "nope"}, ConfigError, "no metric is called 'nope'"),
        ({"adapter": Pipeline(), "cases": "none.jsonl"}, DatasetError, "none.jsonl: no such file"),
        ({"config": {"adaptr": 1}}, ConfigError, "config: adaptr: unknown key; did you mean 'adapter'?"),
        ({"config": "none.yaml"}, ConfigError, "none.yaml: no such file"),
    ],
)
def test_what_is_wrong_is_said_before_anything_runs(arguments, kind, message):
    with pytest.raises(kind) as caught:
        evaluate(**arguments)
    assert str(caught.value).startswith(message)


def test_an_objects_close_is_left_to_its_owner():
    class Closing(Pipeline):
        closings = 0

        def close(self):
            self.closings += 1

    pipeline = Closing()
    evaluate(cases=CASES, adapter=pipeline, metrics=METRICS)
    assert pipeline.closings == 0
