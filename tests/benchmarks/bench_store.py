"""What the SQLite store costs: CPU and wall time a case, bytes a case, a cache look-up, memory against rows.

usage: python tests/benchmarks/bench_store.py [--cases 10000] [--batch 100] [--repeat 3]
Needs ragproof-store-sqlite. A case has 10 chunks of about 500 characters from a corpus of 640 texts, 25 scored metrics
(a third of them with a value of its own in each case) and 20 skipped ones; building the results is not counted.
"""

from __future__ import annotations

import argparse
import dataclasses
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ragproof_store_sqlite import Settings, SqliteStore
from rich.console import Console
from rich.table import Table

from ragproof_core.models.outcome import Outcome, scored, skipped
from ragproof_core.models.response import Chunk
from ragproof_core.models.run import CacheEntry, CaseResult, DatasetInfo, RunRecord, RunSettings

CORPUS = [" ".join(f"word{(n * 7919 + i * 104729) % 5003}" for i in range(58))[:500] for n in range(640)]
REASONS = ("judge not configured", "case has no expected_source_grades", "adapter does not report token usage")
SKIPPED = {f"family.skipped_{i}": skipped(REASONS[i % 3]) for i in range(20)}
VALUES = [i / 7 for i in range(8)]


def run_record(run_id: str, cases: int) -> RunRecord:
    """A run over the benchmark's dataset."""
    return RunRecord(
        run_id=run_id,
        project="bench",
        label=None,
        status="running",
        started_at="2026-01-01T00:00:00+00:00",
        dataset=DatasetInfo("bench", "0" * 64, cases),
        settings=RunSettings(),
        describe={},
        judge=None,
        plugins={},
        metrics=(*(f"family.scored_{i}" for i in range(25)), *SKIPPED),
        fingerprint={},
    )


def result(i: int) -> CaseResult:
    """One case's result of the usual size."""
    chunks = tuple(
        Chunk(f"c{i}-{rank}", CORPUS[(i * 3 + rank) % 640], 1.0 - rank * 0.05, {"document_id": f"d{i}"})
        for rank in range(10)
    )
    scores: dict[str, Outcome] = {
        f"family.scored_{m}": scored(((i * 31 + m) % 9973) / 9973 if m % 3 == 0 else VALUES[(i + m) % 8])
        for m in range(25)
    }
    return CaseResult(
        index=i,
        case_id=f"case-{i:06d}",
        kind="qa",
        status="ok",
        scores=scores | SKIPPED,
        question=f"Question {i}: which part does the manual name for procedure {i} and why?",
        expected_answer=f"The manual names part {i % 97} for procedure {i}, because the seal must hold.",
        expected_source_ids=(f"c{i}-0", f"c{i}-4"),
        answer_text=f"The manual names part {i % 97} for procedure {i}, because the seal must hold. " * 2,
        retrieved=chunks,
        citations=(f"c{i}-0", f"c{i}-3"),
        duration_ms=0.123456789 + i,
        timings_ms={"retrieve": 0.0123456789 + i, "answer": 0.0987654321 + i, "total": 0.1111111 + i},
    )


def new_texts(i: int) -> CaseResult:
    """The worst case for shared texts: every chunk of every case is new."""
    usual = result(i)
    chunks = tuple(dataclasses.replace(chunk, text=f"{chunk.id} {chunk.text}") for chunk in usual.retrieved or ())
    return dataclasses.replace(usual, retrieved=chunks)


def new_notes(i: int) -> CaseResult:
    """Ten metrics with a note of their own in each case."""
    usual = result(i)
    notes = {f"family.scored_{m}": scored(0.5, f"decided by sentence {i} of the answer") for m in range(10)}
    return dataclasses.replace(usual, scores={**usual.scores, **notes})


def batches(make: Callable[[int], CaseResult], cases: int, batch: int) -> Iterator[Sequence[CaseResult]]:
    """Yield the results in batches, made only when needed."""
    for start in range(0, cases, batch):
        yield [make(i) for i in range(start, min(start + batch, cases))]


