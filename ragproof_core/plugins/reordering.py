"""A function of all arguments of a hook made from one that takes some of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def taking(
    order: Sequence[str], function: Callable[..., Any], wanted: Sequence[str], *, by_name: bool = False
) -> Callable[..., Any]:
    """Return a function of ``order`` that passes on the ``wanted`` ones, all of them parameter names of a hook.

    Compiled, since it is called for every case: packing arguments into a mapping costs more than a small metric.
    """
    passed = ", ".join(f"{name}={name}" if by_name else name for name in wanted)
    made: Callable[..., Any] = eval(f"lambda {', '.join(order)}: function({passed})", {"function": function})  # noqa: S307
    return made
