"""``ragproof show``: one stored run, its failures, or one case of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from ragproof_core.cli.one_screen import print_headline, print_run
from ragproof_core.cli.options import config_option, json_option
from ragproof_core.cli.output import clean_stdout, print_json, terminal_width
from ragproof_core.errors import ConfigError
from ragproof_core.execution import RUNNING
from ragproof_core.models.outcome import Outcome
from ragproof_core.models.run import CaseResult, RunRecord
from ragproof_core.project import open_project
from ragproof_core.reporting.failures import failures, lost_by_stage
from ragproof_core.reporting.json_shapes import with_results
from ragproof_core.reporting.numbers import counted
from ragproof_core.reporting.printable import fitted, one_line, printable
from ragproof_core.stored_runs import find_run

_TEXT_FROM = len("  question  ")


@click.command("show")
@click.argument("run", default="latest")
@config_option
@click.option("--case", "case_id", metavar="ID", help="One case with everything that is known of it.")
@click.option("--failures", "only_failures", is_flag=True, help="The cases that failed or scored worst, and why.")
@json_option
def command(run: str, config: Path, case_id: str | None, only_failures: bool, as_json: bool) -> None:  # noqa: FBT001
    """Show one stored run. RUN is an id, the beginning of one, a label, or 'latest'."""
    with clean_stdout(as_json) as out, open_project(config) as project:
        store = project.required_store()
        found = find_run(store, run)
        results: Iterable[CaseResult] = store.call("results", run_id=found.run_id)
        if case_id is not None:
            results = [_case(results, case_id, found)]
        elif only_failures:
            results = list(failures(results, found.summaries))
        if as_json:
            print_json(with_results(found, results), out)
        elif case_id is not None:
            for result in results:
                _print_case(result)
        else:
            show_run = print_headline if only_failures else print_run
            show_run(found, store.call("calibrations") or ())
            if found.status == RUNNING:
                stored = sum(1 for _ in store.call("results", run_id=found.run_id))
                whole = counted(found.dataset.cases, "case")
                print(f"not finished: {stored} of {whole} stored; if its process has ended,")
                print(f"finish it with: ragproof run --resume {found.run_id}")
            if only_failures:
                _print_failures(results, found)


def _case(results: Iterable[CaseResult], case_id: str, run: RunRecord) -> CaseResult:
    for result in results:
        if result.case_id == case_id:
            return result
    raise ConfigError(f"--case: run {run.run_id} has no case {case_id!r}")


def _print_failures(results: Iterable[CaseResult], run: RunRecord) -> None:
    shown, width = 0, terminal_width()
    for result in results:
        shown += 1
        print(f"\n{fitted(result.case_id, width)}")
        texts = (("question", result.question), ("expected", result.expected_answer), ("answer", result.answer_text))
        for name, text in texts:
            if text is not None:
                print(f"  {name:<8}  {fitted(text, width - _TEXT_FROM) or '(empty)'}")
        for line in _troubles(result, run):
            print(f"  {line}")
    if not shown:
        print("\nno case failed, and every score is the best that its metric has")
    for stage, lost in lost_by_stage(results):
        print(f"\nlost at {stage}: {', '.join(one_line(case_id) for case_id in lost)}")


def _troubles(result: CaseResult, run: RunRecord) -> Iterator[str]:
    if result.error:
        yield f"{result.status}: {one_line(result.error, 200)}"
    directions = {summary.metric: summary.direction for summary in run.summaries}
    for name, outcome in sorted(result.scores.items()):
        if outcome.status in ("error", "judge_error") or _is_worst(outcome, directions.get(name, "none")):
            yield _outcome(name, outcome)


def _is_worst(outcome: Outcome, direction: str) -> bool:
    worst = {"higher": 0.0, "lower": 1.0}.get(direction)
    return outcome.value is not None and outcome.value == worst


def _outcome(name: str, outcome: Outcome) -> str:
    value = outcome.status if outcome.value is None else f"{outcome.value:.4g}"
    return f"{printable(name)}: {value}" + (f" ({one_line(outcome.reason, 160)})" if outcome.reason else "")


def _print_case(result: CaseResult) -> None:
    expected = set(result.expected_source_ids)
    print(f"case      {printable(result.case_id)} ({result.kind}) {result.status}, {result.duration_ms:.0f} ms")
    print(f"question  {printable(result.question)}")
    if result.expected_answer is not None:
        print(f"expected  {printable(result.expected_answer)}")
    if result.error:
        print(f"error     {printable(result.error)}")
    if result.answer_text is not None:
        print(f"answer    {printable(result.answer_text)}")
    if result.citations:
        print(f"cites     {printable(', '.join(result.citations))}")
    for rank, chunk in enumerate(result.retrieved or (), 1):
        mark = "*" if {chunk.id, chunk.document_id} & expected else " "
        print(f"{mark}{rank:>3}  {one_line(chunk.id, 40)}  {one_line(chunk.text, 100)}")
    for name, outcome in sorted(result.scores.items()):
        print(f"  {_outcome(name, outcome)}")
    for name, raw in sorted(result.judge_raw.items()):
        print(f"  {printable(name)} judge: {printable(raw)}")
