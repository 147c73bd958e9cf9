"""Where output goes: JSON alone on stdout, tables in colour on a terminal only."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Any, TextIO

from ragproof_core.reporting.json_text import dumps
from ragproof_core.reporting.printable import printable

_PIPED_WIDTH = 110
_LEAST_WIDTH = 40


@contextmanager
def clean_stdout(active: bool) -> Iterator[TextIO]:  # noqa: FBT001
    """Yield the real stdout; while ``active``, whatever else is printed there goes to stderr.

    That covers plugins and pipelines that print, and their child processes.
    """
    if not active:
        yield sys.stdout
        return
    real = sys.stdout
    try:
        saved = os.dup(1)
        os.dup2(2, 1)
    except OSError:
        with redirect_stdout(sys.stderr):
            yield real
        return
    try:
        with open(saved, "w", encoding="utf-8", closefd=False) as out, redirect_stdout(sys.stderr):
            yield out
    finally:
        os.dup2(saved, 1)
        os.close(saved)


def print_json(value: Any, out: TextIO) -> None:
    """Print one JSON document."""
    out.write(dumps(value) + "\n")
    out.flush()


def terminal_width() -> int:
    """Return the columns of the terminal; a fixed number in a pipe."""
    return max(_LEAST_WIDTH, shutil.get_terminal_size((_PIPED_WIDTH, 24)).columns)


def print_table(headers: Sequence[str], rows: Iterable[Sequence[str]], *, right_from: int = 1) -> None:
    """Print a table; columns from ``right_from`` on are aligned right. Cells are data, not markup."""
    rows = [[printable(cell) for cell in row] for row in rows]
    if sys.stdout.isatty():
        _print_rich_table(headers, rows, right_from)
        return
    widths = [max(len(row[column]) for row in (headers, *rows)) for column in range(len(headers))]
    for row in (headers, *rows):
        cells = [
            f"{cell:>{width}}" if place >= right_from else f"{cell:<{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())


def _print_rich_table(headers: Sequence[str], rows: Sequence[Sequence[str]], right_from: int) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # a line that is too long is wrapped by the terminal: names and numbers stay whole, to be read and copied
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for place, header in enumerate(headers):
        table.add_column(header, justify="right" if place >= right_from else "left", no_wrap=True, overflow="ignore")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console = Console()
    console.width = max(console.width, console.measure(table).maximum)
    console.print(table, soft_wrap=True)


@contextmanager
def progress_bar(title: str, total: int) -> Iterator[Callable[[int, int], None] | None]:
    """Yield a callback for a progress bar on stderr; ``None`` when stderr is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[failed]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(printable(title), total=total, failed="")

        def advance(done: int, failed: int) -> None:
            bar.update(task, completed=done, failed=f"{failed} failed" if failed else "")

        yield advance
