"""A run that is killed or interrupted keeps what was done, and resuming gives the uninterrupted result."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

PIPELINE = """
import os, time, zlib

class P:
    def retrieve(self, question, k):
        time.sleep(float(os.environ.get("PAUSE", "0")))
        number = zlib.crc32(question.encode())
        if number % 11 == 0 and not os.path.exists("mended"):
            raise RuntimeError("down")
        return [{"id": f"doc{(number + n) % 7}"} for n in range(number % 6)]

    def answer(self, question):
        return question if zlib.crc32(question.encode()) % 3 else "no"
"""
REPORTING = """
import os, sys
from ragproof_core import evaluate

evaluate("ragproof.yaml", store=True, label="killed", progress=lambda done, failed: os.write(1, b"%d\\n" % done))
"""
CASES = [
    {
        "id": f"c{n}", "question": f"question {n}", "expected_source_ids": [] if n % 9 == 0 else [f"doc{n % 7}", "doc1"],
        "expected_answer": f"question {n}", "tags": [f"t{n % 3}"],
    }
    for n in range(240)
]  # fmt: skip
CONFIG = {
    "adapter": {"type": "python", "target": "pausing_pipeline:P"},
    "metrics": ["retrieval.*", "echo.*", "ok.half", "ok.after"],
    "run": {"concurrency": 4},
}


def of_the_result(run):
    """Everything of a run that must not depend on how it was made."""
    return {key: run[key] for key in ("status", "dataset", "cases", "k", "labels", "judge", "metrics", "notes")}


@pytest.fixture
def pausing(project):
    return project(CONFIG, CASES, pausing_pipeline=PIPELINE)


@pytest.fixture
def uninterrupted(ragproof, pausing):
    (pausing / "mended").touch()
    whole = ragproof("run", "--json", "--label", "whole", with_=["ok"])
    (pausing / "mended").unlink()
    assert whole.json["cases"] == {"total": 240, "ok": 240, "error": 0, "timeout": 0}
    return of_the_result(whole.json)


def kill_at(seconds, folder, env, signal_number):
    """Start a run, send the signal after a while, and return the last count of cases that it reported as done."""
    process = subprocess.Popen([sys.executable, "-c", REPORTING], cwd=folder, env=env, stdout=subprocess.PIPE)
    process.stdout.readline()  # the first batch is safe
    time.sleep(seconds)
    process.send_signal(signal_number)
    reported = process.stdout.read()
    process.wait(30)
    process.stdout.close()
    return int(reported.split()[-1]) if reported else 0


def test_kill_at_any_moment_and_resume(ragproof, environment, pausing, uninterrupted):
    env = environment("ok", PAUSE="0.02")
    moments = random.Random(11)
    for _ in range(3):
        done = kill_at(moments.uniform(0, 0.6), pausing, env, signal.SIGKILL)
        stored = ragproof("show", "killed", "--json")
        assert (stored.code, stored.json["status"]) == (0, "running")
        kept = {row["case_id"]: row for row in stored.json["results"]}
        assert done <= len(kept) < 240
        (pausing / "mended").touch()
        resumed = ragproof("run", "--resume", "killed", "--json", with_=["ok"])
        (pausing / "mended").unlink()
        assert resumed.code == 0
        assert resumed.json["run_id"] == stored.json["run_id"]
        assert of_the_result(resumed.json) == uninterrupted
        after = {row["case_id"]: row for row in ragproof("show", "killed", "--json").json["results"]}
        assert list(after) == [case["id"] for case in CASES]
        again = {case for case, row in kept.items() if row["status"] == "ok" and after[case] != row}
        assert again == set()  # what was done well was not done again


def test_killed_twice_on_the_way(ragproof, environment, pausing, uninterrupted):
    env = environment("ok", PAUSE="0.02")
    kill_at(0.2, pausing, env, signal.SIGKILL)
    process = subprocess.Popen(
        [sys.executable, "-m", "ragproof_core", "run", "--resume", "killed"],
        cwd=pausing, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    time.sleep(0.9)
    process.kill()
    process.wait()
    (pausing / "mended").touch()
    assert of_the_result(ragproof("run", "--resume", "killed", "--json", with_=["ok"]).json) == uninterrupted


def test_interrupted_by_the_user(ragproof, environment, pausing, uninterrupted):
    process = subprocess.Popen(
        [sys.executable, "-m", "ragproof_core", "run", "--json", "--label", "stopped"],
        cwd=pausing, env=environment("ok", PAUSE="0.05"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - a background job's children ignore it
    )  # fmt: skip
    database = pausing / ".ragproof" / "ragproof.db"
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not rows_of(database, "stopped"):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 2
    assert b"Traceback" not in err
    stopped = json.loads(out)
    assert stopped["status"] == "partial"
    assert 0 < stopped["cases"]["ok"] < 240
    assert f"finish it with: ragproof run --resume {stopped['run_id']}".encode() in err
    (pausing / "mended").touch()
    finished = ragproof("run", "--resume", "stopped", "--json", with_=["ok"])
    assert (finished.code, of_the_result(finished.json)) == (0, uninterrupted)


def rows_of(database, label):
    if not database.exists():
        return 0
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        query = "SELECT count(*) FROM results JOIN runs USING (run_no) WHERE label = ?"
        return connection.execute(query, (label,)).fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        connection.close()


def test_failed_cases_are_run_again_and_the_others_are_not(ragproof, pausing, uninterrupted):
    first = ragproof("run", "--json", "--label", "half", with_=["ok"])
    failed = first.json["cases"]["error"]
    assert first.code == 0
    assert 0 < failed < 240
    (pausing / "pausing_pipeline.py").write_text(
        PIPELINE.replace("        number =", "        open('asked', 'a').write('x')\n        number =")
    )
    (pausing / "mended").touch()
    second = ragproof("run", "--resume", "half", "--json", with_=["ok"])
    assert of_the_result(second.json) == uninterrupted
    assert len((pausing / "asked").read_text()) == failed


def test_errored_metrics_are_run_again(ragproof, project):
    folder = project({"metrics": ["ok.half", "flaky"]}, flaky_metric=(
        "import os\nfrom ragproof_core import hookimpl\n"
        "class Flaky:\n    api_version = 1\n    direction = 'higher'\n"
        "    @hookimpl\n    def score(self, case):\n"
        "        if case.id == 'c2' and not os.path.exists('mended'):\n            raise RuntimeError('flaky')\n"
        "        return 1.0\n"
    ))  # fmt: skip
    info = folder / "flaky_metric-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: flaky-metric\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[ragproof.metrics]\nflaky = flaky_metric:Flaky\n")
    first = ragproof("run", "--json", with_=["ok"])
    assert [row["errors"] for row in first.json["metrics"]] == [1, 0]
    (folder / "mended").touch()
    second = ragproof("run", "--resume", "latest", "--json", with_=["ok"])
    assert [(row["scored"], row["errors"], row["mean"]) for row in second.json["metrics"]] == [(3, 0, 1.0), (3, 0, 0.5)]


CHANGES = {
    "dataset": {"dataset": "other.jsonl"},
    "adapter": {"adapter": {"type": "ok", "depth": 2}},
    "k": {"run": {"k": 3}},
    "retrieve_k": {"run": {"retrieve_k": 9}},
    "source_match": {"run": {"source_match": "document"}},
    "metrics": {"metrics": ["ok.half", "ok.deep"]},
}


@pytest.mark.parametrize("changed", CHANGES)
def test_a_changed_run_is_not_resumed(ragproof_here, project, changed):
    folder = project()
    (folder / "other.jsonl").write_text('{"id": "x", "question": "q"}\n')
    assert ragproof_here("run", "--label", "r", with_=["ok"]).code == 0
    project(CHANGES[changed])
    ended = ragproof_here("run", "--resume", "r", "--json")
    assert (ended.code, ended.out) == (3, "")
    named = "k, retrieve_k" if changed == "k" else changed
    assert f"cannot be resumed: {named} changed since it was started; undo the change" in ended.err
    project({"project": "renamed", "describe": {"a": 1}, "run": {"concurrency": 2, "case_timeout_seconds": 9}})
    assert ragproof_here("run", "--resume", "r", "--json").code == 0  # what does not decide results may change


def test_a_run_id_prefix_resumes_and_a_finished_run_stays_as_it_is(ragproof_here, project):
    project()
    first = ragproof_here("run", "--json", with_=["ok"]).json
    again = ragproof_here("run", "--resume", first["run_id"][:-2], "--json").json
    assert of_the_result(again) == of_the_result(first)
    assert again["started_at"] == first["started_at"]
    assert len(ragproof_here("runs", "--json").json["runs"]) == 1


@pytest.mark.slow
def test_kill_at_many_moments(ragproof, environment, pausing, uninterrupted):
    env = environment("ok", PAUSE="0.02")
    for moment in range(12):
        kill_at(moment * 0.1, pausing, env, signal.SIGKILL)
        (pausing / "mended").touch()
        assert of_the_result(ragproof("run", "--resume", "killed", "--json", with_=["ok"]).json) == uninterrupted
        os.unlink(pausing / "mended")


def test_a_killed_run_says_how_to_finish_it(ragproof, project):
    folder = project()
    assert ragproof("run", "--label", "cut", with_=["ok"]).code == 0
    connection = sqlite3.connect(folder / ".ragproof" / "ragproof.db")
    with connection:
        connection.execute("UPDATE runs SET status = 'running'")
    connection.close()
    shown = ragproof("show", "cut")
    assert shown.code == 0
    assert "not finished: " in shown.out
    assert "finish it with: ragproof run --resume " in shown.out
