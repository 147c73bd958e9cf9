"""The distributions of ``plugins/``, and the installed components that come from them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ragproof_core.plugins.catalog import Blocking, Entry, scan
from ragproof_core.plugins.loading import load_class


def projects(plugins: Path) -> list[dict[str, Any]]:
    """Return the ``project`` table of every distribution, by name."""
    found = [tomllib.loads(path.read_text(encoding="utf-8"))["project"] for path in plugins.glob("*/pyproject.toml")]
    return sorted(found, key=lambda project: str(project["name"]))


def metric_classes(plugins: Path) -> Iterator[tuple[str, type]]:
    """Yield the name and the class of every metric that our distributions have.

    Raises ``SystemExit`` naming those that are not installed.
    """
    names = {
        name: project["name"]
        for project in projects(plugins)
        for name in project.get("entry-points", {}).get("ragproof.metrics", {})
    }
    entries: dict[str, Entry] = {
        entry.name: entry
        for entry in scan(Blocking())
        if entry.role == "metric" and names.get(entry.name) == entry.distribution
    }
    missing = sorted({names[name] for name in names.keys() - entries.keys()})
    if missing:
        raise SystemExit(f"install them first, to read what they declare: {', '.join(missing)}")
    for name in sorted(names):
        yield name, load_class(entries[name])
