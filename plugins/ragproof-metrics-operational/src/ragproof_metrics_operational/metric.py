"""What the operational metrics have in common: their declarations."""

from __future__ import annotations

from typing import ClassVar


class Measure:
    """A number of 0 or more, the smaller the better unless a metric says otherwise."""

    api_version = 1
    direction = "lower"
    range: ClassVar[tuple[float | None, float | None]] = (0.0, None)
