"""The adapter ``python``: a RAG pipeline that can be imported."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ragproof_core import ConfigError
from ragproof_core.plugins.plain import PlainAdapter
from ragproof_core.targets import load_target


class PythonSettings(BaseModel):
    """What to import, and what to call it with."""

    model_config = ConfigDict(extra="forbid")

    target: str = Field(
        description="package.module:attribute, looked up in the config file's folder first; "
        "a class, a function that makes the pipeline, or the pipeline itself"
    )
    options: dict[str, Any] = Field(default_factory=dict, description="keyword arguments for the class or the function")


class PythonAdapter(PlainAdapter):
    """Calls the methods ``retrieve``, ``answer``, ``retrieve_exact`` and ``close`` of an imported object.

    Each gets the arguments that it names, of those that the hook has. They may be ``async def``; all calls then share
    one event loop of the adapter's own. A class or a function is called once to make the pipeline.
    """

    Settings = PythonSettings

    def __init__(self, settings: PythonSettings, base_dir: Path) -> None:
        found = load_target(settings.target, base_dir)
        super().__init__(_pipeline(found, settings))


def _pipeline(found: object, settings: PythonSettings) -> object:
    if not (isinstance(found, type) or inspect.isroutine(found)):
        if settings.options:
            raise ConfigError(f"adapter.options: {settings.target!r} is an object already, nothing takes options")
        return found
    try:
        inspect.signature(found).bind(**settings.options)
    except TypeError as problem:
        raise ConfigError(f"adapter.options: {settings.target!r} cannot be called with them: {problem}") from None
    except ValueError:
        pass
    made = found(**settings.options)
    if inspect.iscoroutine(made):
        made.close()
        raise ConfigError(f"adapter.target: {settings.target!r} is an async function; make the pipeline in a plain one")
    return made
