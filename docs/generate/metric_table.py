"""Every metric of our packages, as it declares itself."""

from __future__ import annotations

from pathlib import Path

from generated_parts import table
from our_plugins import metric_classes

_ARROWS = {"higher": "↑", "lower": "↓", "none": "="}


def metric_table(plugins: Path) -> str:
    """Return a table, a row a metric."""
    headers = ("metric", "better", "range", "unit", "needs", "what it is")
    return table(headers, (_row(name, metric) for name, metric in metric_classes(plugins)))


def _row(name: str, metric: type) -> tuple[str, ...]:
    needs = ", ".join(f"`{need}`" for need in getattr(metric, "needs", ()))
    wants = ", ".join(f"`{want}`" for want in getattr(metric, "wants", ()))
    kinds = ", ".join(getattr(metric, "kinds", ()))
    required = "; ".join(
        filter(None, [needs, f"uses {wants} when there" if wants else "", f"kind {kinds}" if kinds else ""])
    )
    return (
        f"[`{name}`](metrics/{_page(name)}.md)",
        _ARROWS[getattr(metric, "direction", "none")],
        _range(*getattr(metric, "range", (None, None))),
        str(getattr(metric, "unit", "")),
        required or "nothing",
        str(getattr(metric, "description", "")),
    )


def _page(name: str) -> str:
    return name.partition(".")[0]


def _range(low: float | None, high: float | None) -> str:
    if low is None and high is None:
        return "any"
    if high is None:
        return f"{low:g} and up"
    return f"up to {high:g}" if low is None else f"{low:g} to {high:g}"
