"""``ragproof compare``: two stored runs, case by case."""

from __future__ import annotations

from pathlib import Path

import click

from ragproof_core.cli.options import config_option, json_option
from ragproof_core.cli.output import clean_stdout, print_json, print_table
from ragproof_core.project import open_project
from ragproof_core.stored_runs import find_run
from ragproof_gate.comparability import remarks, require_comparable
from ragproof_gate.comparison_json import comparison_to_dict
from ragproof_gate.comparison_text import HEADERS, TAG_HEADERS, foot_lines, head_lines, metric_rows, tag_rows
from ragproof_gate.flipped_cases import FlippedCase, flipped_cases, with_answers
from ragproof_gate.run_comparison import RunComparison, compare_runs
from ragproof_gate.run_scores import read_scores


@click.command("compare")
@click.argument("base")
@click.argument("cand")
@click.option("--allow-mixed-judges", is_flag=True, help="Compare although the judges or their templates differ.")
@click.option("--cases", "show_cases", is_flag=True, help="List the cases that changed, with both answers.")
@config_option
@json_option
def command(
    base: str,
    cand: str,
    allow_mixed_judges: bool,  # noqa: FBT001
    show_cases: bool,  # noqa: FBT001
    config: Path,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Compare run CAND with run BASE on the cases of both: what changed, and whether to believe it.

    A run is an id, a unique beginning of one, a label, or 'latest'.
    """
    with clean_stdout(as_json) as out, open_project(config) as project:
        store = project.required_store()
        runs = find_run(store, base), find_run(store, cand)
        waived = require_comparable(*runs, allow_mixed_judges=allow_mixed_judges)
        notes = [*(f"compared all the same: {difference}" for difference in waived), *remarks(*runs)]
        scores = read_scores(store, runs[0]), read_scores(store, runs[1])
        found = compare_runs(*scores, remarks=notes)
        flipped: list[FlippedCase] | None = None
        if show_cases:
            rows = (store.call("results", run_id=run.run_id) for run in runs)
            flipped = with_answers(flipped_cases(found, *scores), *rows)
        if as_json:
            print_json(comparison_to_dict(found, flipped), out)
        else:
            _print(found, flipped)


def _print(found: RunComparison, flipped: list[FlippedCase] | None) -> None:
    for line in head_lines(found):
        print(line)
    print()
    print_table(HEADERS, metric_rows(found))
    rows_by_tag = tag_rows(found)
    if rows_by_tag:
        print()
        print_table(TAG_HEADERS, rows_by_tag, right_from=2)
    print()
    for line in foot_lines(found, rows_by_tag):
        print(line)
    if flipped is not None:
        from ragproof_gate.flipped_text import flipped_text, terminal_width

        print(f"\n{flipped_text(flipped, terminal_width())}")
