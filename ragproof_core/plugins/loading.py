"""Importing one component's class, so that a broken one takes nothing down with it."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from importlib.metadata import EntryPoint
from typing import Any

from stevedore import NamedExtensionManager

from ragproof_core.errors import PluginBrokenError, PluginRefusedError, reason_of
from ragproof_core.hookspecs import API_VERSION
from ragproof_core.plugins.catalog import Entry


class _OneEntryPoint(NamedExtensionManager[Any]):
    """Loads exactly the entry point it is given: stevedore's own listing goes through a cache on disk."""

    def __init__(self, entry: Entry) -> None:
        self._chosen = entry.entry_point
        self.problem: BaseException | None = None
        super().__init__(
            entry.entry_point.group,
            [entry.name],
            on_load_failure_callback=_keep_problem,
            on_missing_entrypoints_callback=None,
        )

    def list_entry_points(self) -> list[EntryPoint]:
        return [self._chosen]


def _keep_problem(manager: Any, _entry_point: EntryPoint, problem: BaseException) -> None:
    manager.problem = problem


def load_class(entry: Entry) -> type:
    """Import the component's class and check that it is one for this kernel.

    What the module prints goes to stderr. Raises :class:`PluginBrokenError` when importing it fails in any way, also
    by ``sys.exit`` or a failed assertion, and :class:`PluginRefusedError` when it is no class or for another API.
    """
    component = load_object(entry)
    if not isinstance(component, type):
        raise PluginRefusedError(
            f"{describe(entry)}: the entry point {entry.entry_point.value!r} gives "
            f"{type(component).__name__}, expected a class"
        )
    _check_api_version(entry, component)
    return component


def load_object(entry: Entry) -> object:
    """Import what the entry point names."""
    try:
        with redirect_stdout(sys.stderr):
            manager = _OneEntryPoint(entry)
    except KeyboardInterrupt:
        raise
    except BaseException as problem:
        raise PluginBrokenError(_broken(entry, problem)) from problem
    if manager.problem is not None:
        raise PluginBrokenError(_broken(entry, manager.problem)) from manager.problem
    return manager[entry.name].plugin


def describe(entry: Entry) -> str:
    """Name an entry for a message."""
    return f"{entry.role} {entry.name!r} of {entry.distribution} {entry.version}"


def _broken(entry: Entry, problem: BaseException) -> str:
    if isinstance(problem, SystemExit):
        reason = f"it called sys.exit({problem.code!r}) while being imported"
    else:
        reason = reason_of(problem)
    return f"{describe(entry)} cannot be imported: {reason}"


def _check_api_version(entry: Entry, component: type) -> None:
    version = getattr(component, "api_version", None)
    if version == API_VERSION and isinstance(version, int) and not isinstance(version, bool):
        return
    if not isinstance(version, int) or isinstance(version, bool):
        raise PluginRefusedError(
            f"{describe(entry)}: {component.__qualname__}.api_version is {version!r}; "
            f"expected an integer literal such as {API_VERSION}"
        )
    upgrade = "ragproof-core" if version > API_VERSION else entry.distribution
    raise PluginRefusedError(
        f"{describe(entry)} is built for kernel API {version}, this kernel has API {API_VERSION}; upgrade {upgrade}"
    )
