"""Every distribution of ``plugins/``: what it adds, read from its ``pyproject.toml``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from generated_parts import table
from our_plugins import projects

_GROUPS = {
    "ragproof.adapters": "Adapters",
    "ragproof.metrics": "Metrics",
    "ragproof.judges": "Judges",
    "ragproof.stores": "Stores",
    "ragproof.commands": "Commands",
}
_HEADERS = ("distribution", "adds", "what it is")


def plugin_directory(plugins: Path) -> str:
    """Return a table for each role, then one for the libraries that plugins share."""
    found = projects(plugins)
    parts = []
    for group, title in _GROUPS.items():
        rows = [_row(project, group) for project in found if group in project.get("entry-points", {})]
        parts.append(f"## {title}\n\n{table(_HEADERS, rows)}")
    shared = [(f"`{project['name']}`", project["description"]) for project in found if not project.get("entry-points")]
    parts.append(f"## Libraries that plugins share\n\n{table(('distribution', 'what it is'), shared)}")
    return "\n\n".join(parts)


def _row(project: dict[str, Any], group: str) -> tuple[str, str, str]:
    names = ", ".join(f"`{name}`" for name in sorted(project["entry-points"][group]))
    return f"`{project['name']}`", names, str(project["description"])
