"""A deterministic run as a whole process: CPU a case, peak memory, and how both grow with the number of cases.

usage: python tests/benchmarks/bench_run.py [--sizes 10000,50000] [--repeat 3]

The floor is one file of the standard library that does the least one could do: read the cases, call the same
pipeline, compute seven of the metrics, write one SQLite transaction. Contestants are run in turn; compare ratios of
one run only. Processor time and memory are the operating system's account of each finished process.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

CONFIG = """\
project: bench
dataset: {data}
store: {work}/store.db
adapter: {{type: python, target: "synthetic_pipeline:Pipeline"}}
run: {{k: 10, concurrency: 4}}
"""


def measured(command: list[str], folder: Path) -> tuple[float, float]:
    """Run a command; returns CPU seconds and peak MiB."""
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def once(kind: str, data: Path) -> tuple[float, float]:
    """Run one contestant over the dataset with a fresh store."""
    work = Path(tempfile.mkdtemp())
    try:
        if kind == "floor":
            return measured([sys.executable, str(HERE / "floor_run.py"), str(data), str(work / "floor.db")], work)
        config = work / "ragproof.yaml"
        config.write_text(CONFIG.format(data=data, work=work), encoding="utf-8")
        return measured([sys.executable, "-m", "ragproof_core", "run", "-c", str(config)], work)
    finally:
        shutil.rmtree(work)


def dataset(cases: int, folder: Path) -> Path:
    """Write that many synthetic cases."""
    from synthetic_pipeline import case

    path = folder / f"cases-{cases}.jsonl"
    path.write_text("".join(json.dumps(case(i)) + "\n" for i in range(cases)), encoding="utf-8")
    return path


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sizes", default="1000,10000,50000")
    options.add_argument("--repeat", type=int, default=3)
    given = options.parse_args()
    sizes = [int(size) for size in given.sizes.split(",")]
    print("| cases | contestant | CPU s | µs a case | peak MiB | CPU / floor |\n|---|---|---|---|---|---|")
    peaks: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            data = dataset(size, Path(folder))
            runs = [{kind: once(kind, data) for kind in ("floor", "ragproof")} for _ in range(given.repeat)]
            ratio = statistics.median(run["ragproof"][0] / run["floor"][0] for run in runs)
            for kind in ("floor", "ragproof"):
                cpu = statistics.median(run[kind][0] for run in runs)
                peak = statistics.median(run[kind][1] for run in runs)
                shown = f"{ratio:.2f}" if kind == "ragproof" else "1"
                print(f"| {size} | {kind} | {cpu:.2f} | {cpu / size * 1e6:.0f} | {peak:.0f} | {shown} |", flush=True)
            peaks[size] = statistics.median(run["ragproof"][1] for run in runs)
    if len(sizes) > 1:
        few, many = sizes[-2], sizes[-1]
        growth = (peaks[many] - peaks[few]) * 1024 / (many - few)
        print(f"\nmemory growth from {few} to {many} cases: {growth:.2f} KiB a case")


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    main()
