"""Rows of JSONL, JSON and CSV files, each with the place it came from."""

from __future__ import annotations

import ast
import contextlib
import csv
import dataclasses
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from ragproof_adapter_replay.problems import Problems, excerpt
from ragproof_core import ConfigError

Format = Literal["jsonl", "json", "csv", "trec"]

_BY_SUFFIX: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "csv",
    ".run": "trec",
    ".trec": "trec",
}


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """Field values at a place (``file:line``, lines counted from 1)."""

    place: str
    values: dict[str, Any]


def format_of(path: Path) -> Format:
    """Return the format that the file's suffix stands for.

    Raises:
        ConfigError: the suffix is not a known one.
    """
    found = _BY_SUFFIX.get(path.suffix.lower())
    if found is None:
        known = ", ".join(_BY_SUFFIX)
        raise ConfigError(f"{path.name}: the suffix does not tell the format (known: {known}); set `format`")
    return found


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file, with or without a byte-order mark.

    Raises:
        ConfigError: the file cannot be read or is not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not UTF-8: byte {error.start} is 0x{error.object[error.start]:02x}") from error


def read_rows(path: Path, file_format: Format, problems: Problems) -> Iterator[Row]:
    """Yield the rows of a JSONL, JSON or CSV file; what cannot be read goes to ``problems``."""
    text = read_text(path)
    if file_format == "csv":
        delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
        yield from _csv_rows(path.name, text, delimiter, problems)
    elif file_format == "json":
        yield from _json_rows(path.name, text, problems)
    else:
        yield from _jsonl_rows(path.name, text, problems)


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield (number, line) of the lines that are not blank; only line feeds end a line, never U+2028."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line.rstrip("\r")


def _jsonl_rows(name: str, text: str, problems: Problems) -> Iterator[Row]:
    for number, line in lines_of(text):
        place = f"{name}:{number}"
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            problems.add(place, "", f"not JSON: {error}")
            continue
        if isinstance(value, dict):
            yield Row(place, value)
        else:
            problems.add(place, "", f"expected an object, got {excerpt(value)}")


def _json_rows(name: str, text: str, problems: Problems) -> Iterator[Row]:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        problems.add(name, "", f"not JSON: {error}")
        return
    if not isinstance(values, list):
        problems.add(name, "", f"expected a list of objects, got {excerpt(values)}")
        return
    for number, value in enumerate(values):
        if isinstance(value, dict):
            yield Row(f"{name}[{number}]", value)
        else:
            problems.add(f"{name}[{number}]", "", f"expected an object, got {excerpt(value)}")


def _csv_rows(name: str, text: str, delimiter: str, problems: Problems) -> Iterator[Row]:
    with _cells_of_any_length():
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, restkey="", strict=True)
        start = 1
        try:
            for cells in reader:
                place = f"{name}:{max(start, reader.line_num - _inner_newlines(cells))}"
                start = reader.line_num + 1
                if "" in cells:
                    problems.add(place, "", f"has more cells than the header's {len(reader.fieldnames or ())}")
                else:
                    yield Row(place, {field: cell for field, cell in cells.items() if cell is not None})
        except csv.Error as error:
            problems.add(f"{name}:{reader.line_num}", "", f"not CSV: {error}")


def _inner_newlines(cells: dict[str, Any]) -> int:
    return sum(cell.count("\n") for cell in cells.values() if isinstance(cell, str))


@contextlib.contextmanager
def _cells_of_any_length() -> Iterator[None]:
    # The csv module refuses cells above 128 KiB, a limit of the whole process: it is put back.
    before = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    try:
        yield
    finally:
        csv.field_size_limit(before)


def decode_cell(cell: str) -> Any:
    """Return the list or object that a CSV cell holds as JSON or as a Python literal, else the text itself."""
    if cell.lstrip()[:1] not in ("[", "{"):
        return cell
    for decode in (json.loads, ast.literal_eval):
        with contextlib.suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            value = decode(cell.strip())
            if isinstance(value, (list, dict)):
                return value
    return cell
