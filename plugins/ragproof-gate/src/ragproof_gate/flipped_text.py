"""Flipped cases as text, both answers side by side."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from ragproof_core.models.run import CaseResult
from ragproof_core.reporting.printable import one_line, printable
from ragproof_gate.flipped_cases import FlippedCase, ScoreChange
from ragproof_gate.number_text import number

if TYPE_CHECKING:
    from rich.table import Table

_PIPED_WIDTH = 110
_LEAST_WIDTH = 60
_MOST_CHARACTERS = 600
_MARKS = {"better": "+", "worse": "-", "higher": "↑", "lower": "↓", "gained": "?", "lost": "?"}


def print_flipped(cases: Sequence[FlippedCase], out: TextIO | None = None) -> None:
    """Print every case with its changed scores and both answers in two columns; rich keeps wide characters aligned."""
    from rich.console import Console

    width = max(_LEAST_WIDTH, shutil.get_terminal_size((_PIPED_WIDTH, 24)).columns)
    console = Console(file=out or sys.stdout, width=width, highlight=False, markup=False, emoji=False, no_color=True)
    console.print(f"{len(cases)} cases changed" if cases else "no case changed")
    for case in cases:
        known = case.cand or case.base
        console.print(f"\n{printable(case.case_id)}  {one_line(known.question if known else '', width)}")
        for change in case.changes:
            console.print(f"  {_score(change)}")
        console.print(_answers(case))


def _score(change: ScoreChange) -> str:
    base, cand = number(change.base), number(change.cand)
    unscored = " (not scored in both)" if change.change in ("gained", "lost") else ""
    return f"{_MARKS[change.change]} {printable(change.metric)} {base} → {cand}{unscored}"


def _answers(case: FlippedCase) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, padding=(0, 1), expand=True)
    for _ in ("base", "cand"):
        table.add_column(ratio=1, overflow="fold")
    sides = case.base, case.cand
    if _same_answer(*sides):
        sides_text = [f"base and cand: {_answer(case.base)}", ""]
    else:
        sides_text = [f"{name}: {_answer(side)}" for name, side in zip(("base", "cand"), sides, strict=True)]
    table.add_row(*(Text(text) for text in sides_text))
    if _retrieved(case.base) != _retrieved(case.cand):
        table.add_row(*(Text(f"retrieved: {_ids(side)}") for side in sides))
    return table


def _same_answer(base: CaseResult | None, cand: CaseResult | None) -> bool:
    if base is None or cand is None:
        return False
    return (base.status, base.answer_text) == (cand.status, cand.answer_text)


def _answer(result: CaseResult | None) -> str:
    if result is None:
        return "no result"
    if result.status != "ok":
        return f"{result.status}: {one_line(result.error or 'no reason given', _MOST_CHARACTERS)}"
    text = result.answer_text
    if text is None:
        return "no answer asked for"
    lines = "\n".join(printable(line) for line in text[:_MOST_CHARACTERS].split("\n"))
    return lines + ("…" if len(text) > _MOST_CHARACTERS else "")


def _retrieved(result: CaseResult | None) -> list[str] | None:
    return None if result is None or result.retrieved is None else [chunk.id for chunk in result.retrieved]


def _ids(result: CaseResult | None) -> str:
    return ", ".join(_printable_ids(_retrieved(result) or [])) or "nothing"


def _printable_ids(ids: Sequence[str]) -> Iterator[str]:
    return (one_line(chunk_id, 60) for chunk_id in ids)
