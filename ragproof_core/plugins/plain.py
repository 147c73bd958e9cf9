"""Taking any object with ``retrieve`` or ``answer`` as an adapter, without markers or a base class."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from ragproof_core.errors import ConfigError
from ragproof_core.hookspecs import hookimpl
from ragproof_core.plugins.contract import hook_arguments
from ragproof_core.plugins.reordering import taking


class PlainAdapter:
    """An adapter around a plain object: its public methods named like hooks are called.

    A method gets the arguments that it names, defaults or not; ``**kwargs`` gets all of them. pluggy leaves
    parameters with a default unfilled, and ``retrieve(question, k=5)`` is how people write it. Methods may be
    ``async def``. With ``closes=False`` the object's ``close`` is left to whoever owns it. Raises
    :class:`ConfigError` when the object has neither ``retrieve`` nor ``answer``, or one asks for an argument that the
    kernel does not have.
    """

    api_version = 1

    def __init__(self, target: object, *, closes: bool = True) -> None:
        self.max_concurrency = getattr(target, "max_concurrency", None)
        self._calls: dict[str, Callable[..., Any]] = {}
        who = f"{type(target).__module__}.{type(target).__qualname__}"
        for name, expected in hook_arguments("adapter").items():
            method = getattr(target, name, None)
            if callable(method) and (closes or name != "close"):
                self._calls[name] = _caller(method, expected, f"{who}.{name}")
            else:
                setattr(self, name, None)
        if not {"retrieve", "answer"} & set(self._calls):
            raise ConfigError(
                f"{who} cannot be used as a pipeline: it needs a method retrieve(question, k) or answer(question)"
            )

    @hookimpl
    def retrieve(self, question: str, k: int, history: list[dict[str, str]], metadata: Mapping[str, Any]) -> Any:
        """Call the object's ``retrieve``."""
        return self._calls["retrieve"](question, k, history, metadata)

    @hookimpl
    def answer(self, question: str, history: list[dict[str, str]], metadata: Mapping[str, Any]) -> Any:
        """Call the object's ``answer``."""
        return self._calls["answer"](question, history, metadata)

    @hookimpl
    def retrieve_exact(self, question: str, k: int) -> Any:
        """Call the object's ``retrieve_exact``."""
        return self._calls["retrieve_exact"](question, k)

    @hookimpl
    def close(self) -> Any:
        """Call the object's ``close``."""
        return self._calls["close"]()


def _caller(method: Callable[..., Any], expected: tuple[str, ...], who: str) -> Callable[..., Any]:
    """Return the method as a function of the expected arguments, in their order."""
    try:
        parameters = inspect.signature(method).parameters.values()
    except (TypeError, ValueError):
        return taking(expected, method, expected, by_name=True)
    unknown = [
        parameter.name
        for parameter in parameters
        if parameter.name not in expected
        and parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    if unknown:
        raise ConfigError(
            f"{who} asks for {', '.join(map(repr, unknown))}, which the kernel does not have; "
            f"rename it: the kernel calls it with {', '.join(expected) or 'nothing'}"
        )
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return taking(expected, method, expected, by_name=True)
    wanted = tuple(parameter.name for parameter in parameters if parameter.name in expected)
    positional = [parameter.name for parameter in parameters if parameter.kind is not parameter.KEYWORD_ONLY]
    return taking(expected, method, wanted, by_name=tuple(positional[: len(wanted)]) != wanted)
