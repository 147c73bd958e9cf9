"""Checking a component against its role's hook specification.

pluggy alone lets a forgotten marker, a keyword-only parameter and a parameter with a default pass in silence (it
never fills the last two), and its messages do not say what the kernel calls; these checks run first.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

import pluggy

from ragproof_core.errors import PluginRefusedError
from ragproof_core.hookspecs import PROJECT, SPECS

_MARK = f"{PROJECT}_impl"
_NEEDED = {
    "adapter": (("retrieve", "answer"),),
    "metric": (("score",),),
    "judge": (("complete",),),
    "store": (("add_results", "cache_get", "add_calibration"),),
}
"""The hooks that a component of a role must have: of each group at least one."""


class _Manager(pluggy.PluginManager):
    """Looks at public names only; most names of an object begin with an underscore, and none of these is a hook."""

    def parse_hookimpl_opts(self, plugin: object, name: str) -> pluggy.HookimplOpts | None:
        return None if name.startswith("_") else super().parse_hookimpl_opts(plugin, name)


@cache
def hook_arguments(role: str) -> Mapping[str, tuple[str, ...]]:
    """Map each hook of the role to the arguments that the kernel calls it with."""
    return {
        name: tuple(parameter for parameter in inspect.signature(hook).parameters if parameter != "self")
        for name, hook in vars(SPECS[role]).items()
        if not name.startswith("_")
    }


def register(role: str, component: object, who: str) -> tuple[Any, frozenset[str]]:
    """Check the component and register it with a plugin manager of its own.

    Returns pluggy's hook relay and the names of the hooks that the component has. Raises
    :class:`PluginRefusedError` naming who, which hook, what was found and what the kernel calls.
    """
    _refuse(who, _problems(role, component))
    manager = _Manager(PROJECT)
    manager.add_hookspecs(SPECS[role])
    try:
        manager.register(component)
        manager.check_pending()
    except pluggy.PluginValidationError as problem:
        raise PluginRefusedError(f"{who}: {problem}") from problem
    return manager.hook, frozenset(caller.name for caller in manager.get_hookcallers(component) or ())


def check_class(role: str, component: type, who: str) -> None:
    """Check a class without building it. Raises :class:`PluginRefusedError` like :func:`register`."""
    _refuse(who, _problems(role, component))


def hooks_of_class(role: str, component: type) -> frozenset[str]:
    """Return the hooks that a class implements; settings may drop some of them."""
    return frozenset(name for name in hook_arguments(role) if hasattr(getattr(component, name, None), _MARK))


def _refuse(who: str, problems: Iterator[str]) -> None:
    found = list(problems)
    if found:
        raise PluginRefusedError("\n".join(f"{who}: {problem}" for problem in found))


def _problems(role: str, component: object) -> Iterator[str]:
    arguments = hook_arguments(role)
    meant: set[str] = set()
    for name, method in _public_methods(component):
        has_mark = hasattr(method, _MARK)
        if name in arguments and has_mark:
            meant.add(name)
            yield from _signature_problems(name, method, arguments[name], bound=_is_bound(component, name))
        elif name in arguments:
            yield (
                f"{name} is not marked as a hook: put @hookimpl on it, outermost when there are other decorators; "
                f"or set it to None if it is not meant as one"
            )
            meant.add(name)
        elif has_mark:
            near = get_close_matches(name, arguments, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}?" if near else f"{_article(role)} {role} has: {', '.join(arguments)}"
            yield f"{name} is marked as a hook, but {_article(role)} {role} has no such hook; {hint}"
    missing = [" or ".join(group) for group in _NEEDED[role] if not meant.intersection(group)]
    if missing:
        yield f"it lacks {', '.join(missing)}; {_article(role)} {role} has the hooks: {', '.join(arguments)}"


def _article(role: str) -> str:
    return "an" if role[0] in "aeiou" else "a"


def _public_methods(component: object) -> Iterator[tuple[str, Any]]:
    for name in dir(component):
        if name.startswith("_"):
            continue
        static = inspect.getattr_static(component, name, None)
        if not (callable(static) or isinstance(static, (staticmethod, classmethod))):
            continue  # a property is not evaluated
        method = getattr(component, name, None)
        if callable(method) and not isinstance(method, type):
            yield name, method


def _is_bound(component: object, name: str) -> bool:
    return not isinstance(component, type) or isinstance(inspect.getattr_static(component, name), staticmethod)


def _signature_problems(name: str, method: Any, expected: tuple[str, ...], *, bound: bool) -> Iterator[str]:
    calls = f"the kernel calls {name}({', '.join(expected)})"
    parameters = list(inspect.signature(method).parameters.values())
    for parameter in parameters if bound else parameters[1:]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            yield f"{name} takes {parameter}, which is never filled; list the arguments you want; {calls}"
        elif parameter.kind is parameter.KEYWORD_ONLY:
            yield f"{name} has the keyword-only parameter {parameter.name!r}, which is never filled; {calls}"
        elif parameter.name not in expected:
            yield f"{name} has a parameter {parameter.name!r} that the kernel does not know; {calls}"
        elif parameter.default is not parameter.empty:
            yield f"{name} has a default for {parameter.name!r}, so it is never filled; remove the default; {calls}"
