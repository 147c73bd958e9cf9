"""Whether the order of the chunks moves a verdict that should not depend on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragproof_calibrate.samples import Sample


def swapped(sample: Sample) -> dict[str, Any] | None:
    """Return the variables with every chunk list reversed; ``None`` when that changes nothing.

    The reply is to be scored by the original variables, so that a score that depends on rank stays comparable.
    """
    if not sample.prompt.ordered:
        return None
    variables = {name: _reversed(value) for name, value in sample.variables.items()}
    return variables if variables != dict(sample.variables) else None


def _reversed(value: Any) -> Any:
    return value if isinstance(value, (str, Mapping)) or not hasattr(value, "__reversed__") else list(reversed(value))
