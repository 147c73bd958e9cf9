"""From a judge's raw text to a validated reply: exactly one object must fit, else the reply is unusable."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from ragproof_core.judging.json_objects import FoundObject, SearchLimitError, find_objects

Model = TypeVar("Model", bound=BaseModel)

_REASONING = re.compile(
    r"<(?P<close>/?)(?:think|thinking|thought|reasoning)>|\[(?P<bracket_close>/?)THINK\]", re.IGNORECASE
)
_SHOWN_PROBLEMS = 5
_UNWRAP_DEPTH = 3


class UnusableReplyError(ValueError):
    """Why a reply is not a verdict, in words that the judge can act on when it is asked again."""


def parse_reply(text: str, model: type[Model]) -> Model:
    """Return the one object in the text that fits the model.

    It may stand in a Markdown fence, behind reasoning or a thinking block, before trailing prose, or as the only value
    of a wrapping object. Objects that say the same count once. Raises :class:`UnusableReplyError`.
    """
    fitting: list[Model] = []
    problem: str | None = None
    for candidate, value in _candidates(text):
        reply, misfit = _fit(candidate, value, model)
        if reply is None:
            problem = problem or misfit
        elif not fitting:
            fitting.append(reply)
        elif reply != fitting[0]:
            raise UnusableReplyError("ambiguous: several different JSON objects fit; exactly one is expected")
    if fitting:
        return fitting[0]
    raise UnusableReplyError(problem or ("no JSON object found" if text.strip() else "the reply is empty"))


def _candidates(text: str) -> list[tuple[str, dict[str, Any] | None]]:
    """JSON texts of the objects to look at; with the value where it had to be decoded to see that."""
    stripped = text.strip()
    if stripped.startswith("{"):
        try:
            return [(stripped, _decode(stripped))]
        except (ValueError, RecursionError):
            pass
    try:
        found = list(find_objects(text))
    except SearchLimitError as error:
        raise UnusableReplyError(str(error)) from None
    after = _end_of_reasoning(text, found)
    return [(candidate, None) for candidate in dict.fromkeys(one.json for one in found if one.start >= after)]


def _end_of_reasoning(text: str, found: list[FoundObject]) -> int:
    """Where the reply proper starts: after the last closing tag that is not part of an object.

    A block that is never closed leaves nothing: a verdict that was still being thought about is none.
    """
    end, still_open, upcoming = 0, False, iter(found)
    current = next(upcoming, None)
    for tag in _REASONING.finditer(text):
        while current is not None and current.end <= tag.start():
            current = next(upcoming, None)
        if current is not None and current.start <= tag.start():
            continue
        still_open = not (tag["close"] or tag["bracket_close"])
        end = tag.end()
    return len(text) if still_open else end


def _fit(candidate: str, value: dict[str, Any] | None, model: type[Model]) -> tuple[Model | None, str | None]:
    problem: str | None = None
    for _ in range(_UNWRAP_DEPTH):
        try:
            value = _decode(candidate) if value is None else value
            return model.model_validate_json(candidate), None
        except ValidationError as error:
            problem = problem or _described(error)
        except RecursionError:
            return None, problem or "the JSON object is nested too deeply"
        except ValueError as error:
            return None, problem or str(error)
        inner = next(iter(value.values())) if value is not None and len(value) == 1 else None
        if not isinstance(inner, dict):
            break
        candidate, value = json.dumps(inner), inner
    return None, problem


def _described(error: ValidationError) -> str:
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [f"{'.'.join(map(str, one['loc'])) or 'reply'}: {one['msg']}"[:200] for one in problems[:_SHOWN_PROBLEMS]]
    if len(problems) > _SHOWN_PROBLEMS:
        lines.append(f"and {len(problems) - _SHOWN_PROBLEMS} more")
    return "; ".join(lines)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"the number {digits[:20]} is out of range")
    return value


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        for key, one in pairs:
            if value[key] != one:
                raise ValueError(f"ambiguous: the key {key[:40]!r} is given twice with different values")
    return value


_decode: Callable[[str], Any] = json.JSONDecoder(
    object_pairs_hook=_unique_keys, parse_float=_finite, parse_constant=_refuse_constant
).decode
