"""The user's own labelled file: one example a line, every bad line reported."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ragproof_calibrate.samples import Sample, checked_score
from ragproof_core import Prompt
from ragproof_core.errors import DatasetError
from ragproof_core.judging.rendering import read_template

_MOST_PROBLEMS = 20
_BESIDE_VARIABLES = ("prompt", "expected", "about", "id")


class _LineProblemError(ValueError):
    """What is wrong with a line: ``field: reason``."""


def load_labels(path: Path, prompts: Iterable[Prompt]) -> list[Sample]:
    """Read a JSON Lines file of ``{"prompt", "variables", "expected"}``, or with the variables beside the other keys.

    A chunk of a list may be just its text; it is then named by its place, from 1. Raises ``DatasetError`` with up to
    20 lines ``file:line: field: reason``.
    """
    known = {prompt.name: prompt for prompt in prompts}
    samples: list[Sample] = []
    problems: list[str] = []
    for number, line in _lines(path):
        try:
            samples.append(_sample(line, known, f"{path.name}:{number}"))
        except _LineProblemError as problem:
            problems.append(f"{path}:{number}: {problem}")
    if problems:
        rest = len(problems) - _MOST_PROBLEMS
        shown = problems[:_MOST_PROBLEMS] + ([f"and {rest} more"] if rest > 0 else [])
        raise DatasetError("\n".join(shown))
    if not samples:
        raise DatasetError(f"{path}: has no examples; expected one JSON object a line with 'prompt' and 'expected'")
    return samples


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise DatasetError(f"{path}: no such file; check --labels") from None
    except UnicodeDecodeError as problem:
        raise DatasetError(f"{path}: is not UTF-8: byte {problem.start}: {problem.reason}; save it as UTF-8") from None
    except OSError as problem:
        raise DatasetError(f"{path}: cannot be read: {problem.strerror or problem}") from None
    for number, line in enumerate(text.split("\n"), 1):
        if stripped := line.strip(" \t\r"):
            yield number, stripped


def _sample(line: str, known: Mapping[str, Prompt], where: str) -> Sample:
    row = _object(line)
    prompt = _prompt(row, known)
    if "expected" not in row:
        raise _LineProblemError("expected: is missing; give a number from 0 to 1, or null for not applicable")
    try:
        expected = checked_score(row["expected"])
    except ValueError as problem:
        raise _LineProblemError(f"expected: {problem}") from None
    return Sample(prompt, _variables(row, prompt), expected, where)


def _object(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise _LineProblemError(f"line: is not JSON: {problem}") from None
    if not isinstance(row, dict):
        raise _LineProblemError(f"line: expected a JSON object, found {type(row).__name__}")
    return row


def _prompt(row: Mapping[str, Any], known: Mapping[str, Prompt]) -> Prompt:
    name = row.get("prompt")
    if not isinstance(name, str) or name not in known:
        near = get_close_matches(str(name), known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"the metrics in use have: {', '.join(known) or 'none'}"
        raise _LineProblemError(f"prompt: {'is missing' if name is None else f'unknown prompt {name!r}'}; {hint}")
    return known[name]


def _variables(row: Mapping[str, Any], prompt: Prompt) -> dict[str, Any]:
    given = row.get("variables", {name: value for name, value in row.items() if name not in _BESIDE_VARIABLES})
    if not isinstance(given, dict):
        raise _LineProblemError(f"variables: expected an object, found {type(given).__name__}")
    wanted = read_template(prompt).variables
    if missing := sorted(wanted - given.keys()):
        raise _LineProblemError(f"{missing[0]}: is missing; prompt {prompt.name} needs {', '.join(sorted(wanted))}")
    if unknown := sorted(given.keys() - wanted):
        raise _LineProblemError(f"{unknown[0]}: unknown; prompt {prompt.name} needs {', '.join(sorted(wanted))}")
    lists = _list_variables(prompt)
    return {name: _value(name, value, is_list=lists.get(name)) for name, value in given.items()}


def _list_variables(prompt: Prompt) -> dict[str, bool]:
    """Tell for each variable whether it is a chunk list, from the prompt's own first example."""
    try:
        example = next(prompt.fixtures(), None)
    except (OSError, ValueError, KeyError, TypeError):
        example = None
    return {} if example is None else {name: isinstance(value, list) for name, value in example.variables.items()}


def _value(name: str, value: object, *, is_list: bool | None) -> object:
    if isinstance(value, list) and is_list is not False:
        return _chunks(name, value)
    if isinstance(value, str) and is_list is not True:
        return value
    expected = "a list of chunks" if is_list else "text" if is_list is False else "text or a list of chunks"
    raise _LineProblemError(f"{name}: expected {expected}, found {type(value).__name__}")


def _chunks(name: str, values: Sequence[object]) -> list[dict[str, str]]:
    chunks: list[dict[str, str]] = []
    for place, value in enumerate(values, 1):
        if isinstance(value, str):
            chunks.append({"id": str(place), "text": value})
        elif isinstance(value, dict) and isinstance(value.get("text"), str) and value.get("id") not in (None, ""):
            chunks.append({"id": str(value["id"]), "text": value["text"]})
        else:
            raise _LineProblemError(f"{name}: entry {place} is no chunk; give its text, or an object with id and text")
    repeated = [chunk["id"] for chunk in chunks if sum(other["id"] == chunk["id"] for other in chunks) > 1]
    if repeated:
        raise _LineProblemError(f"{name}: the chunk id {repeated[0]!r} occurs twice")
    return chunks
