"""Runs made of plain scores, and a project whose store is a real component that keeps them in memory."""

import importlib
import json
import sys
from dataclasses import dataclass, replace

import pytest
from ragproof_gate import RunScores, scores_of

from ragproof_core import cli
from ragproof_core.models.outcome import Outcome, scored, skipped
from ragproof_core.models.response import Chunk
from ragproof_core.models.run import CaseResult, DatasetInfo, RunRecord, RunSettings, Summary, TagSummary
from ragproof_core.statistics import mean, mean_interval

LOWER = ("robustness.overrefusal", "operational.latency_ms")
NONE = ("generation.answer_tokens",)
UNITS = {"operational.latency_ms": "ms", "generation.answer_tokens": "tokens"}

STORE_MODULE = """
from ragproof_core.hookspecs import hookimpl

RUNS, RESULTS, CALIBRATIONS = {}, {}, []


class MemoryStore:
    api_version = 1

    @hookimpl
    def open_run(self, run):
        RUNS[run.run_id] = run

    @hookimpl
    def add_results(self, run_id, results):
        RESULTS.setdefault(run_id, []).extend(results)

    @hookimpl
    def finish_run(self, run_id, status, summaries, cost_usd, run):
        RUNS[run_id] = run

    @hookimpl
    def runs(self):
        return sorted(RUNS.values(), key=lambda run: run.started_at, reverse=True)

    @hookimpl
    def results(self, run_id):
        yield from sorted(RESULTS.get(run_id, []), key=lambda result: result.index)

    @hookimpl
    def cache_get(self, keys):
        return {}

    @hookimpl
    def cache_put(self, entries):
        pass

    @hookimpl
    def add_calibration(self, calibration):
        CALIBRATIONS.insert(0, calibration)

    @hookimpl
    def calibrations(self):
        return list(CALIBRATIONS)
"""


@dataclass(frozen=True)
class Stored:
    """A run as a store has it."""

    run: RunRecord
    results: tuple[CaseResult, ...]

    @property
    def scores(self) -> RunScores:
        return scores_of(self.run, self.results)


def _summary(metric, values, tags, errors, others):
    found = list(values.values())
    by_tag = {
        tag: [values[case_id] for case_id in sorted(cases) if case_id in values] for tag, cases in sorted(tags.items())
    }
    return Summary(
        metric=metric,
        direction="lower" if metric in LOWER else "none" if metric in NONE else "higher",
        unit=UNITS.get(metric, "share"),
        mean=mean(found),
        p50=None,
        p95=None,
        p99=None,
        ci95=mean_interval(found),
        scored=len(found),
        skipped=others.get("skipped", 0),
        not_applicable=others.get("not_applicable", 0),
        errors=errors + others.get("error", 0) + others.get("judge_error", 0),
        skip_reasons={"case has no keywords": others["skipped"]} if others.get("skipped") else {},
        error_reasons={"reply cut off": others["judge_error"]} if others.get("judge_error") else {},
        tags={tag: TagSummary(mean(part), len(part)) for tag, part in by_tag.items()},
    )


def stored(run_id, scores, *, tags=None, failed=(), outcomes=None, answers=None, **changes):
    """A run of {metric: {case id: score}}; `outcomes` are other outcomes, `failed` cases that timed out."""
    tags = {tag: frozenset(cases) for tag, cases in (tags or {}).items()}
    outcomes = outcomes or {}
    case_ids = list(dict.fromkeys([c for part in (*scores.values(), *outcomes.values()) for c in part] + list(failed)))
    results = []
    for index, case_id in enumerate(case_ids):
        found = {metric: scored(values[case_id]) for metric, values in scores.items() if case_id in values}
        found |= {metric: part[case_id] for metric, part in outcomes.items() if case_id in part}
        bad = case_id in failed
        results.append(
            CaseResult(
                index=index,
                case_id=case_id,
                kind="qa",
                status="timeout" if bad else "ok",
                error="no answer within 60 s" if bad else None,
                scores={} if bad else found,
                question=f"Question {case_id}?",
                answer_text=None if bad else (answers or {}).get(case_id, f"{run_id} says {case_id}"),
                retrieved=None if bad else (Chunk(f"chunk-{run_id}"),),
                tags=tuple(tag for tag, cases in tags.items() if case_id in cases),
            )
        )
    summaries = []
    for metric in dict.fromkeys([*scores, *outcomes]):
        others = [outcome.status for outcome in outcomes.get(metric, {}).values()]
        counts = {status: others.count(status) for status in set(others)}
        summaries.append(_summary(metric, scores.get(metric, {}), tags, len(failed), counts))
    record = RunRecord(
        run_id=run_id,
        project="handbook",
        label=None,
        status="completed",
        started_at=f"2026-01-01T00:00:00+00:00#{run_id}",
        dataset=DatasetInfo("cases.jsonl", "d" * 64, len(case_ids)),
        settings=RunSettings(),
        describe={},
        judge=None,
        plugins={},
        metrics=tuple(summary.metric for summary in summaries),
        fingerprint={},
        summaries=tuple(summaries),
        cases={"total": len(case_ids), "ok": len(case_ids) - len(failed), "error": 0, "timeout": len(failed)},
    )
    return Stored(replace(record, **changes), tuple(results))


@pytest.fixture(name="stored", scope="session")
def stored_fixture():
    return stored


@pytest.fixture(scope="session")
def judge_error():
    return Outcome("judge_error", None, "reply cut off")


@pytest.fixture(scope="session")
def no_keywords():
    return skipped("case has no keywords")


@dataclass
class Outputs:
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


class ProjectInMemory:
    """A folder with a ragproof.yaml, a store plugin found by its entry point, and the command line on it."""

    def __init__(self, folder, store, capfd):
        self.folder, self.store, self._capfd = folder, store, capfd

    def keep(self, *runs):
        for kept in runs:
            self.store.RUNS[kept.run.run_id] = kept.run
            self.store.RESULTS[kept.run.run_id] = list(kept.results)

    def write(self, gate=""):
        (self.folder / "ragproof.yaml").write_text(f"project: handbook\nstore: {{type: memory}}\n{gate}", "utf-8")

    def __call__(self, *arguments):
        self._capfd.readouterr()
        code = cli.run_line([*arguments, "-c", str(self.folder / "ragproof.yaml")])
        return Outputs(code, *self._capfd.readouterr())


@pytest.fixture
def project(tmp_path, monkeypatch, capfd):
    site = tmp_path / "site"
    metadata = site / "ragproof_memory_store-1.0.dist-info"
    metadata.mkdir(parents=True)
    (site / "ragproof_memory_store.py").write_text(STORE_MODULE, "utf-8")
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: ragproof-memory-store\nVersion: 1.0\n", "utf-8")
    entry = "[ragproof.stores]\nmemory = ragproof_memory_store:MemoryStore\n"
    (metadata / "entry_points.txt").write_text(entry, "utf-8")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    importlib.invalidate_caches()
    sys.modules.pop("ragproof_memory_store", None)
    found = ProjectInMemory(tmp_path, importlib.import_module("ragproof_memory_store"), capfd)
    found.write()
    yield found
    sys.modules.pop("ragproof_memory_store", None)
