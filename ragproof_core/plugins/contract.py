"""Checking a component against its role's hook specification.

pluggy alone lets a forgotten marker and a keyword-only parameter pass in silence, and its messages do not say what
the kernel calls; these checks run first.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

import pluggy

from ragproof_core.errors import PluginRefusedError
from ragproof_core.hookspecs import PROJECT, SPECS

_MARK = f"{PROJECT}_impl"


class _PlainObjects(pluggy.PluginManager):
    """Takes public methods named like hooks without a marker, from objects that know nothing of pluggy."""

    def parse_hookimpl_opts(self, plugin: object, name: str) -> pluggy.HookimplOpts | None:
        if name not in hook_arguments(self.project_name.rpartition("-")[2]):
            return None
        if not callable(getattr(plugin, name, None)):
            return None
        marked = super().parse_hookimpl_opts(plugin, name)
        return marked or pluggy.HookimplOpts(
            wrapper=False, hookwrapper=False, optionalhook=False, tryfirst=False, trylast=False, specname=None
        )


def hook_arguments(role: str) -> dict[str, tuple[str, ...]]:
    """Map each hook of the role to the arguments that the kernel calls it with."""
    return {
        name: tuple(parameter for parameter in inspect.signature(hook).parameters if parameter != "self")
        for name, hook in vars(SPECS[role]).items()
        if not name.startswith("_")
    }


def register(role: str, component: object, who: str, *, marked: bool = True) -> tuple[Any, frozenset[str]]:
    """Check the component and register it with a plugin manager of its own.

    Returns pluggy's hook relay and the names of the hooks that the component has. With ``marked=False`` public
    methods named like hooks count without ``@hookimpl``. Raises :class:`PluginRefusedError` naming who, which hook,
    what was found and what the kernel calls.
    """
    problems = list(_problems(role, component, marked=marked))
    if problems:
        raise PluginRefusedError("\n".join(f"{who}: {problem}" for problem in problems))
    manager = pluggy.PluginManager(PROJECT) if marked else _PlainObjects(f"{PROJECT}-{role}")
    manager.add_hookspecs(_specs_for(manager, role))
    try:
        name = manager.register(component) or ""
        manager.check_pending()
    except pluggy.PluginValidationError as problem:
        raise PluginRefusedError(f"{who}: {problem}") from problem
    plugin = manager.get_plugin(name)
    hooks = frozenset(caller.name for caller in manager.get_hookcallers(plugin) or ())
    return manager.hook, hooks


def _specs_for(manager: pluggy.PluginManager, role: str) -> type:
    if manager.project_name == PROJECT:
        return SPECS[role]
    marker = pluggy.HookspecMarker(manager.project_name)
    marked = {
        name: marker(firstresult=True)(_copy(hook)) for name, hook in vars(SPECS[role]).items() if name[0] != "_"
    }
    return type(SPECS[role].__name__, (), marked)


def _copy(hook: Any) -> Any:
    return type(hook)(hook.__code__, hook.__globals__, hook.__name__, hook.__defaults__, hook.__closure__)


def _problems(role: str, component: object, *, marked: bool) -> Iterator[str]:
    arguments = hook_arguments(role)
    for name, method in _public_methods(component):
        has_mark = hasattr(method, _MARK)
        if name in arguments:
            if has_mark or not marked:
                yield from _signature_problems(name, method, arguments[name])
            else:
                yield (
                    f"{name} is not marked as a hook: put @hookimpl directly on it "
                    f"(outermost when there are other decorators), or set it to None to drop it"
                )
        elif has_mark and marked:
            near = get_close_matches(name, arguments, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}?" if near else f"a {role} has: {', '.join(arguments)}"
            yield f"{name} is marked as a hook, but a {role} has no such hook; {hint}"
    if not any(callable(getattr(component, name, None)) for name in arguments if name != "close"):
        yield f"it has none of the hooks of a {role}: {', '.join(arguments)}"


def _public_methods(component: object) -> Iterator[tuple[str, Any]]:
    for name in dir(type(component)) if not isinstance(component, type) else ():
        if not name.startswith("_") and not isinstance(inspect.getattr_static(type(component), name), property):
            method = getattr(component, name, None)
            if callable(method) and not isinstance(method, type):
                yield name, method


def _signature_problems(name: str, method: Any, expected: tuple[str, ...]) -> Iterator[str]:
    calls = f"the kernel calls {name}({', '.join(expected)})"
    try:
        parameters = inspect.signature(method).parameters.values()
    except (TypeError, ValueError):
        yield f"{name} has no readable signature; {calls}"
        return
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            yield f"{name} takes {parameter}; list the arguments you want by name; {calls}"
        elif parameter.kind is parameter.KEYWORD_ONLY:
            yield f"{name} has the keyword-only parameter {parameter.name!r}, which would never be filled; {calls}"
        elif parameter.name not in expected and parameter.default is parameter.empty:
            yield f"{name} has a parameter {parameter.name!r} that the kernel does not know; {calls}"
