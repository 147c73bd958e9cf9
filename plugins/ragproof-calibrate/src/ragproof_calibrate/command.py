"""``ragproof calibrate``."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from datetime import UTC, datetime
from math import isnan
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ragproof_calibrate.calibration import Plan, calibrate as run_calibration
from ragproof_calibrate.labels import load_labels
from ragproof_calibrate.report import Report, Thresholds
from ragproof_calibrate.samples import Sample, distinct, shipped
from ragproof_calibrate.text import HEADERS, lines, rows
from ragproof_core.cli.options import config_option, json_option, no_plugin_option
from ragproof_core.cli.output import clean_stdout, print_json, print_table, progress_bar
from ragproof_core.config.loading import parse_config
from ragproof_core.errors import ConfigError
from ragproof_core.judge_setup import JudgeSetup, required_judge
from ragproof_core.judging.bench import JudgeBench
from ragproof_core.models.judging import Prompt
from ragproof_core.models.run import Calibration
from ragproof_core.project import Project, open_project
from ragproof_core.reporting.numbers import counted
from ragproof_core.reporting.printable import printable

MISSED = 1


class _Share(click.FloatRange):
    """A number from 0 to 1: click's own range lets NaN pass, which no agreement is ever below."""

    def __init__(self) -> None:
        super().__init__(0.0, 1.0)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        share = super().convert(value, param, ctx)
        if isnan(share):
            self.fail(f"{value} is no share; expected a number from 0 to 1.", param, ctx)
        return share


_SHARE = _Share()


@click.command("calibrate")
@config_option
@click.option("--judge", "judge_name", metavar="NAME", help="Another judge than the config's.")
@click.option("--min-exact", type=_SHARE, default=0.7, show_default=True, help="Least share in the same band.")
@click.option("--min-band", type=_SHARE, default=0.9, show_default=True, help="Least share within one band.")
@click.option("--repeats", type=click.IntRange(1, 100), default=1, show_default=True, help="Ask each example N times.")
@click.option("--labels", type=click.Path(path_type=Path), help="Your own labelled JSON Lines file, instead of ours.")
@click.option("--adversarial", is_flag=True, help="Plant forged verdicts and instructions; report what they moved.")
@click.option("--quick", is_flag=True, help="Agreement only: no swapped order, no growing context.")
@click.option("--no-cache", is_flag=True, help="Neither read nor keep cached replies.")
@no_plugin_option
@json_option
@click.pass_context
def calibrate(
    context: click.Context,
    config: Path,
    judge_name: str | None,
    min_exact: float,
    min_band: float,
    repeats: int,
    labels: Path | None,
    adversarial: bool,  # noqa: FBT001
    quick: bool,  # noqa: FBT001
    no_cache: bool,  # noqa: FBT001
    no_plugins: tuple[str, ...],
    as_json: bool,  # noqa: FBT001
) -> None:
    """Compare the judge's verdicts with reference scores.

    Every prompt of the metrics in use is asked about its scored examples, or about yours with --labels. Exit code 1
    when a prompt's agreement is below a threshold.
    """
    plan = Plan(repeats, not quick, adversarial, Thresholds(min_exact, min_band))
    given = context.get_parameter_source("config") is not ParameterSource.DEFAULT
    with clean_stdout(as_json) as out, _project(config, no_plugins, given=given) as project:
        samples = _samples(project, labels)
        setup = required_judge(project, judge_name)
        bench = setup.bench(project, bypass_cache=no_cache)
        try:
            report = _measure(bench, setup, samples, plan, quiet=as_json)
        finally:
            bench.close()
        _keep(project, setup, report)
        if as_json:
            print_json(_document(report, setup, bench), out)
        else:
            _print(report, setup, bench)
    if not report.passed:
        context.exit(MISSED)


def _project(config: Path, no_plugins: tuple[str, ...], *, given: bool) -> Project:
    """Open the config; without one, and without ``--config``, a judge from the environment is enough."""
    if given or config.exists():
        return open_project(config, no_plugins=no_plugins)
    return Project(parse_config({}, str(config), folder=Path.cwd()), no_plugins=no_plugins)


def _samples(project: Project, labels: Path | None) -> list[Sample]:
    prompts = distinct(prompt for metric in project.metrics() for prompt in metric.prompts)
    samples = load_labels(labels, prompts) if labels else shipped(prompts, project.warn)
    if not samples:
        raise ConfigError(
            "nothing to calibrate: none of the metrics in use asks a judge; "
            "name some under 'metrics', or install a package with some, such as ragproof-metrics-generation"
        )
    return samples


def _measure(bench: JudgeBench, setup: JudgeSetup, samples: list[Sample], plan: Plan, *, quiet: bool) -> Report:
    def ask(prompt: Prompt, variables: Mapping[str, Any], repeat: int) -> Any:
        return bench.handle("calibration", prompt.name, repeat=repeat).ask(prompt, variables)

    concurrency = setup.component.max_concurrency or setup.options.concurrency
    with nullcontext() if quiet else progress_bar("asking the judge", plan.calls(samples)) as advance:
        return run_calibration(ask, samples, plan, concurrency=concurrency, progress=advance)


def _keep(project: Project, setup: JudgeSetup, report: Report) -> None:
    if project.store is None:
        project.warn("no store is installed, so the calibration is not kept; try: pip install ragproof-store-sqlite")
        return
    kept = Calibration(
        judge=dict(setup.described),
        created_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        prompts=tuple(one.to_dict() for one in report.prompts),
    )
    project.store.call("add_calibration", calibration=kept)


def _document(report: Report, setup: JudgeSetup, bench: JudgeBench) -> dict[str, Any]:
    stats = bench.stats
    return {
        "judge": dict(setup.described),
        "prompts": [one.to_dict() for one in report.prompts],
        "overall": {
            "n": report.n,
            "exact": report.exact,
            "within_band": report.within_band,
            "kappa": report.kappa,
        },
        "thresholds": {"exact": report.thresholds.exact, "within_band": report.thresholds.within_band},
        "passed": report.passed,
        "calls": stats.calls,
        "cache_hits": stats.cache_hits,
        "cost_usd": stats.cost_usd if stats.priced else None,
        "notes": list(stats.notes),
    }


def _print(report: Report, setup: JudgeSetup, bench: JudgeBench) -> None:
    stats, judge = bench.stats, setup.described
    priced = f", ${stats.cost_usd:.4f}" if stats.priced else ""
    used = f"{counted(stats.calls, 'call')}, {stats.cache_hits} from the cache{priced}"
    click.echo(f"Judge {printable(str(judge['type']))}/{printable(str(judge['model']))}: {used}\n")
    print_table(HEADERS, rows(report))
    click.echo()
    for line in lines(report):
        click.echo(line)
    for note in stats.notes:
        click.echo(f"Note: {printable(note)}")
