"""Importing a component only to see whether it could be used."""

from __future__ import annotations

from ragproof_core.errors import PluginBrokenError, PluginRefusedError
from ragproof_core.plugins.catalog import Entry
from ragproof_core.plugins.contract import check_class
from ragproof_core.plugins.loading import describe, load_class


def check_entry(entry: Entry) -> tuple[str, str | None]:
    """Return ``ok``, ``broken`` or ``refused`` (or ``duplicate``) with the reason; needs no settings."""
    try:
        check_class(entry.role, load_class(entry), describe(entry))
    except PluginBrokenError as problem:
        return "broken", str(problem)
    except PluginRefusedError as problem:
        return "refused", str(problem)
    return ("ok", None) if entry.state == "found" else (entry.state, entry.reason)
