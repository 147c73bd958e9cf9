"""Reading a dataset: one case a line, every bad line reported."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from ragproof_core.dataset.sealing import SEAL_KEY, check_seal
from ragproof_core.errors import DatasetError
from ragproof_core.models.case import Case
from ragproof_core.models.run import DatasetInfo

_MOST_PROBLEMS = 20
_CASE: TypeAdapter[Case] = TypeAdapter(Case)
_FIELDS = tuple(Case.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class Dataset:
    """The cases in file order, and what identifies them.

    ``info.sha256`` is over the cases' lines as written, without line ends and blank lines, so that CRLF, a byte order
    mark and a seal change nothing.
    """

    info: DatasetInfo
    cases: tuple[Case, ...]


def load_dataset(path: Path, limit: int | None = None) -> Dataset:
    """Read a JSON Lines or frozen dataset; ``limit`` keeps the first cases only.

    Raises :class:`DatasetError` with up to 20 lines ``file:line: field: reason``.
    """
    lines = _lines(path)
    sealed = bool(lines) and SEAL_KEY in lines[0][1][:200] and check_seal(path, lines)
    if sealed:
        lines = lines[1:]
    if limit is not None:
        lines = lines[:limit]
    cases = _parse(path, lines)
    if not cases:
        raise DatasetError(f"{path}: has no cases; expected one JSON object a line with at least 'id' and 'question'")
    digest = hashlib.sha256()
    for _, line in lines:
        digest.update(line.encode())
        digest.update(b"\n")
    return Dataset(_info(path.name, digest.hexdigest(), cases), cases)


def dataset_from_cases(cases: Iterable[Case | Mapping[str, Any]], name: str = "cases") -> Dataset:
    """Make a dataset of cases, or dicts of a case's shape; numbering from 1 in messages."""
    items: list[Case] = []
    problems: list[str] = []
    for number, item in enumerate(cases, 1):
        try:
            items.append(item if isinstance(item, Case) else _CASE.validate_python(item))
        except ValidationError as problem:
            problems.extend(f"{name}:{number}: {text}" for text in _describe(problem))
    problems.extend(_repeated(name, [(number, case.id) for number, case in enumerate(items, 1)]))
    _raise(problems)
    if not items:
        raise DatasetError(f"{name}: there are no cases to run")
    digest = hashlib.sha256()
    for number, case in enumerate(items, 1):
        try:
            digest.update(_CASE.dump_json(case) + b"\n")
        except PydanticSerializationError as problem:
            raise DatasetError(f"{name}:{number}: cannot be written as JSON: {problem}") from None
    return Dataset(_info(name, digest.hexdigest(), tuple(items)), tuple(items))


def _info(name: str, sha256: str, cases: tuple[Case, ...]) -> DatasetInfo:
    return DatasetInfo(name, sha256, len(cases), dict(sorted(Counter(case.kind for case in cases).items())))


def _lines(path: Path) -> list[tuple[int, str]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise DatasetError(f"{path}: no such file; check 'dataset' in the config, or --dataset") from None
    except UnicodeDecodeError as problem:
        raise DatasetError(f"{path}: is not UTF-8: byte {problem.start}: {problem.reason}; save it as UTF-8") from None
    except OSError as problem:
        raise DatasetError(f"{path}: cannot be read: {problem.strerror or problem}") from None
    # only a line feed ends a line: JSON strings may hold U+2028 and its like
    stripped = ((number, line.strip(" \t\r")) for number, line in enumerate(text.split("\n"), 1))
    return [(number, line) for number, line in stripped if line]


def _parse(path: Path, lines: list[tuple[int, str]]) -> tuple[Case, ...]:
    cases: list[Case] = []
    where: list[tuple[int, str]] = []
    problems: list[str] = []
    validate = _CASE.validate_json
    for number, line in lines:
        try:
            case = validate(line)
        except ValidationError as problem:
            if len(problems) < _MOST_PROBLEMS:
                problems.extend(f"{path}:{number}: {text}" for text in _describe(problem, line))
            else:
                problems.append("")
        except UnicodeEncodeError:
            problems.append(f"{path}:{number}: holds half of a surrogate pair; write the character itself")
        else:
            cases.append(case)
            where.append((number, case.id))
    problems.extend(_repeated(str(path), where))
    _raise(problems)
    return tuple(cases)


def _repeated(name: str, where: list[tuple[int, str]]) -> Iterator[str]:
    first: dict[str, int] = {}
    for number, case_id in where:
        if case_id in first:
            yield f"{name}:{number}: id: {case_id!r} is already used in line {first[case_id]}"
        else:
            first[case_id] = number


def _raise(problems: list[str]) -> None:
    if problems:
        shown = [text for text in problems[:_MOST_PROBLEMS] if text]
        hidden = len(problems) - len(shown)
        raise DatasetError("\n".join([*shown, f"… and {hidden} more"] if hidden > 0 else shown))


def _describe(problem: ValidationError, line: str | None = None) -> Iterator[str]:
    for error in problem.errors():
        field = ".".join(str(part) for part in error["loc"])
        kind = error["type"]
        if kind == "json_invalid":
            yield _json_reason(line or "")
        elif kind in ("dataclass_type", "dataclass_exact_type"):
            yield "expected a JSON object with at least 'id' and 'question'"
        elif kind == "unexpected_keyword_argument":
            name = str(error["loc"][-1])
            known = _FIELDS if len(error["loc"]) == 1 else ("role", "content")
            near = get_close_matches(name, known, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"known fields: {', '.join(known)}"
            yield f"{field}: unknown field; {hint}"
        elif kind in ("missing", "missing_argument"):
            yield f"{field}: is required"
        elif kind == "string_pattern_mismatch":
            yield f"{field}: must not be blank"
        else:
            yield f"{field}: {str(error['msg'])[:1].lower()}{str(error['msg'])[1:]}"


def _json_reason(line: str) -> str:
    try:
        json.loads(line)
    except json.JSONDecodeError as problem:
        return f"not JSON: {problem.msg} at column {problem.colno}"
    except ValueError:
        return "not JSON that can be read: it holds a number with too many digits"
    except RecursionError:
        return "not JSON: nested too deeply"
    return "not JSON that can be read: a number or a string in it is out of bounds"
