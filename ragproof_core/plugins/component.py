"""A built component: one plugin's instance, ready to be called."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from ragproof_core.errors import ConfigError, PluginBrokenError, RAGProofError, StoreError, reason_of
from ragproof_core.plugins.catalog import Entry
from ragproof_core.plugins.contract import register
from ragproof_core.plugins.loading import describe, load_class
from ragproof_core.plugins.reordering import taking
from ragproof_core.plugins.settings import resolve_environment, secrets_of, validate, without_secrets
from ragproof_core.redaction import Redactor

if TYPE_CHECKING:
    from ragproof_core.plugins.own_loop import OwnLoop


_KEEPING_RUNS = frozenset({"open_run", "add_results", "finish_run", "runs", "results"})
"""What a store must have to keep runs; one for judge replies or calibrations alone does without."""


@dataclass(slots=True)
class Component:
    """One instance behind its role's hooks.

    ``hooks`` are the names it implements. A hook's result that is awaitable is run on an event loop of the
    component's own, in a thread of its own, so that a hook which blocks starves nobody else's.
    """

    role: str
    name: str
    who: str
    instance: Any
    relay: Any
    hooks: frozenset[str]
    distribution: str = ""
    version: str = ""
    settings: BaseModel | None = None
    identity: Mapping[str, Any] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    rebuild: Callable[[], Component] | None = None
    loop: OwnLoop | None = None
    _direct: dict[str, Callable[..., Any]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    successor: Component | None = None

    @property
    def max_concurrency(self) -> int | None:
        """How many calls the component can take at once; ``None`` for any number."""
        limit = getattr(self.instance, "max_concurrency", None)
        return limit if isinstance(limit, int) and limit > 0 else None

    def call(self, hook: str, **arguments: Any) -> Any:
        """Call one of the component's hooks and wait for its result.

        What a store raises becomes a :class:`StoreError` that names it.
        """
        if self.role == "store" and hook in _KEEPING_RUNS and hook not in self.hooks:
            raise StoreError(f"{self.who} keeps no runs: it has no {hook}; configure another store")
        with _keeping(self.secrets):
            try:
                return self.settled(getattr(self.relay, hook)(**arguments))
            except (RAGProofError, KeyboardInterrupt):
                raise
            except BaseException as problem:
                if self.role != "store":
                    raise
                raise StoreError(f"{self.who}: {hook} failed: {reason_of(problem)}") from problem

    def settled(self, result: Any) -> Any:
        """Return the result, or what it comes to when it is awaitable."""
        return self.wait(result) if hasattr(result, "__await__") else result

    def direct(self, hook: str, order: Sequence[str]) -> Callable[..., Any]:
        """Return the hook's implementation as a function of all arguments in this order.

        It is what pluggy would call in the end; pluggy's own dispatch costs several times a small metric's work, and
        with one implementation there is nothing to choose from (docs/decisions/metric-dispatch.md has figures).
        """
        if hook in self._direct:
            return self._direct[hook]
        (implementation,) = getattr(self.relay, hook).get_hookimpls()
        self._direct[hook] = taking(order, implementation.function, implementation.argnames)
        return self._direct[hook]

    def wait(self, awaitable: Awaitable[Any]) -> Any:
        """Run an awaitable on the component's own event loop."""
        with self._lock:  # all calls share one loop: what one makes on it, another may use
            if self.loop is None:
                from ragproof_core.plugins.own_loop import OwnLoop  # asyncio is slow to import, and few need it

                self.loop = OwnLoop(self.who)
        return self.loop.run(awaitable)

    def close(self) -> None:
        """Call the ``close`` hook where there is one, and end the component's loop.

        A component that was replaced has a call stuck inside and is left alone; its successor is closed.
        """
        try:
            if self.successor is not None:
                self.successor.close()
            elif "close" in self.hooks:
                self.call("close")
        finally:
            if self.loop is not None:
                self.loop.stop()


def build(entry: Entry, section: Mapping[str, Any], where: str, base_dir: Path) -> Component:
    """Import, configure, construct and check the component of an entry.

    ``section`` is its part of the config without ``type``; ``where`` prefixes messages about it. Raises
    :class:`PluginBrokenError`, :class:`PluginRefusedError` or :class:`ConfigError`.
    """
    component_class = load_class(entry)
    resolved, secrets = resolve_environment(dict(section), where)
    with _keeping(secrets):
        settings = _settings(component_class, resolved, where)
    secrets.extend(secrets_of(settings))

    def construct() -> Component:
        who = describe(entry)
        instance = _construct(component_class, settings, who, base_dir)
        relay, hooks = register(entry.role, instance, who)
        return Component(
            role=entry.role,
            name=entry.name,
            who=who,
            instance=instance,
            relay=relay,
            hooks=hooks,
            distribution=entry.distribution,
            version=entry.version,
            settings=settings,
            identity=without_secrets(settings) if settings is not None else {},
            secrets=tuple(secrets),
            rebuild=construct,
        )

    with _keeping(secrets):
        return construct()


@contextmanager
def _keeping(secrets: Sequence[str]) -> Iterator[None]:
    """Take the secrets out of the messages of errors that pass, and cut off causes that hold them."""
    try:
        yield
    except RAGProofError as problem:
        text = str(problem)
        kept = Redactor(secrets)(text)
        if kept != text:
            problem.args = (kept,)
            raise problem from None
        raise


def from_object(role: str, instance: object, name: str) -> Component:
    """Make a component of an object that has the role's hooks marked; it cannot be rebuilt after a timeout."""
    who = f"{role} {name!r}"
    relay, hooks = register(role, instance, who)
    return Component(role=role, name=name, who=who, instance=instance, relay=relay, hooks=hooks)


def settings_model(component_class: type) -> type[BaseModel] | None:
    """Return the component's nested ``Settings`` model, if it has one."""
    model = getattr(component_class, "Settings", None)
    return model if isinstance(model, type) and issubclass(model, BaseModel) else None


def _settings(component_class: type, section: Mapping[str, Any], where: str) -> BaseModel | None:
    model = settings_model(component_class)
    if model is not None:
        return validate(model, section, where)
    if section:
        raise ConfigError(f"{where}: {component_class.__qualname__} takes no settings, found {', '.join(section)}")
    return None


def _construct(component_class: type, settings: BaseModel | None, who: str, base_dir: Path) -> object:
    offered: dict[str, Any] = {"settings": settings, "base_dir": base_dir}
    wanted = inspect.signature(component_class).parameters
    try:
        return component_class(**{name: value for name, value in offered.items() if name in wanted})
    except (RAGProofError, KeyboardInterrupt):
        raise
    except BaseException as problem:
        raise PluginBrokenError(f"{who} cannot be built: {reason_of(problem)}") from problem
