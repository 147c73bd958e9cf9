"""Printing the one-screen report."""

from __future__ import annotations

from collections.abc import Iterable

from ragproof_core.cli.output import print_table
from ragproof_core.models.run import Calibration, RunRecord
from ragproof_core.reporting.printable import one_line, printable
from ragproof_core.reporting.text import HEADERS, headline, not_scored, rows


def print_headline(run: RunRecord, calibrations: Iterable[Calibration] | None = None) -> None:
    """Print what a run is and its headline; ``calibrations`` are the store's, ``None`` when nobody looked."""
    label = f" ({one_line(run.label)})" if run.label else ""
    print(f"{printable(run.project)} · run {run.run_id}{label} · {run.status}")
    for line in headline(run, calibrations):
        print(line)


def print_run(run: RunRecord, calibrations: Iterable[Calibration] | None = None) -> None:
    """Print the one-screen report of a run: the headline, then a row a metric."""
    print_headline(run, calibrations)
    print()
    print_table(HEADERS, list(rows(run)))
    for line in not_scored(run):
        print(line)
