"""Turning a component's section of the config into its validated ``Settings``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, SecretStr, ValidationError

from ragproof_core.errors import ConfigError

_ENV = "env:"


def resolve_environment(value: Any, where: str) -> tuple[Any, list[str]]:
    """Replace every ``env:NAME`` string inside ``value`` by the variable's value.

    Returns the resolved value and the values taken from the environment, which are secrets. Raises
    :class:`ConfigError` naming the setting and the variable that is not set.
    """
    secrets: list[str] = []
    return _resolve(value, where, secrets), secrets


def _resolve(value: Any, where: str, secrets: list[str]) -> Any:
    if isinstance(value, str) and value.startswith(_ENV):
        name = value.removeprefix(_ENV)
        found = os.environ.get(name)
        if found is None:
            raise ConfigError(f"{where}: the environment variable {name} is not set")
        secrets.append(found)
        return found
    if isinstance(value, Mapping):
        return {key: _resolve(item, f"{where}.{key}", secrets) for key, item in value.items()}
    if isinstance(value, list):
        return [_resolve(item, f"{where}.{index}", secrets) for index, item in enumerate(value)]
    return value


def validate(model: type[BaseModel], section: Mapping[str, Any], where: str) -> BaseModel:
    """Validate a section; every problem becomes a line ``where.field: reason`` of one :class:`ConfigError`."""
    try:
        return model.model_validate(section)
    except ValidationError as problem:
        lines = [describe_problem(error, where, keys_beside(model, error["loc"])) for error in problem.errors()]
        raise ConfigError("\n".join(lines)) from None


def keys_beside(model: type[BaseModel], path: Sequence[int | str]) -> list[str]:
    """Return the keys that a model knows in the place of the last part of the path; none where it is no model."""
    found: Any = model
    for part in path[:-1]:
        field = getattr(found, "model_fields", {}).get(str(part))
        annotation = getattr(field, "annotation", None)
        found = next((each for each in (annotation, *get_args(annotation)) if hasattr(each, "model_fields")), None)
    return list(getattr(found, "model_fields", {}))


def describe_problem(error: Any, where: str, known: list[str]) -> str:
    """Say what is wrong with one field, naming the nearest known key for an unknown one; never the value."""
    path = ".".join([where, *(str(part) for part in error["loc"])]) if where else ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        name = str(error["loc"][-1])
        near = get_close_matches(name, known, n=1, cutoff=0.5)
        hint = f"; did you mean {near[0]!r}?" if near else f"; known keys: {', '.join(known)}" if known else ""
        return f"{path}: unknown key{hint}"
    if error["type"] == "missing":
        return f"{path}: is required"
    message = str(error["msg"]).removeprefix("Value error, ")
    return f"{path}: {message[:1].lower()}{message[1:]}"


def secrets_of(settings: object) -> Iterator[str]:
    """Yield the values of every ``SecretStr`` inside a settings object."""
    if isinstance(settings, SecretStr):
        yield settings.get_secret_value()
    elif isinstance(settings, BaseModel):
        for name in type(settings).model_fields:
            yield from secrets_of(getattr(settings, name))
    elif isinstance(settings, Mapping):
        for item in settings.values():
            yield from secrets_of(item)
    elif isinstance(settings, (list, tuple)):
        for item in settings:
            yield from secrets_of(item)


def without_secrets(settings: object) -> Any:
    """Return the settings as plain data for a cache identity, leaving secret values out."""
    if isinstance(settings, BaseModel):
        return {name: without_secrets(getattr(settings, name)) for name in type(settings).model_fields}
    if isinstance(settings, Mapping):
        return {str(key): without_secrets(item) for key, item in settings.items()}
    if isinstance(settings, (list, tuple)):
        return [without_secrets(item) for item in settings]
    if isinstance(settings, SecretStr):
        return None
    return settings if isinstance(settings, (str, int, float, bool, type(None))) else str(settings)
