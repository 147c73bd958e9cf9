"""``ragproof gate``: hold a stored run against the limits of the config."""

from __future__ import annotations

from pathlib import Path

import click

from ragproof_core.cli.options import config_option, json_option
from ragproof_core.cli.output import clean_stdout, print_json
from ragproof_core.errors import ConfigError, ExecutionError, PluginError, RunNotFoundError
from ragproof_core.models.judging import Prompt
from ragproof_core.models.run import RunRecord
from ragproof_core.project import Project, open_project
from ragproof_core.stored_runs import LATEST, find_run
from ragproof_gate.baseline import find_baseline
from ragproof_gate.comparability import remarks, require_comparable
from ragproof_gate.gate_checks import GateResult
from ragproof_gate.gate_config import GateSection, parse_gate
from ragproof_gate.gate_junit import gate_junit
from ragproof_gate.gate_rules import Evidence, evaluate_gate
from ragproof_gate.gate_text import gate_lines
from ragproof_gate.run_scores import read_scores
from ragproof_gate.step_summary import VARIABLE, append_step_summary


@click.command("gate")
@click.option("--run", "wanted", metavar="RUN", default=LATEST, show_default=True, help="The run to judge.")
@click.option("--baseline", metavar="RUN", help="Compare with this run instead of the config's baseline.")
@click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), help="Write JUnit XML to this file.")
@config_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    wanted: str,
    baseline: str | None,
    junit: Path | None,
    config: Path,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Fail when a stored run misses a limit of the config's 'gate' section.

    Exit codes: 0 passed, 1 a limit was missed, 2 the run is not finished, 3 wrongly configured.
    """
    with clean_stdout(as_json) as out, open_project(config) as project:
        result = gate(project, wanted, baseline)
        if junit is not None:
            _write_junit(junit, result)
        if as_json:
            print_json(result.as_json(), out)
        else:
            print("\n".join(gate_lines(result)))
        try:
            append_step_summary(result)
        except OSError as problem:
            project.warn(f"{VARIABLE}: the summary cannot be written: {problem}")
    ctx.exit(result.exit_code)


def gate(project: Project, wanted: str = LATEST, baseline: str | None = None) -> GateResult:
    """Gate a stored run of a project. Raises :class:`ConfigError` for a wrong section, run or baseline."""
    section = _section(project)
    store = project.required_store()
    run = find_run(store, wanted)
    found, missing = _baseline(project, section, baseline, run)
    drops = bool(section.drops()) and found is not None
    return evaluate_gate(
        section,
        Evidence(
            run=run,
            scores=read_scores(store, run) if drops else None,
            baseline=None if found is None else read_scores(store, found),
            no_baseline=missing,
            prompts=_prompts(project, section),
            calibrations=store.call("calibrations") if _calibrated(section) else (),
            remarks=tuple(remarks(found, run)) if found is not None else (),
        ),
    )


def _section(project: Project) -> GateSection:
    source = str(project.config.file or "config")
    if not project.config.gate:
        raise ConfigError(f"{source}: has no 'gate' section; give it thresholds, such as retrieval.mrr: {{min: 0.7}}")
    return parse_gate(project.config.gate, source)


def _baseline(
    project: Project, section: GateSection, option: str | None, run: RunRecord
) -> tuple[RunRecord | None, str]:
    """The comparable baseline, or None and why there is none."""
    wanted = option or section.baseline
    if wanted is None:
        if section.drops():
            raise ConfigError("gate.baseline: max_drop needs a run to compare with; name one here, or with --baseline")
        return None, ""
    try:
        found = find_baseline(project.required_store(), wanted, run)
    except RunNotFoundError as problem:
        if option is not None or section.on_missing_baseline == "error":
            raise
        return None, f"not checked, {problem}"
    require_comparable(found, run)
    return found, ""


def _calibrated(section: GateSection) -> list[str]:
    return [metric for metric, threshold in section.thresholds.items() if threshold.require_calibration is not None]


def _prompts(project: Project, section: GateSection) -> dict[str, tuple[Prompt, ...] | None]:
    """The prompts of the metrics that require a calibration; None for a metric that cannot be built here."""
    found: dict[str, tuple[Prompt, ...] | None] = {}
    for name in _calibrated(section):
        try:
            built = project.metrics([name])
        except PluginError as problem:
            project.warn(f"require_calibration of {name}: {problem}")
            found[name] = None
        else:
            found[name] = tuple(prompt for metric in built for prompt in metric.prompts)
    return found


def _write_junit(path: Path, result: GateResult) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(gate_junit(result), encoding="utf-8")
    except OSError as problem:
        raise ExecutionError(f"--junit {path}: cannot be written: {problem.strerror or problem}") from None
