"""Computing once what many threads need at the same moment.

``functools.cache`` lets every thread that comes before the first result compute it, too: sixty judge threads that start
together would each build the same tables, or the same TLS context.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any, Self, TypeVar, overload

T = TypeVar("T")


def once(make: Callable[[], T]) -> Callable[[], T]:
    """Return a function with the first result of ``make``, for which other threads wait; what it raises is not kept."""
    lock = threading.RLock()
    made: list[T] = []

    @wraps(make)
    def result() -> T:
        if not made:
            with lock:
                if not made:
                    made.append(make())
        return made[0]

    return result


class once_property(cached_property[T]):  # noqa: N801 - named like what it replaces
    """A ``cached_property`` that one thread computes while the others wait, on every Python."""

    def __init__(self, func: Callable[[Any], T]) -> None:
        super().__init__(func)
        self._turn = threading.RLock()

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> T: ...
    def __get__(self, instance: object | None, owner: type[Any] | None = None) -> Self | T:
        if instance is None:
            return self
        with self._turn:
            return super().__get__(instance, owner)
