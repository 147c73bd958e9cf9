"""A process that writes results and says on stdout which are safe: path, run id, batches, cases a batch."""

import sys

from ragproof_store_sqlite import Settings, SqliteStore

from ragproof_core.models.outcome import scored, skipped
from ragproof_core.models.response import Chunk
from ragproof_core.models.run import CacheEntry, CaseResult, DatasetInfo, RunRecord, RunSettings


def run(run_id: str) -> RunRecord:
    return RunRecord(
        run_id=run_id,
        project="p",
        label=None,
        status="running",
        started_at="2026-01-01T00:00:00+00:00",
        dataset=DatasetInfo("d", "f" * 64, 1000),
        settings=RunSettings(),
        describe={},
        judge=None,
        plugins={},
        metrics=("m", "s"),
        fingerprint={},
    )


def result(run_id: str, index: int) -> CaseResult:
    chunks = tuple(Chunk(f"c{rank}", f"text {rank} of {index} in {run_id}") for rank in range(3))
    scores = {"m": scored(index / 7), "s": skipped(f"reason {index % 5} of {run_id}")}
    return CaseResult(index, f"case-{index}", "qa", "ok", scores, answer_text=f"{run_id} {index}", retrieved=chunks)


def main() -> None:
    path, run_id, batches, size = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    store = SqliteStore(Settings(path=path))
    store.open_run(run(run_id))
    for start in range(0, batches * size, size):
        store.add_results(run_id, [result(run_id, index) for index in range(start, start + size)])
        store.cache_put([CacheEntry(f"{run_id}-{start}", "reply", "judge", "prompt", "now")])
        print(start + size, flush=True)
    store.close()


if __name__ == "__main__":
    main()
