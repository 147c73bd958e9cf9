"""``ragproof run``: evaluate the pipeline over the dataset."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import TextIO

import click

from ragproof_core.cli.one_screen import print_run
from ragproof_core.cli.options import config_option, json_option, no_plugin_option
from ragproof_core.cli.output import clean_stdout, print_json, progress_bar
from ragproof_core.dataset.loading import load_dataset
from ragproof_core.errors import ConfigError
from ragproof_core.evaluation import run_project
from ragproof_core.execution import COMPLETED, Finished
from ragproof_core.models.run import RunRecord
from ragproof_core.project import Project, open_project
from ragproof_core.reporting.json_shapes import run_to_dict
from ragproof_core.reporting.numbers import counted
from ragproof_core.reporting.printable import printable
from ragproof_core.stored_runs import LATEST, find_run

_MOST_REMARKS = 5


@click.command("run")
@config_option
@click.option("--dataset", type=click.Path(path_type=Path), help="Another dataset than the config's.")
@click.option("--label", help="A name for the run, to find it by.")
@click.option("--metric", "metrics", multiple=True, metavar="PATTERN", help="Only these metrics; may be repeated.")
@click.option("--resume", metavar="RUN", help="Finish this run: its missing and failed cases are run again.")
@click.option("--no-cache", is_flag=True, help="Ask the judge anew instead of using stored verdicts.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N cases.")
@no_plugin_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    config: Path,
    dataset: Path | None,
    label: str | None,
    metrics: tuple[str, ...],
    resume: str | None,
    no_cache: bool,  # noqa: FBT001
    limit: int | None,
    no_plugins: tuple[str, ...],
    as_json: bool,  # noqa: FBT001
) -> None:
    """Evaluate the pipeline over the dataset and keep the results."""
    for option, value in (("--resume", resume), ("--label", label), *(("--metric", metric) for metric in metrics)):
        if value is not None and not value.strip():
            raise ConfigError(f"{option}: is empty; leave it out, or give a value")
    if label == LATEST:
        raise ConfigError(f"--label: {LATEST!r} always means the newest run; choose another name")
    with clean_stdout(as_json) as out, open_project(config, no_plugins=no_plugins) as project:
        cases = load_dataset(dataset or project.dataset_path, limit)
        resumed = find_run(project.required_store(), resume) if resume else None
        _spare_collections()
        with progress_bar(project.config.project, cases.info.cases) as advance:
            finished = run_project(
                project,
                cases,
                patterns=metrics or (resumed.metrics if resumed and not _all(project) else ()),
                label=label,
                progress=advance,
                resume=resumed,
                bypass_cache=no_cache,
            )
        _report(project, finished, out, as_json=as_json)
    ctx.exit(_exit_code(finished.record))


def _spare_collections() -> None:
    """Keep the garbage collector from walking the dataset over and over: a tenth of a long run's time."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _all(project: Project) -> bool:
    return project.config.metrics is not None


def _exit_code(run: RunRecord) -> int:
    failed = run.cases.get("error", 0) + run.cases.get("timeout", 0)
    return 0 if run.status == COMPLETED and failed < run.cases["total"] else 2


def _report(project: Project, finished: Finished, out: TextIO, *, as_json: bool) -> None:
    run = finished.record
    if as_json:
        print_json(run_to_dict(run), out)
    else:
        print_run(run)
    notes = run.notes if as_json else ()  # the text has them already
    for line in (*notes, *_remarks(project, finished)):
        print(printable(line), file=sys.stderr)


def _remarks(project: Project, finished: Finished) -> list[str]:
    run = finished.record
    remarks = []
    failed = run.cases.get("error", 0) + run.cases.get("timeout", 0)
    if failed:
        whole = counted(run.cases["total"], "case")
        remarks.append(f"{failed} of {whole} failed; see 'ragproof show {run.run_id} --failures'")
    remarks += [
        f"{summary.metric}: {counted(summary.errors - failed, 'error')}, the most frequent: {reason}"
        for summary in run.summaries
        for reason in list(summary.error_reasons)[:1]
    ][:_MOST_REMARKS]
    if finished.reason:
        remarks.append(f"{run.status}: {finished.reason}")
    if run.status != COMPLETED and project.store is not None:
        remarks.append(f"finish it with: ragproof run --resume {run.run_id}")
    if project.store is None:
        remarks.append("there is no store, so these results are not kept; try: pip install ragproof-store-sqlite")
    return remarks
