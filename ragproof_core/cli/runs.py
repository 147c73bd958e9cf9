"""``ragproof runs``: the stored runs, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from ragproof_core.cli.options import config_option, json_option
from ragproof_core.cli.output import clean_stdout, print_json, print_table
from ragproof_core.errors import ConfigError
from ragproof_core.models.run import RunRecord
from ragproof_core.project import open_project
from ragproof_core.reporting.json_shapes import run_to_row
from ragproof_core.reporting.printable import one_line, printable
from ragproof_core.reporting.trend import trend, trend_points, trend_text


@click.command("runs")
@config_option
@click.option("--metric", metavar="NAME", help="Show this metric's mean over the runs as a line.")
@json_option
def command(config: Path, metric: str | None, as_json: bool) -> None:  # noqa: FBT001
    """List the stored runs, newest first."""
    with clean_stdout(as_json) as out, open_project(config) as project:
        runs: Sequence[RunRecord] = project.required_store().call("runs")
        listed = [run_to_row(run) for run in runs]
        points = trend_points([run for run in runs if run.project == project.config.project], metric) if metric else []
        means = dict(trend(runs, metric)) if metric else {}
        if metric and runs and not means:
            known = sorted({summary.metric for run in runs for summary in run.summaries})
            raise ConfigError(f"--metric: no stored run has {metric!r}; they have: {', '.join(known) or 'none'}")
        if as_json:
            print_json({"runs": [{**row, "mean": means.get(row["run_id"])} if metric else row for row in listed]}, out)
        elif not runs:
            print("no runs yet; make one with 'ragproof run'")
        else:
            _print(runs, metric, means)
            if points:
                print(f"\n{printable(metric or '')}, oldest to newest: {trend_text(points)}")


def _print(runs: Sequence[RunRecord], metric: str | None, means: dict[str, float]) -> None:
    headers = ["run", "label", "status", "started", "dataset", "cases", *([metric] if metric else [])]
    table = []
    for run in runs:
        mean = means.get(run.run_id)
        cells = [
            run.run_id,
            one_line(run.label or "", 24),
            run.status,
            run.started_at[:16].replace("T", " "),
            one_line(run.dataset.name, 32),
            str(run.dataset.cases),
        ]
        table.append([*cells, *(["-" if mean is None else f"{mean:.3f}"] if metric else [])])
    print_table(headers, table, right_from=5)
