"""Calls that never return: the case or the metric is given up, the rest goes on, the process ends."""

from __future__ import annotations

import time

import pytest


def questions(*names):
    return [{"id": name, "question": name, "expected_source_ids": [name]} for name in names]


def statuses(ended):
    return {row["case_id"]: row["status"] for row in ended.json["results"]}


def metric(ended, name):
    (found,) = [row for row in ended.json["metrics"] if row["metric"] == name]
    return found


MANY = [f"q{n}" for n in range(12)]


@pytest.mark.parametrize(
    ("adapter", "stuck"),
    [("pooled", "hang"), ("one_at_a_time", "hang"), ("blocking", "block"), ("blocking", "block inside")],
)
def test_exactly_the_stuck_case_times_out_and_the_process_ends(ragproof, project, adapter, stuck):
    project(
        {"adapter": {"type": adapter}, "metrics": ["retrieval.mrr"], "run": {"case_timeout_seconds": 1.0}},
        questions(*MANY[:4], stuck, *MANY[4:]),
    )
    start = time.monotonic()
    ended = ragproof("run", "--json", with_=["adapters"], timeout=30)
    assert time.monotonic() - start < 15
    assert ended.code == 0
    assert ended.json["cases"] == {"total": 13, "ok": 12, "error": 0, "timeout": 1}
    assert metric(ended, "retrieval.mrr")["mean"] == 1.0
    assert metric(ended, "retrieval.mrr")["errors"] == 1
    shown = ragproof("show", "--json")
    assert {case for case, status in statuses(shown).items() if status != "ok"} == {stuck}
    (row,) = [row for row in shown.json["results"] if row["case_id"] == stuck]
    assert row["error"] == "the adapter did not return within 1 s"
    assert row["scores"] == {}
    if adapter == "blocking":
        assert ended.err.count("closed one of 2") == 1  # the one in use; the blocked one is left alone


def test_several_cases_that_block_the_loop_are_told_apart(ragproof, project):
    project(
        {"adapter": {"type": "blocking"}, "metrics": ["retrieval.mrr"], "run": {"case_timeout_seconds": 0.5}},
        [
            {"id": str(n), "question": "block" if n in (2, 9) else f"q{n}", "expected_source_ids": ["x"]}
            for n in range(20)
        ],
    )
    assert ragproof("run", with_=["adapters"], timeout=30).code == 0
    found = statuses(ragproof("show", "--json"))
    assert {case for case, status in found.items() if status == "timeout"} == {"2", "9"}
    assert {case for case, status in found.items() if status == "ok"} == {str(n) for n in range(20)} - {"2", "9"}


def test_a_case_that_hangs_in_async_code_leaves_the_others_alone(ragproof, project):
    project(
        {
            "adapter": {"type": "python", "target": "sleepy_pipeline:P"},
            "metrics": ["retrieval.mrr"],
            "run": {"case_timeout_seconds": 0.5, "concurrency": 4},
        },
        questions(*MANY, "hang"),
        sleepy_pipeline=(
            "import asyncio\n"
            "class P:\n"
            "    async def retrieve(self, question):\n"
            "        if question == 'hang':\n            await asyncio.to_thread(__import__('time').sleep, 600)\n"
            "        return [{'id': question}]\n"
            "    async def close(self):\n        await asyncio.sleep(0)\n"
        ),
    )
    ended = ragproof("run", "--json", timeout=30)
    assert (ended.code, ended.json["cases"]["ok"], ended.json["cases"]["timeout"]) == (0, 12, 1)


def test_a_metric_that_hangs_loses_only_its_own_value(ragproof, project):
    project({"metrics": ["bad.hangs", "ok.half", "ok.after"], "run": {"case_timeout_seconds": 0.5}})
    ended = ragproof("run", "--json", with_=["ok", "metrics"], timeout=30)
    assert (ended.code, ended.json["cases"]) == (0, {"total": 3, "ok": 3, "error": 0, "timeout": 0})
    assert (metric(ended, "ok.half")["scored"], metric(ended, "ok.after")["scored"]) == (3, 3)
    hung = metric(ended, "bad.hangs")
    assert (hung["scored"], hung["errors"]) == (2, 1)
    assert hung["error_reasons"] == {"bad.hangs did not return within 0.5 s": 1}


def test_every_case_hangs_and_the_run_still_ends(ragproof, project):
    project(
        {
            "adapter": {"type": "python", "target": "dead_pipeline:P"},
            "metrics": ["retrieval.mrr"],
            "run": {"case_timeout_seconds": 0.3, "concurrency": 4},
        },
        questions(*MANY[:8]),
        dead_pipeline="import threading\nclass P:\n    def retrieve(self, question):\n        threading.Event().wait(600)\n",
    )
    start = time.monotonic()
    ended = ragproof("run", "--json", timeout=30)
    assert time.monotonic() - start < 15
    assert ended.code == 2
    assert ended.json["cases"] == {"total": 8, "ok": 0, "error": 0, "timeout": 8}


def test_a_close_that_never_returns_is_given_up(ragproof, project):
    project({"adapter": {"type": "hangs_closing"}, "metrics": ["retrieval.mrr"]})
    ended = ragproof("run", "--json", with_=["adapters"], timeout=30)
    assert (ended.code, ended.json["status"]) == (0, "completed")
    assert ended.err == (
        "warning: adapter 'hangs_closing' of ragproof-test-adapters 1.0: closing it did not return within 5 s\n"
    )


def test_check_gives_up_too(ragproof, project):
    project(
        {"adapter": {"type": "pooled"}, "metrics": ["retrieval.mrr"], "run": {"case_timeout_seconds": 0.5}},
        questions("hang"),
    )
    ended = ragproof("check", with_=["adapters"], timeout=30)
    assert ended.code == 2
    assert ended.err == "error: adapter: asked 'hang', it did not return within 0.5 s\n"


def test_max_concurrency_of_one_never_overlaps(ragproof, project):
    project(
        {"adapter": {"type": "one_at_a_time"}, "metrics": ["retrieval.mrr"], "run": {"concurrency": 16}},
        questions(*(f"q{n}" for n in range(60))),
    )
    ended = ragproof("run", "--json", with_=["adapters"])
    assert ended.json["cases"] == {"total": 60, "ok": 60, "error": 0, "timeout": 0}


def test_the_environment_caps_cases_in_flight(ragproof, project):
    project(
        {"adapter": {"type": "python", "target": "crowded_pipeline:P"}, "metrics": ["retrieval.mrr"]},
        questions(*MANY),
        crowded_pipeline=(
            "import threading, time\n"
            "class P:\n"
            "    inside = 0\n"
            "    lock = threading.Lock()\n"
            "    def retrieve(self, question):\n"
            "        with self.lock:\n            P.inside += 1\n            most = P.inside\n"
            "        time.sleep(0.02)\n"
            "        with self.lock:\n            P.inside -= 1\n"
            "        return [{'id': question}] if most <= 2 else []\n"
        ),
    )
    capped = ragproof("run", "--json", RAGPROOF_MAX_CONCURRENCY="2")
    assert metric(capped, "retrieval.mrr")["mean"] == 1.0
    assert metric(ragproof("run", "--json"), "retrieval.mrr")["mean"] < 1.0
