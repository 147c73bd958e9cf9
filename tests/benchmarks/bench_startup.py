"""Start-up of commands as whole processes: CPU milliseconds, in turn, the median of several.

usage: python tests/benchmarks/bench_startup.py [--repeat 9]
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path

from bench_run import measured

COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "pytest --version": [sys.executable, "-m", "pytest", "--version"],
    "ragproof --version": [sys.executable, "-m", "ragproof_core", "--version"],
    "ragproof plugins": [sys.executable, "-m", "ragproof_core", "plugins"],
}


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--repeat", type=int, default=9)
    repeat = options.parse_args().repeat
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for turn in range(repeat + 1):
        for name, command in COMMANDS.items():
            cpu, _ = measured(command, Path.cwd())
            if turn:  # the first one warms the disk
                times[name].append(cpu * 1000)
    reference = statistics.median(times["pytest --version"])
    print("| command | CPU ms | against pytest --version |\n|---|---|---|")
    for name, values in times.items():
        median = statistics.median(values)
        print(f"| `{name}` | {median:.0f} | {median / reference:.2f} |")


if __name__ == "__main__":
    main()
