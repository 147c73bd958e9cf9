"""A reply that fits a prompt's schema, so that judged metrics can be tested without writing one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def example_reply(schema: Mapping[str, Any]) -> Any:
    """Return the simplest value with something in it that fits a pydantic model's JSON schema.

    Lists get one entry, enums their first value, booleans are true. Constraints that a schema does not express
    (validators) are not known here.
    """
    return _example(schema, schema.get("$defs", {}))


def _example(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
    if "$ref" in schema:
        return _example(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            options = [option for option in schema[key] if option.get("type") != "null"]
            return _example(options[0], definitions) if options else None
    return _of_type(schema, definitions)


def _of_type(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
    kind = schema.get("type")
    if kind == "object":
        return {name: _example(part, definitions) for name, part in schema.get("properties", {}).items()}
    if kind == "array":
        return [_example(schema.get("items", {}), definitions)] * max(1, schema.get("minItems", 1))
    if kind == "string":
        return "example".ljust(schema.get("minLength", 0), "e")[: schema.get("maxLength")]
    if kind == "boolean":
        return True
    if kind in ("integer", "number"):
        return schema.get("minimum", schema.get("maximum", 1))
    return None if kind == "null" else "example"
