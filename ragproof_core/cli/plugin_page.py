"""What ``ragproof plugins show`` says about one component."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator
from typing import Any

from ragproof_core.cli.installed import installed
from ragproof_core.cli.output import print_table
from ragproof_core.engine.metric_check import check_component
from ragproof_core.errors import PluginError, PluginNotFoundError
from ragproof_core.plugins.catalog import ROLES, Entry, find
from ragproof_core.plugins.component import settings_model
from ragproof_core.plugins.contract import hook_arguments, hooks_of_class
from ragproof_core.plugins.loading import load_class
from ragproof_core.reporting.printable import printable

_DECLARED = ("direction", "range", "unit", "description", "source", "kinds", "needs", "wants", "after")
_ADAPTER_EFFECTS = {
    "retrieve": "without it retrieval metrics are skipped: adapter does not expose retrieval",
    "answer": "without it metrics of the answer are skipped: adapter does not expose answers",
    "retrieve_exact": "without it retrieval.index_recall_at_k is skipped",
}


def describe_component(name: str) -> dict[str, Any]:
    """Return all that is known of a component, as plain data.

    ``name`` may be ``role:NAME`` or ``distribution:NAME``. Raises :class:`PluginError` when it is unknown or
    ambiguous.
    """
    entry = _find(name)
    state, reason = check_component(entry)
    page: dict[str, Any] = {
        "name": entry.name,
        "role": entry.role,
        "distribution": entry.distribution,
        "version": entry.version,
        "entry_point": entry.entry_point.value,
        "state": state,
        "reason": reason,
        "summary": _metadata(entry, "Summary"),
        "home_page": _home_page(entry),
        "settings": [],
        "hooks": [],
        "missing_hooks": [],
    }
    if state == "broken":
        return page
    component = load_class(entry) if state != "refused" else None
    if component is None:
        return page
    hooks = hooks_of_class(entry.role, component)
    page["hooks"] = sorted(hooks)
    page["missing_hooks"] = [
        {"hook": hook, "effect": _ADAPTER_EFFECTS.get(hook) if entry.role == "adapter" else None}
        for hook in hook_arguments(entry.role)
        if hook not in hooks
    ]
    page["settings"] = _settings(component)
    if entry.role == "metric":
        page["declares"] = {key: _plain(getattr(component, key)) for key in _DECLARED if hasattr(component, key)}
    return page


def _find(name: str) -> Entry:
    entries = installed()
    role, colon, rest = name.partition(":")
    if colon and role in ROLES:
        return find(entries, role, rest)
    matches = [entry for entry in entries if name in (entry.name, entry.id)]
    roles = sorted({entry.role for entry in matches})
    if len(roles) > 1:
        raise PluginError(
            f"{name!r} is a name in several roles; pick one of: {', '.join(f'{r}:{name}' for r in roles)}"
        )
    if not matches:
        names = sorted({entry.name for entry in entries})
        raise PluginNotFoundError(f"no component is called {name!r}; installed: {', '.join(names) or 'none'}")
    return find(entries, roles[0], name)


def _settings(component: type) -> list[dict[str, Any]]:
    model = settings_model(component)
    if model is None:
        return []
    properties = model.model_json_schema().get("properties", {})
    return [
        {
            "field": name,
            "type": _type(field.annotation),
            "required": field.is_required(),
            "default": None if field.is_required() else _plain(field.get_default(call_default_factory=True)),
            "description": field.description or properties.get(field.alias or name, {}).get("description"),
        }
        for name, field in model.model_fields.items()
    ]


def _type(annotation: Any) -> str:
    text = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    return text.replace("typing.", "").replace("pathlib.", "").replace("pydantic.types.", "")


def _plain(value: Any) -> Any:
    if isinstance(value, (str, int, float, bool, type(None))):
        return value
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(item) for item in value]
    return str(value)


def _metadata(entry: Entry, key: str) -> str | None:
    if entry.entry_point.dist is None:
        return None
    return str(entry.entry_point.dist.metadata[key] or "")


def _home_page(entry: Entry) -> str | None:
    if entry.entry_point.dist is None:
        return None
    metadata: importlib.metadata.PackageMetadata = entry.entry_point.dist.metadata
    urls: dict[str, str] = dict(url.split(", ", 1) for url in metadata.get_all("Project-URL") or [] if ", " in url)
    for label in ("Homepage", "Documentation", "Repository", "Source"):
        if label in urls:
            return urls[label]
    return next(iter(urls.values()), None)


def _lines(page: dict[str, Any]) -> Iterator[str]:
    summary = " ".join((page["summary"] or "").split())
    yield f"{page['role']} {page['name']}: {summary}".rstrip(": ")
    yield f"{page['distribution']} {page['version']}, {page['entry_point']}, {page['state']}"
    if page["home_page"]:
        yield page["home_page"]
    if page["reason"]:
        yield page["reason"]
    for key, value in page.get("declares", {}).items():
        yield f"{key}: {', '.join(map(str, value)) if isinstance(value, list) else value}"
    if page["hooks"]:
        yield f"hooks: {', '.join(page['hooks'])}"
    for missing in page["missing_hooks"]:
        yield f"no {missing['hook']}" + (f": {missing['effect']}" if missing["effect"] else "")


def print_page(page: dict[str, Any]) -> None:
    """Print the page for a person; what a package says of itself is text from elsewhere."""
    for line in _lines(page):
        print(printable(line))
    if page["settings"]:
        print()
        rows = [
            [s["field"], s["type"], "required" if s["required"] else repr(s["default"]), s["description"] or ""]
            for s in page["settings"]
        ]
        print_table(("setting", "type", "default", "description"), rows, right_from=4)
