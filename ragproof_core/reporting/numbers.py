"""Numbers as a reader of a report wants them: short, with their unit, and never a contradiction of the value."""

from __future__ import annotations

_LARGE = 100.0
_SECOND_MS = 1000.0
_CENT = 0.01


def number(value: float | None) -> str:
    """Return the value with three decimals, or one from 100 on; ``-`` stands for none."""
    if value is None:
        return "-"
    return f"{value:.3f}" if abs(value) < _LARGE else f"{value:,.1f}"


def count(value: float) -> str:
    """Return a number of tokens, steps and the like without needless decimals."""
    if abs(value) >= _LARGE or float(value).is_integer():
        return f"{value:,.0f}"
    return f"{value:.1f}"


def counted(value: int, one: str, many: str | None = None) -> str:
    """Return a number with what it counts: ``1 case``, ``2 cases``; ``many`` is a plural that is more than an s."""
    return f"{value} {one if value == 1 else many or f'{one}s'}"


def duration(milliseconds: float) -> str:
    """Return a duration in milliseconds or, from one second on, in seconds."""
    if abs(milliseconds) >= _SECOND_MS:
        return f"{milliseconds / _SECOND_MS:,.1f} s"
    return f"{milliseconds:.0f} ms" if abs(milliseconds) >= 10 else f"{milliseconds:.1f} ms"  # noqa: PLR2004


def dollars(value: float) -> str:
    """Return US dollars; amounts below a cent keep two significant digits."""
    if value == 0:
        return "$0"
    if abs(value) >= _CENT:
        return f"${value:,.4f}" if abs(value) < 1 else f"${value:,.2f}"
    return f"${value:.8f}".rstrip("0") if abs(value) < 1e-6 else f"${_significant(value)}"  # noqa: PLR2004


def _significant(value: float) -> str:
    decimals = 2
    while abs(value) * 10**decimals < 10:  # noqa: PLR2004
        decimals += 1
    return f"{value:.{decimals}f}"


def amount(value: float | None, unit: str) -> str:
    """Return the value in a metric's unit (``share``, ``ms``, ``usd``, ``tokens``, ``count``, or none)."""
    if value is None:
        return "-"
    if unit == "ms":
        return duration(value)
    if unit == "usd":
        return dollars(value)
    if unit in ("tokens", "count"):
        return count(value)
    return number(value)
