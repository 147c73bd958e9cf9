"""A reply's JSON schema as models take it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

# constraints that some provider refuses in a schema; whoever reads the reply checks them anyway
_DROPPED = frozenset({
    "default", "examples", "title", "format", "pattern", "minLength", "maxLength", "minimum", "maximum",
    "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems", "discriminator",
})  # fmt: skip
_NAMED_SCHEMAS = frozenset({"properties", "$defs", "definitions"})


def strict_schema(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """The schema in the subset that strict modes take: closed objects, all properties required, no constraints.

    ``None`` when it has a free-form object, which that subset cannot say.
    """
    try:
        strict = _strict(schema)
    except _FreeFormError:
        return None
    return strict if isinstance(strict, dict) else None


def schema_instruction(schema: Mapping[str, Any]) -> str:
    """A sentence for the system text, where the schema cannot be sent as a parameter."""
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return f"Reply with one JSON object and nothing else. It must fit this JSON schema: {text}"


class _FreeFormError(Exception):
    pass


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(item) for item in node]
    if not isinstance(node, Mapping):
        return node
    if "$ref" in node:
        return {"$ref": node["$ref"]}
    strict = {
        "anyOf" if key == "oneOf" else key: (
            {name: _strict(value) for name, value in child.items()} if key in _NAMED_SCHEMAS else _child(key, child)
        )
        for key, child in node.items()
        if key not in _DROPPED
    }
    if node.get("type") == "object":
        if "properties" not in node:
            raise _FreeFormError
        strict["required"] = list(node["properties"])
        strict["additionalProperties"] = False
    return strict


def _child(key: str, child: Any) -> Any:
    return child if key in {"enum", "const", "required"} else _strict(child)
