"""JSONPath (RFC 9535): checking paths in the config and selecting from replies."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from jsonpath import CompoundJSONPath, JSONPath, JSONPathError, compile as compile_jsonpath
from jsonpath.selectors import WildcardSelector
from pydantic import AfterValidator

from ragproof_adapter_http.misfit import MisfitError


@lru_cache(maxsize=256)
def compiled(path: str) -> JSONPath:
    """Return the compiled path.

    Raises:
        ValueError: the text is not a JSONPath; the message says where.
    """
    try:
        found = compile_jsonpath(path, strict=True)
    except JSONPathError as error:
        reason = str(error).splitlines()[0]
        raise ValueError(f"{path!r} is not a JSONPath such as $.answer or $.results[0].text: {reason}") from error
    if isinstance(found, CompoundJSONPath):  # the strict grammar has none, the type does
        raise ValueError(f"{path!r} is more than one JSONPath")  # noqa: TRY004
    return found


def _checked(path: str) -> str:
    compiled(path)
    return path


Path = Annotated[str, AfterValidator(_checked)]


def select(path: str, document: Any) -> list[Any]:
    """Return all that the path matches, in the order of the document."""
    return compiled(path).findall(document)


def select_items(path: str, document: Any, name: str) -> list[Any]:
    """Return the items of the list that the path names, with or without a trailing ``[*]``.

    Several lists are joined. The part of the path before its first wildcard, filter or slice must be there: that
    tells an empty list from a reply of another shape.

    Raises:
        MisfitError: the path does not lead to a list.
    """
    path_to_list = _without_last_wildcard(compiled(path))
    stem = _singular_part(path_to_list)
    if not stem.findall(document):
        raise MisfitError(f"`{name}` {path} was not found", document)
    found: list[Any] = path_to_list.findall(document)
    if all(isinstance(each, list) for each in found):
        return [item for each in found for item in each]
    if path_to_list.singular_query():
        raise MisfitError(f"`{name}` {path} is not a list", found[0])
    return found


def _without_last_wildcard(path: JSONPath) -> JSONPath:
    last = path.segments[-1] if path.segments else None
    if last is None or not isinstance(last.selectors[0], WildcardSelector) or ".." in str(path):
        return path
    return JSONPath(env=path.env, segments=path.segments[:-1])


def _singular_part(path: JSONPath) -> JSONPath:
    for count in range(len(path.segments), -1, -1):
        stem = JSONPath(env=path.env, segments=path.segments[:count])
        if stem.singular_query():
            return stem
    return path