def measure_writing(
    store: SqliteStore, run_id: str, make: Callable[[int], CaseResult], cases: int, batch: int
) -> tuple[float, float]:
    """Return CPU and wall microseconds a case of ``add_results``."""
    store.open_run(run_record(run_id, cases))
    cpu = wall = 0.0
    for results in batches(make, cases, batch):
        cpu_before, wall_before = time.process_time(), time.perf_counter()
        store.add_results(run_id, results)
        cpu += time.process_time() - cpu_before
        wall += time.perf_counter() - wall_before
    return cpu / cases * 1e6, wall / cases * 1e6


def size_of(folder: Path) -> int:
    """Return the bytes of all files in the folder."""
    return sum(file.stat().st_size for file in folder.iterdir())


def writing_rows(cases: int, batch: int, repeat: int) -> Iterator[tuple[str, ...]]:
    """Yield the table's rows about ``add_results``; medians over the repetitions."""
    jobs = {
        f"a run, batches of {batch}": (result, batch, "a"),
        "the dataset's second run": (result, batch, "b"),
        "a run, batches of 10": (result, 10, "a"),
        "10 new notes a case": (new_notes, batch, "a"),
        "10 new texts a case": (new_texts, batch, "a"),
    }
    for name, (make, size, run_id) in jobs.items():
        samples = []
        for _ in range(repeat):
            with tempfile.TemporaryDirectory() as folder:
                store = SqliteStore(Settings(path=Path(folder) / "bench.db"))
                if run_id == "b":
                    measure_writing(store, "a", make, cases, size)
                    store.close()
                before = size_of(Path(folder))
                store = SqliteStore(Settings(path=Path(folder) / "bench.db"))
                cpu, wall = measure_writing(store, run_id, make, cases, size)
                store.close()
                samples.append((cpu, wall, (size_of(Path(folder)) - before) / cases))
        medians = [statistics.median(column) for column in zip(*samples, strict=True)]
        yield (name, *(f"{value:.1f}" for value in medians[:2]), f"{medians[2]:.0f}")


def cpu_of(work: Callable[[], object], times: int) -> float:
    """Return the CPU microseconds of one call."""
    before = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - before) / times * 1e6


def reading_rows(cases: int, batch: int) -> Iterator[tuple[str, ...]]:
    """Yield the rows about reading and the judge cache."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Settings(path=Path(folder) / "bench.db"))
        measure_writing(store, "a", result, cases, batch)
        each = cpu_of(lambda: sum(1 for _ in store.results("a")), 1) / cases
        yield "results(), a case", f"{each:.1f}", "", ""
        keys = [f"{i:064x}" for i in range(2000)]
        entries = [CacheEntry(key, '{"supported": true}' * 20, "judge", "prompt", "2026-01-01") for key in keys]
        yield "cache_put, an entry of 100", f"{cpu_of(lambda: store.cache_put(entries[:100]), 20) / 100:.1f}", "", ""
        store.cache_put(entries)
        asked = iter(keys)
        yield "cache_get, one key", f"{cpu_of(lambda: store.cache_get([next(asked)]), 2000):.1f}", "", ""
        yield "cache_get, a key of 100", f"{cpu_of(lambda: store.cache_get(keys[:100]), 100) / 100:.1f}", "", ""
        store.close()


def memory_row(cases: int, batch: int) -> tuple[str, ...]:
    """Return the growth of the peak memory between 10 % and 100 % of the rows, all texts new."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Settings(path=Path(folder) / "bench.db"))
        measure_writing(store, "a", new_texts, max(cases // 10, 1), batch)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        measure_writing(store, "a", new_texts, cases, batch)
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / cases
        store.close()
    return "peak memory, growth a case", "", "", f"{grown:.0f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    table = Table("what", "CPU µs", "wall µs", "bytes", title=f"SQLite store, {options.cases} cases")
    table.add_row(*memory_row(options.cases, options.batch))
    for row in writing_rows(options.cases, options.batch, options.repeat):
        table.add_row(*row)
    for row in reading_rows(options.cases, options.batch):
        table.add_row(*row)
    Console(width=90).print(table)


if __name__ == "__main__":
    main()
