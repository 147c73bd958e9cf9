"""``ragproof check``: would a run work, and what would it cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ragproof_core.cli.options import config_option, json_option, no_plugin_option
from ragproof_core.cli.output import clean_stdout, print_json
from ragproof_core.dataset.loading import Dataset, load_dataset
from ragproof_core.engine.asking import ask_adapter
from ragproof_core.engine.deadline import GivenUpError, within
from ragproof_core.engine.scoring import hooks_wanted
from ragproof_core.engine.selection import Metric
from ragproof_core.errors import ExecutionError, JudgeError, reason_of
from ragproof_core.judge_setup import JudgeSetup, judge_of
from ragproof_core.judging.estimate import JudgeEstimate, estimate
from ragproof_core.judging.probe import probe_judge
from ragproof_core.models.judging import Prompt
from ragproof_core.models.response import Response
from ragproof_core.project import Project, open_project
from ragproof_core.reporting.numbers import counted
from ragproof_core.reporting.printable import one_line, printable

_MOST_METRICS_NAMED = 6


@click.command("check")
@config_option
@click.option("--dataset", type=click.Path(path_type=Path), help="Another dataset than the config's.")
@no_plugin_option
@json_option
def command(config: Path, dataset: Path | None, no_plugins: tuple[str, ...], as_json: bool) -> None:  # noqa: FBT001
    """Check config, dataset, store, adapter and judge: one question is really asked.

    Prints what judge calls a run would make and what they could cost, before anything is spent on them.
    """
    findings: list[dict[str, Any]] = []
    with clean_stdout(as_json) as out, open_project(config, no_plugins=no_plugins) as project:

        def found(part: str, text: str, **facts: Any) -> None:
            text = project.redact(text)
            findings.append({"part": part, "ok": True, "detail": text, **facts})
            if not as_json:
                print(f"{part:<9} {printable(text)}")

        _check(project, dataset, found)
        if as_json:
            print_json({"checks": findings}, out)


def _check(project: Project, dataset: Path | None, found: Callable[..., None]) -> None:
    found("config", str(project.config.file))
    cases = load_dataset(dataset or project.dataset_path)
    kinds = ", ".join(f"{count} {kind}" for kind, count in cases.info.kinds.items())
    found("dataset", f"{cases.info.name}: {counted(cases.info.cases, 'case')} ({kinds})")
    metrics = project.metrics()
    names = [metric.name for metric in metrics]
    more = f" and {len(names) - _MOST_METRICS_NAMED} more" if len(names) > _MOST_METRICS_NAMED else ""
    found("metrics", f"{', '.join(names[:_MOST_METRICS_NAMED])}{more}", names=names)
    if project.store is None:
        found("store", "none is installed: results are printed and not kept")
    else:
        runs = project.store.call("runs")
        found("store", f"{project.store.name}: {counted(len(runs), 'run')}")
    response = _ask(project, cases, metrics)
    found("adapter", f"{project.adapter.name}: {_summary(response, project.redact)}")
    _judge(project, cases, metrics, response, found)


def _ask(project: Project, cases: Dataset, metrics: Sequence[Metric]) -> Response:
    adapter, case, seconds = project.adapter, cases.cases[0], project.settings.case_timeout_seconds
    hooks = hooks_wanted(metrics) & adapter.hooks
    try:
        return within(seconds, lambda: ask_adapter(adapter, case, hooks, project.settings))
    except GivenUpError:
        raise ExecutionError(f"adapter: asked {case.id!r}, it did not return within {seconds:g} s") from None
    except KeyboardInterrupt:
        raise
    except BaseException as problem:
        raise ExecutionError(f"adapter: asked {case.id!r}: {project.redact(reason_of(problem))}") from problem


def _summary(response: Response, redact: Callable[[str], str]) -> str:
    parts = [f"asked one question, {response.timings_ms['total']:.0f} ms"]
    if response.retrieved is not None:
        parts.append(counted(len(response.retrieved), "chunk"))
    if response.answer is not None:
        parts.append(f"answer {one_line(redact(response.answer.answer_text), 60)!r}")
        parts.append(counted(len(response.answer.citations), "citation"))
    return ", ".join(parts)


def _judge(
    project: Project, cases: Dataset, metrics: Sequence[Metric], response: Response, found: Callable[..., None]
) -> None:
    if not any(metric.uses_judge(configured=True) for metric in metrics):
        found("judge", "no metric asks one")
        return
    setup = judge_of(project)
    if setup is None:
        found("judge", "none is configured; metrics that need one are skipped")
        return
    reachable = _reach(setup, project)
    planned = _estimate(setup, cases, metrics, response)
    price = "prices unknown" if planned.cost_usd is None else f"at most ${planned.cost_usd:.4f}"
    found(
        "judge",
        f"{setup.described['type']}/{setup.described['model']}: {reachable}; a run makes up to "
        f"{counted(planned.calls, 'call')}, "
        f"about {planned.input_tokens:,} tokens in and at most {planned.output_tokens:,} out, {price}",
        calls={prompt.prompt: prompt.calls for prompt in planned.prompts},
        cost_usd=planned.cost_usd,
    )


def _reach(setup: JudgeSetup, project: Project) -> str:
    try:
        return probe_judge(setup.component, setup.options.max_tokens)
    except JudgeError as problem:
        raise ExecutionError(f"judge: {project.redact(str(problem))}") from problem


def _estimate(setup: JudgeSetup, cases: Dataset, metrics: Sequence[Metric], response: Response) -> JudgeEstimate:
    return estimate(_asks(cases, metrics, response), max_tokens=setup.options.max_tokens, prices=setup.options.prices)


def _asks(cases: Dataset, metrics: Sequence[Metric], response: Response) -> Iterator[tuple[Prompt, Mapping[str, Any]]]:
    """Every prompt for every case that it could be asked about; the one real answer stands in for the others."""
    answer = response.answer.answer_text if response.answer else None
    sample = {"answer": answer, "chunks": response.context, "context": response.context}
    known = {name: value for name, value in sample.items() if value is not None}
    for metric in metrics:
        for prompt in metric.prompts:
            for case in cases.cases:
                if case.kind in metric.kinds and not ("expected_answer" in metric.needs and not case.expected_answer):
                    yield prompt, {**known, "question": case.question, "expected_answer": case.expected_answer or ""}
