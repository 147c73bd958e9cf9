"""What is installed: every component of every role, read from package metadata without importing any of it."""

from __future__ import annotations

import importlib.metadata
import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase

from ragproof_core.errors import PluginError, PluginNotFoundError

ROLES = ("adapter", "metric", "judge", "store")
GROUPS = {role: f"ragproof.{role}s" for role in ROLES}
COMMAND_GROUP = "ragproof.commands"


@dataclass(frozen=True, slots=True)
class Entry:
    """One installed component. ``state`` is ``found``, ``blocked`` or ``duplicate``; ``reason`` explains the latter."""

    role: str
    name: str
    distribution: str
    version: str
    entry_point: importlib.metadata.EntryPoint = field(repr=False)
    state: str = "found"
    reason: str | None = None

    @property
    def id(self) -> str:
        """The name that picks this very entry even when another package uses the same one."""
        return f"{self.distribution}:{self.name}"


@dataclass(frozen=True, slots=True)
class Blocking:
    """Which components must not be imported: names, patterns or ``distribution:name``, and an optional allow-list."""

    block: Mapping[str, str] = field(default_factory=dict)
    allow: frozenset[str] | None = None

    @classmethod
    def from_sources(cls, config: Collection[str] = (), options: Collection[str] = ()) -> Blocking:
        """Combine the config's ``plugins.block``, ``--no-plugin`` and the two environment variables."""
        block = dict.fromkeys(_names(os.environ.get("RAGPROOF_DISABLE_PLUGINS", "")), "RAGPROOF_DISABLE_PLUGINS")
        block |= dict.fromkeys(config, "plugins.block in the config")
        block |= dict.fromkeys(options, "--no-plugin")
        allowed = os.environ.get("RAGPROOF_LOAD_PLUGINS")
        return cls(block, None if allowed is None else frozenset(_names(allowed)))

    def reason(self, entry: Entry) -> str | None:
        """Why the entry must not be imported, or ``None``."""
        for pattern, source in self.block.items():
            if _names_entry(pattern, entry):
                return f"blocked by {source}"
        if self.allow is not None and not any(_names_entry(pattern, entry) for pattern in self.allow):
            return "not in RAGPROOF_LOAD_PLUGINS"
        return None

    def unknown(self, entries: Collection[Entry]) -> Iterator[str]:
        """Say of each name and pattern that means none of the entries where it stands, and which name is near."""
        allowed = dict.fromkeys(sorted(self.allow or ()), "RAGPROOF_LOAD_PLUGINS")
        for pattern, source in (*self.block.items(), *allowed.items()):
            if not any(_names_entry(pattern, entry) for entry in entries):
                yield f"{source}: no component is called {pattern!r}; {_near(pattern, entries)}"


def _names(text: str) -> list[str]:
    return [name for name in re.split(r"[,\s]+", text) if name]


def _names_entry(pattern: str, entry: Entry) -> bool:
    return any(fnmatchcase(name, pattern) for name in (entry.name, entry.id, entry.distribution))


def _near(pattern: str, entries: Collection[Entry]) -> str:
    known = {name for entry in entries for name in (entry.name, entry.distribution, entry.id)}
    near = get_close_matches(pattern, sorted(known), n=1)
    return f"did you mean {near[0]!r}?" if near else "'ragproof plugins' lists all"


def scan(blocking: Blocking | None = None) -> list[Entry]:
    """Return every installed component, by role and name, with its state."""
    blocking = blocking or Blocking.from_sources()
    installed = importlib.metadata.entry_points()
    described: dict[int, tuple[str, str]] = {}
    found = [
        Entry(role, entry_point.name, *_described(entry_point, described), entry_point)
        for role, group in GROUPS.items()
        for entry_point in installed.select(group=group)
    ]
    found = [_blocked(entry, blocking.reason(entry)) for entry in found]
    times = Counter((entry.role, entry.name) for entry in found if entry.state == "found")
    marked = [_duplicate(entry, found) if times[entry.role, entry.name] > 1 else entry for entry in found]
    return sorted(marked, key=lambda entry: (ROLES.index(entry.role), entry.name, entry.distribution))


def _described(entry_point: importlib.metadata.EntryPoint, known: dict[int, tuple[str, str]]) -> tuple[str, str]:
    """Return the name and version of the distribution, whose metadata is parsed anew each time it is asked for."""
    distribution = entry_point.dist
    found = known.get(id(distribution))
    if found is None:
        metadata = distribution.metadata if distribution else None
        name, version = (metadata["Name"], metadata["Version"]) if metadata else (None, None)
        found = known[id(distribution)] = (name or "unknown", version or "unknown")
    return found


def _blocked(entry: Entry, reason: str | None) -> Entry:
    if reason is None:
        return entry
    return Entry(entry.role, entry.name, entry.distribution, entry.version, entry.entry_point, "blocked", reason)


def _duplicate(entry: Entry, found: list[Entry]) -> Entry:
    if entry.state != "found":
        return entry
    others = sorted(
        other.distribution
        for other in found
        if (other.role, other.name) == (entry.role, entry.name) and other is not entry and other.state == "found"
    )
    reason = f"also provided by {', '.join(others)}; pick one as {entry.id!r}"
    return Entry(entry.role, entry.name, entry.distribution, entry.version, entry.entry_point, "duplicate", reason)


def find(entries: list[Entry], role: str, name: str) -> Entry:
    """Return the one entry that ``name`` (or ``distribution:name``) means.

    Raises :class:`PluginNotFoundError` naming the nearest installed names, or :class:`PluginError` when the entry is
    blocked or several packages provide it.
    """
    matches = [entry for entry in entries if entry.role == role and name in (entry.name, entry.id)]
    usable = [entry for entry in matches if entry.state == "found" or (entry.state != "blocked" and name == entry.id)]
    if usable:
        return usable[0]
    if not matches:
        raise PluginNotFoundError(_not_found(entries, role, name))
    if matches[0].state == "blocked":
        raise PluginError(f"{role} {name!r} is {matches[0].reason}")
    providers = ", ".join(entry.id for entry in matches)
    raise PluginError(f"{role} {name!r} is provided by several packages; name one of: {providers}")


def _not_found(entries: list[Entry], role: str, name: str) -> str:
    installed = sorted({entry.name for entry in entries if entry.role == role})
    near = get_close_matches(name, installed, n=3, cutoff=0.5)
    if near:
        return f"no {role} is called {name!r}; did you mean {' or '.join(repr(n) for n in near)}?"
    if installed:
        return f"no {role} is called {name!r}; installed: {', '.join(installed)}"
    return f"no {role} is installed, so {name!r} cannot be found; try: pip install 'ragproof-core[default]'"


def select(entries: list[Entry], role: str, pattern: str) -> list[Entry]:
    """Return the entries that a shell-style pattern names, whatever their state."""
    return [entry for entry in entries if entry.role == role and fnmatchcase(entry.name, pattern)]
