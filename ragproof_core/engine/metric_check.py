"""Checking an installed component before a run needs it: its hooks, and what a metric declares."""

from __future__ import annotations

from ragproof_core.engine.selection import declarations
from ragproof_core.errors import PluginRefusedError
from ragproof_core.plugins.catalog import Entry
from ragproof_core.plugins.checking import check_entry
from ragproof_core.plugins.loading import describe, load_class


def check_component(entry: Entry) -> tuple[str, str | None]:
    """Return the component's state (``ok``, ``broken``, ``refused``, ``duplicate``) with the reason."""
    state, reason = check_entry(entry)
    if entry.role == "metric" and state in ("ok", "duplicate"):
        try:
            declarations(load_class(entry), describe(entry))
        except PluginRefusedError as problem:
            return "refused", str(problem)
    return state, reason
