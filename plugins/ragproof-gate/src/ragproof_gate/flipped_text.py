"""Flipped cases as text, both answers side by side."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from io import StringIO

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ragproof_core.models.run import CaseResult
from ragproof_core.reporting.numbers import counted
from ragproof_core.reporting.printable import one_line, printable
from ragproof_gate.flipped_cases import FlippedCase, ScoreChange
from ragproof_gate.number_text import number

_PIPED_WIDTH = 110
_LEAST_WIDTH = 60
_MOST_CHARACTERS = 600
_MARKS = {"better": "+", "worse": "-", "higher": "↑", "lower": "↓", "gained": "?", "lost": "?"}


def flipped_text(cases: Sequence[FlippedCase], width: int) -> str:
    """Every case with its changed scores and both answers in two columns, at most ``width`` columns wide."""
    text = StringIO()
    console = Console(file=text, width=width, highlight=False, markup=False, emoji=False, no_color=True)
    console.print(f"{counted(len(cases), 'case')} changed:" if cases else "no case changed in a metric that is a share")
    for case in cases:
        known = case.cand or case.base
        console.print(f"\n{printable(case.case_id)}  {one_line(known.question if known else '', width)}")
        for change in case.changes:
            console.print(f"  {_score(change)}")
        if _same_answer(case.base, case.cand):
            console.print(Padding(Text(f"both: {_answer(case.base)}"), (0, 1)))
        console.print(_side_by_side(case))
    return "\n".join(line.rstrip() for line in text.getvalue().split("\n")).rstrip()


def terminal_width() -> int:
    """The columns of the terminal; a fixed number in a pipe."""
    return max(_LEAST_WIDTH, shutil.get_terminal_size((_PIPED_WIDTH, 24)).columns)


def _score(change: ScoreChange) -> str:
    base, cand = number(change.base), number(change.cand)
    unscored = " (not scored in both)" if change.change in ("gained", "lost") else ""
    return f"{_MARKS[change.change]} {printable(change.metric)} {base} → {cand}{unscored}"


def _side_by_side(case: FlippedCase) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 1), expand=True)
    for _ in ("base", "cand"):
        table.add_column(ratio=1, overflow="fold")
    sides = case.base, case.cand
    if not _same_answer(*sides):
        table.add_row(Text(f"base: {_answer(case.base)}"), Text(f"cand: {_answer(case.cand)}"))
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
