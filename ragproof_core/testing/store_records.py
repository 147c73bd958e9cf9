"""Runs and results for the store suite, in which every field says where it belongs."""

from __future__ import annotations

from typing import Any

from ragproof_core.models.outcome import error, judge_error, not_applicable, scored, skipped
from ragproof_core.models.response import Chunk
from ragproof_core.models.run import CaseResult, DatasetInfo, RunRecord, RunSettings, Summary, TagSummary

RUN_ID = "run-1"


def run_record(run_id: str = RUN_ID, **fields: Any) -> RunRecord:
    """Return a run that has just started."""
    defaults: dict[str, Any] = {
        "project": "handbook",
        "label": None,
        "status": "running",
        "started_at": "2026-01-01T00:00:00+00:00",
        "dataset": DatasetInfo("cases", "a" * 64, 3, {"qa": 3}),
        "settings": RunSettings(),
        "describe": {},
        "judge": None,
        "plugins": {},
        "metrics": ("m", "s"),
        "fingerprint": {},
    }
    return RunRecord(run_id=run_id, **(defaults | fields))


def case_result(index: int = 0, run_id: str = RUN_ID, **fields: Any) -> CaseResult:
    """Return a small result that can be told from every other one."""
    defaults: dict[str, Any] = {
        "case_id": f"case-{index}",
        "kind": "qa",
        "status": "ok",
        "scores": {"m": scored(index / 7), "s": skipped(f"reason {index % 5}")},
        "question": f"Question {index}?",
        "answer_text": f"{run_id} {index}",
        "retrieved": tuple(Chunk(f"c{rank}", f"text {rank} of {index}", 1 / (rank + 1)) for rank in range(3)),
    }
    return CaseResult(index=index, **(defaults | fields))


def full_run() -> RunRecord:
    """Return a finished run with every field filled in."""
    return run_record(
        label="main",
        status="completed",
        dataset=DatasetInfo("cases", "b" * 64, 3, {"qa": 2, "injection": 1}),
        settings=RunSettings(k=7, retrieve_k=50, source_match="document", concurrency=3, case_timeout_seconds=1.5),
        describe={"embed": "bge", "chunk": [800, 120], "deep": {"x": None}},
        judge={"type": "openai", "model": "m", "prompts": {"p": "sha"}},
        plugins={"ragproof-metrics-echo": "0.1.0"},
        metrics=("retrieval.mrr", "a.first"),
        fingerprint={"judge": "digest", "dataset": "digest"},
        ended_at="2026-01-01T01:00:00+00:00",
        duration_s=3600.25,
        cost_usd=0.1 + 0.2,
        summaries=(full_summary(), Summary("a.first", "none", "ms", *(None,) * 5, 0, 0, 0, 0)),
        cases={"total": 3, "ok": 2, "error": 1, "timeout": 0},
        notes=("temperature left out",),
    )


def full_summary() -> Summary:
    """Return a summary with every field filled in."""
    return Summary(
        metric="retrieval.mrr",
        direction="higher",
        unit="share",
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


def full_result() -> CaseResult:
    """Return a result with every field filled in."""
    return CaseResult(
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


def result_of_text(text: str) -> CaseResult:
    """Return a result with the text in every place that takes one."""
    sendable = text.encode("utf-8", "replace").decode() or "id"  # chunk ids are valid UTF-8 and not empty
    return CaseResult(
        index=0,
        case_id=text or "id",
        kind="qa",
        status="ok",
        scores={
            "note": scored(1.0, text),
            "skip": skipped(text),
            "na": not_applicable(text),
            "judge": judge_error(text),
            "error": error(text),
        },
        question=text,
        expected_answer=text,
        expected_source_ids=(text, "b"),
        tags=(text,),
        error=text,
        answer_text=text,
        retrieved=(Chunk(sendable, text, 0.5, {"document_id": text, "more": {text: [text]}}),),
        context=(Chunk("id", text),),
        citations=(text,),
        judge_raw={"m": text},
    )
