"""A project: its config and the components that the config names. The public API for commands."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ragproof_core.config.loading import DEFAULT_FILE, load_config, max_concurrency
from ragproof_core.config.schema import Config, MetricChoice
from ragproof_core.engine.deadline import GivenUpError, within
from ragproof_core.engine.selection import Metric, choose
from ragproof_core.errors import ConfigError, PluginError, reason_of
from ragproof_core.models.run import RunSettings
from ragproof_core.plugins.catalog import Blocking, Entry, find, scan
from ragproof_core.plugins.component import Component, build as build_component
from ragproof_core.redaction import Redactor

DEFAULT_STORE = "sqlite"
_CLOSE_SECONDS = 5.0
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), *range(127, 160))}


def warn_on_stderr(message: str) -> None:
    """Print a warning where it cannot mix with the output."""
    print(f"warning: {message.translate(_CONTROLS)}", file=sys.stderr)


class Project:
    """A config with its components, each built when first asked for. Close it, or use it in a ``with`` block.

    ``redact`` takes the secrets of every component built so far out of a text.
    """

    def __init__(
        self,
        config: Config,
        *,
        no_plugins: Collection[str] = (),
        warn: Callable[[str], None] = warn_on_stderr,
    ) -> None:
        self.config = config
        self.redact = Redactor()
        self._warn = warn
        self._no_plugins = tuple(no_plugins)
        self._open: list[Component] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def warn(self, message: str) -> None:
        """Pass a warning on, without secrets."""
        self._warn(self.redact(message))

    @cached_property
    def entries(self) -> list[Entry]:
        """Every installed component, with what the config and the options block."""
        blocking = Blocking.from_sources(self.config.plugins.block, self._no_plugins)
        found = scan(blocking)
        for message in blocking.unknown(found):
            self.warn(message)
        return found

    @cached_property
    def settings(self) -> RunSettings:
        """The run's settings, capped by ``RAGPROOF_MAX_CONCURRENCY``."""
        return self.config.run.settings(max_concurrency())

    def build(self, role: str, section: Mapping[str, Any]) -> Component:
        """Build a component from a config section with ``type``; it is closed with the project."""
        if not section.get("type"):
            raise ConfigError(f"{role}.type: is required; it names the {role} to use")
        entry = find(self.entries, role, str(section["type"]))
        settings = {key: value for key, value in section.items() if key != "type"}
        component = build_component(entry, settings, role, self.config.folder)
        return self.keep(component)

    def keep(self, component: Component) -> Component:
        """Close this component with the project, and take its secrets out of texts."""
        self.redact.add(component.secrets)
        self._open.append(component)
        return component

    @cached_property
    def adapter(self) -> Component:
        """The pipeline under test."""
        section = self.config.adapter
        if section is None:
            raise ConfigError("adapter: is required; it says how to reach your pipeline, see 'ragproof init'")
        return self.build("adapter", {"type": section.type, **section.settings})

    @cached_property
    def store(self) -> Component | None:
        """The store; the default one is used when the config names none, and ``None`` when that cannot be used."""
        section = self.config.store
        if section is None:
            known = [entry for entry in self.entries if entry.role == "store" and entry.name == DEFAULT_STORE]
            if all(entry.state == "blocked" for entry in known):
                return None
            try:
                return self.build("store", {"type": DEFAULT_STORE, **self._default_place()})
            except PluginError as problem:
                self.warn(f"left out: {problem}")
                return None
        settings = section.settings
        path = settings.get("path")
        if isinstance(path, str) and not path.startswith("env:"):
            settings["path"] = str(self.config.folder / Path(path).expanduser())
        return self.build("store", {"type": section.type, **settings})

    def _default_place(self) -> dict[str, str]:
        if self.config.file is None:
            return {}
        return {"path": str(self.config.folder / ".ragproof" / "ragproof.db")}

    def required_store(self) -> Component:
        """The store, for commands that read it. Raises :class:`ConfigError` when there is none."""
        if self.store is None:
            raise ConfigError("no store is installed, so there are no runs; try: pip install ragproof-store-sqlite")
        return self.store

    def metrics(self, patterns: Sequence[str] = ()) -> list[Metric]:
        """Build the config's metrics, or those that the patterns name, in the order to run them."""
        choices = self.config.metrics
        if patterns:
            configured = {choice.alias or choice.use: choice for choice in choices or ()}
            choices = tuple(configured.get(pattern, MetricChoice(use=pattern)) for pattern in patterns)
        found = choose(choices, self.entries, self.config.folder, self.warn)
        for metric in found:
            self.keep(metric.component)
        return found

    @property
    def dataset_path(self) -> Path:
        """The dataset's file. Raises :class:`ConfigError` when the config names none."""
        if self.config.dataset is None:
            raise ConfigError("dataset: is required; name a JSON Lines file in the config, or with --dataset")
        return self.config.folder / Path(self.config.dataset).expanduser()

    def close(self) -> None:
        """Close every component that was built; a ``close`` that fails or does not return is a warning."""
        while self._open:
            component = self._open.pop()
            try:
                if "close" in component.hooks or component.loop is not None:
                    within(_CLOSE_SECONDS, component.close)
            except KeyboardInterrupt:
                raise
            except GivenUpError:
                self.warn(f"{component.who}: closing it did not return within {_CLOSE_SECONDS:g} s")
            except BaseException as problem:
                self.warn(f"{component.who}: closing it failed: {reason_of(problem)}")


def open_project(
    path: str | Path = DEFAULT_FILE,
    *,
    no_plugins: Collection[str] = (),
    warn: Callable[[str], None] = warn_on_stderr,
) -> Project:
    """Open the project of a config file. Raises :class:`ConfigError` when the file cannot be used."""
    return Project(load_config(Path(path)), no_plugins=no_plugins, warn=warn)
