"""A store that fails ends the run with the reason, and what was stored before stays."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys

import pytest


def test_a_store_that_raises_is_named(ragproof, project):
    project({"store": {"type": "full"}})
    ended = ragproof("run", "--json", with_=["ok", "stores"])
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        "error: store 'full' of ragproof-test-stores 1.0: add_results failed: OSError: [Errno 28] No space left on device\n"
    )


def test_a_store_with_the_needed_hooks_only(ragproof, project):
    project({"store": {"type": "ok_memory"}})
    ended = ragproof("run", "--json", with_=["ok"])
    assert (ended.code, ended.json["status"]) == (0, "completed")
    ended = ragproof("show", with_=["ok"])
    assert (ended.code, ended.err) == (3, "error: the store has no runs yet; make one with 'ragproof run'\n")


def test_a_store_that_keeps_no_runs_is_named(ragproof_here, project):
    project({"store": {"type": "calibrations_only"}})
    for command, hook in ((["run", "--json"], "open_run"), (["runs"], "runs"), (["show"], "runs")):
        ended = ragproof_here(*command, with_=["ok", "stores"])
        assert (ended.code, ended.out) == (2, "")
        who = "store 'calibrations_only' of ragproof-test-stores 1.0"
        assert ended.err == f"error: {who} keeps no runs: it has no {hook}; configure another store\n"


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda path: path.write_bytes(b"not a database at all" * 100), "runs.db is not a SQLite database"),
        (lambda path: path.mkdir(), "runs.db"),
    ],
    ids=["other content", "a folder"],
)
def test_a_file_that_is_no_database(ragproof, project, spoil, reason):
    folder = project({"store": "runs.db"})
    spoil(folder / "runs.db")
    for command in (["run", "--json"], ["runs"], ["show"], ["check"]):
        ended = ragproof(*command, with_=["ok"])
        assert ended.code == 2
        assert command[0] == "check" or ended.out == ""
        assert reason in ended.err


def test_a_damaged_database_keeps_what_can_be_read(ragproof, project):
    folder = project({"store": "runs.db"}, [{"id": str(n), "question": "q" * 2000} for n in range(50)])
    assert ragproof("run", with_=["ok"]).code == 0
    whole = (folder / "runs.db").read_bytes()
    (folder / "runs.db").write_bytes(whole[: len(whole) // 2])
    for command in (["run", "--json"], ["show", "--json"]):
        ended = ragproof(*command, with_=["ok"])
        assert ended.code == 2
        assert ended.err.startswith("error: ")
    assert len((folder / "runs.db").read_bytes()) == len(whole) // 2


def test_a_locked_database_is_waited_for_and_then_named(ragproof, project):
    folder = project({"store": {"type": "sqlite", "path": "runs.db", "busy_timeout_seconds": 0.3}})
    assert ragproof("run", "--label", "before", with_=["ok"]).code == 0
    connection = sqlite3.connect(folder / "runs.db", isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    ended = ragproof("run", "--json", with_=["ok"])
    connection.execute("ROLLBACK")
    connection.close()
    assert (ended.code, ended.out) == (2, "")
    assert "has been locked by another process for 0.3 s" in ended.err
    assert [row["label"] for row in ragproof("runs", "--json").json["runs"]] == ["before"]


def test_two_processes_on_one_store(environment, project, ragproof, cases):
    folder = project({"metrics": ["ok.half", "retrieval.mrr"]}, cases(300))
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "ragproof_core", "run", "--json", "--label", f"p{number}"],
            cwd=folder, env=environment("ok"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for number in range(2)
    ]  # fmt: skip
    ended = [(process.communicate(timeout=60), process.returncode) for process in processes]
    assert [(code, err) for (_, err), code in ended] == [(0, b""), (0, b"")]
    means = [[metric["mean"] for metric in json.loads(out)["metrics"]] for (out, _), _ in ended]
    assert means == [[0.5, 0.5]] * 2
    for number in range(2):
        shown = ragproof("show", f"p{number}", "--json").json
        assert [row["case_id"] for row in shown["results"]] == [f"c{n}" for n in range(1, 301)]
        assert {row["status"] for row in shown["results"]} == {"ok"}
