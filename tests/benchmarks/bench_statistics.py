"""Speed of the paired comparison and of intervals, as a table.

usage: python tests/benchmarks/bench_statistics.py [--cases 10000] [--resamples 10000] [--metrics 20] [--repeat 3]

CPU seconds count every thread of the linear algebra library. The time to import numpy is shown apart.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics as stdlib_statistics
import time
from collections.abc import Callable, Sequence
from functools import partial

from ragproof_core.statistics import compare_family, mean_interval, mean_intervals, pair, quantile_interval
from ragproof_core.statistics.paired import PairedScores

Scores = dict[str, float]
Kind = Callable[[int, random.Random], tuple[Scores, Scores]]


def bands(n: int, rng: random.Random) -> tuple[Scores, Scores]:
    """Scores in 0, 0.5, 1; a fifth of the cases are judged anew."""
    base = {str(i): rng.choice((0.0, 0.5, 1.0, 1.0)) for i in range(n)}
    cand = {key: value if rng.random() < 0.8 else rng.choice((0.0, 0.5, 1.0)) for key, value in base.items()}
    return base, cand


def recalls(n: int, rng: random.Random) -> tuple[Scores, Scores]:
    """Found sources out of 1 to 4; a third of the cases are retrieved anew."""
    sizes = [rng.randint(1, 4) for _ in range(n)]
    base = {str(i): rng.randint(0, size) / size for i, size in enumerate(sizes)}
    cand = {
        str(i): rng.randint(0, size) / size if rng.random() < 0.33 else base[str(i)] for i, size in enumerate(sizes)
    }
    return base, cand


def fractions(n: int, rng: random.Random) -> tuple[Scores, Scores]:
    """Supported claims out of 3 to 9: hundreds of distinct differences."""
    sizes = [rng.randint(3, 9) for _ in range(n)]
    runs = [{str(i): rng.randint(0, size) / size for i, size in enumerate(sizes)} for _ in range(2)]
    return runs[0], runs[1]


def latencies(n: int, rng: random.Random) -> tuple[Scores, Scores]:
    """Milliseconds, log-normal: every difference is another value."""
    base = {str(i): rng.lognormvariate(6.0, 0.5) for i in range(n)}
    return base, {key: value * rng.lognormvariate(0.01, 0.3) for key, value in base.items()}


def family(kinds: Sequence[Kind], n: int) -> dict[str, PairedScores]:
    rng = random.Random(7)
    return {f"metric.{i}": pair(*kind(n, rng)) for i, kind in enumerate(kinds)}


def measure(name: str, action: Callable[[], object], repeat: int) -> None:
    walls, cpus = [], []
    for _ in range(repeat):
        wall, cpu = time.perf_counter(), time.process_time()
        action()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    wall, cpu = stdlib_statistics.median(walls), stdlib_statistics.median(cpus)
    print(f"| {name} | {wall:.3f} | {cpu:.3f} [{min(cpus):.3f}..{max(cpus):.3f}] | {peak:.0f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--metrics", type=int, default=20)
    parser.add_argument("--repeat", type=int, default=3)
    asked = parser.parse_args()
    n, resamples, m = asked.cases, asked.resamples, asked.metrics
    began = time.process_time()
    import numpy as np

    print(f"numpy {np.__version__}, import {time.process_time() - began:.2f} s CPU; {n} cases, {resamples} resamples\n")
    print("| what | wall s | cpu s median [min..max] | peak MiB |\n|---|---|---|---|")
    kinds_of: dict[str, tuple[Kind, ...]] = {
        "bands": (bands,),
        "recalls": (recalls,),
        "fractions": (fractions,),
        "latencies": (latencies,),
        "mixed": (bands, recalls, fractions, latencies),
    }
    for name, kinds in kinds_of.items():
        pairs = family([kinds[i % len(kinds)] for i in range(m)], n)
        label = f"compare {m} metrics, {name}"
        measure(label, partial(compare_family, pairs, resamples=resamples), asked.repeat)
    for name, kind in (("bands", bands), ("latencies", latencies)):
        columns = {str(i): list(kind(n, random.Random(i))[0].values()) for i in range(m)}
        one = columns["0"]
        measure(f"mean_interval, {name}", partial(mean_interval, one, resamples=resamples), asked.repeat)
        label = f"mean_intervals of {m}, {name}"
        measure(label, partial(mean_intervals, columns, resamples=resamples), asked.repeat)
    measure("quantile_interval p95, latencies", partial(quantile_interval, one, 0.95), asked.repeat)


if __name__ == "__main__":
    main()
