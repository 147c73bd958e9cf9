"""Numbers as text that never contradicts what was computed."""

from __future__ import annotations

from math import isclose

from ragproof_core.reporting.numbers import counted

SAME = 1e-12
_MOST_DIGITS = 17
_LARGE = 1000.0


def same(first: float, second: float, scale: float = 0.0) -> bool:
    """Whether two numbers differ by float noise only: less than the twelfth digit of the largest number involved."""
    return isclose(first, second, rel_tol=SAME, abs_tol=SAME * abs(scale))


def number(value: float | None, digits: int = 3) -> str:
    """The value with a fixed number of decimals; thousands are grouped, ``-`` stands for none."""
    if value is None:
        return "-"
    decimals = digits if abs(value) < _LARGE else max(0, digits - 2)
    text = f"{value:,.{decimals}f}"
    return text.removeprefix("-") if not text.strip("-0.,") else text


def signed(value: float | None, digits: int = 3) -> str:
    """A difference with its sign."""
    text = number(value, digits)
    return text if value is None or value <= 0.0 or not text.strip("0.,") else f"+{text}"


def limit_text(limit: float) -> str:
    """A limit as it was written in the config: the shortest text that is this number."""
    return f"{limit:.17g}" if limit != float(f"{limit:.15g}") else f"{limit:.15g}"


def beside(value: float, limit: float, scale: float = 0.0) -> str:
    """The value with as many decimals as it takes to be told from the limit (``0.94996``, not ``0.950``)."""
    if same(value, limit, scale):
        return limit_text(limit)
    for digits in range(3, _MOST_DIGITS):
        text = number(value, digits)
        shown = float(text.replace(",", ""))
        if (shown > limit) == (value > limit) and shown != limit:
            return text
    return repr(value)


def of_cases(count: int, total: int) -> str:
    """A share of cases as the counts it is made of."""
    return f"{count} of {counted(total, 'case')}"


def p_text(p_value: float | None) -> str:
    """A p-value; small ones keep a digit, so that none is shown as 0."""
    if p_value is None:
        return "-"
    return f"{p_value:.3f}" if p_value >= 0.001 else f"{p_value:.1g}"  # noqa: PLR2004
