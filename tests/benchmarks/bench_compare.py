"""What `ragproof compare` costs: CPU seconds beyond imports for 10,000 cases, 10,000 resamples, 20 metrics and tags.

usage: python tests/benchmarks/bench_compare.py [--cases 10000] [--tags 8] [--repeat 3]
Needs ragproof-gate and ragproof-store-sqlite. Reading the results of both runs from SQLite, turning them into columns,
and comparing are reported apart. Making and storing the runs is not counted. A case has two tags.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from ragproof_gate import RunComparison, compare_runs, comparison_to_dict, scores_of
from ragproof_store_sqlite import Settings, SqliteStore

from ragproof_core.models.outcome import scored
from ragproof_core.models.response import Chunk
from ragproof_core.models.run import CaseResult, DatasetInfo, RunRecord, RunSettings, Summary

KINDS: dict[str, tuple[str, Callable[[Random], float]]] = {
    "band": ("share", lambda rng: rng.choice((0.0, 0.5, 1.0))),
    "third": ("share", lambda rng: rng.choice((0.0, 0.25, 1 / 3, 0.5, 2 / 3, 0.75, 1.0))),
    "many": ("share", lambda rng: rng.randrange(400) / 399),
    "ms": ("ms", lambda rng: rng.lognormvariate(6.0, 0.4)),
}
METRICS = [f"bench.{kind}_{number}" for kind, count in (("band", 8), ("third", 5), ("many", 4), ("ms", 3)) for number in range(count)]  # fmt: skip


def run_record(run_id: str, cases: int) -> RunRecord:
    """A run whose summaries name the metrics."""
    return RunRecord(
        run_id=run_id,
        project="bench",
        label=None,
        status="completed",
        started_at="2026-01-01T00:00:00+00:00",
        dataset=DatasetInfo("bench", "0" * 64, cases),
        settings=RunSettings(),
        describe={},
        judge=None,
        plugins={},
        metrics=tuple(METRICS),
        fingerprint={},
        cases={"total": cases, "ok": cases},
        summaries=tuple(
            Summary(name, "higher", KINDS[kind_of(name)][0], 0.5, None, None, None, None, cases, 0, 0, 0)
            for name in METRICS
        ),
    )


def kind_of(metric: str) -> str:
    """``band`` of ``bench.band_3``."""
    return metric.removeprefix("bench.").partition("_")[0]


def results(seed: int, cases: int, tags: int) -> Iterator[CaseResult]:
    """The results of one run; nine of ten scores are those of any other run."""
    for i in range(cases):
        same, own = Random(i), Random(f"{seed}-{i}")
        values = {name: KINDS[kind_of(name)][1](same if own.random() < 0.9 else own) for name in METRICS}
        yield CaseResult(
            index=i,
            case_id=f"case-{i:06d}",
            kind="qa",
            status="ok",
            scores={name: scored(value) for name, value in values.items()},
            question=f"Question {i}: which part does the manual name for procedure {i}?",
            answer_text=f"The manual names part {i % 97} for procedure {i}, because the seal must hold. " * 2,
            retrieved=tuple(Chunk(f"c{i}-{rank}", f"text {i} {rank} " * 20) for rank in range(5)),
            tags=(f"tag-{i % tags}", f"tag-{i // tags % tags}") if tags else (),
        )


def cpu() -> float:
    """User and system CPU seconds of this process."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def timed(name: str, work: Callable[[], object], repeat: int) -> None:
    """Print the best CPU and wall time of some work."""
    taken = []
    for _ in range(repeat):
        began, wall = cpu(), time.perf_counter()
        work()
        taken.append((cpu() - began, time.perf_counter() - wall))
    best = min(taken)
    print(f"{name:<58} {best[0]:6.2f} s CPU {best[1]:6.2f} s wall")


def main() -> None:
    """Print a line a step."""
    parser = argparse.ArgumentParser(description="Measure compare.")
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--tags", type=int, default=8)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    runs = run_record("base", options.cases), run_record("cand", options.cases)
    rows = [list(results(seed, options.cases, options.tags)) for seed in (1, 2)]
    untagged = [list(results(seed, options.cases, 0)) for seed in (1, 2)]
    scores = [scores_of(run, listed) for run, listed in zip(runs, rows, strict=True)]
    without_tags = [scores_of(run, listed) for run, listed in zip(runs, untagged, strict=True)]
    compare_runs(*without_tags)  # imports numpy

    def whole() -> RunComparison:
        found = compare_runs(*scores)
        comparison_to_dict(found)
        return found

    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Settings(path=Path(folder) / "bench.db"))
        for run, listed in zip(runs, rows, strict=True):
            store.open_run(run)
            store.add_results(run.run_id, listed)
        both = f"{2 * options.cases:,} results"
        timed(
            f"read {both} from SQLite", lambda: [sum(1 for _ in store.results(r.run_id)) for r in runs], options.repeat
        )
        timed(f"turn {both} into columns", lambda: [scores_of(*pair) for pair in zip(runs, rows, strict=True)], options.repeat)  # fmt: skip
        timed(f"compare {len(METRICS)} metrics, no tags", lambda: compare_runs(*without_tags), options.repeat)
        timed(f"compare {len(METRICS)} metrics, {options.tags} tags, and the JSON", whole, options.repeat)
        store.close()


if __name__ == "__main__":
    main()
