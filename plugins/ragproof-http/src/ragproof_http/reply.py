"""What an endpoint sent back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class HTTPReply:
    """One whole reply.

    ``data`` is the parsed JSON body, or ``None`` when the body is something else. ``asked_again`` counts the earlier
    attempts at this request whose reply was lost after the endpoint had it, and may have charged for it.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    data: Any = None
    asked_again: int = 0

    @property
    def text(self) -> str:
        """The body as text; bytes that are not UTF-8 become U+FFFD."""
        return self.body.decode("utf-8", "replace")

    @property
    def notes(self) -> tuple[str, ...]:
        """What whoever keeps the accounts should know about how the reply came."""
        if not self.asked_again:
            return ()
        return ("asked again after a connection was lost; tokens of a lost reply are not counted",)
