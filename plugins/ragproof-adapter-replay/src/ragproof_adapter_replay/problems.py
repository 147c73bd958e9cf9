"""What is wrong with the files, gathered so that one error lists it all."""

from __future__ import annotations

import json

from ragproof_core import ConfigError

SHOWN = 20


class Problems:
    """A list of ``place: field: reason`` lines, where a place is ``file:line``."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def add(self, place: str, field: str, reason: str) -> None:
        """Note that ``field`` at ``place`` cannot be used."""
        self._lines.append(f"{place}: {field}: {reason}" if field else f"{place}: {reason}")

    def raise_if_any(self) -> None:
        """Raise ``ConfigError`` with the first problems and the number of the rest."""
        if not self._lines:
            return
        shown = self._lines[:SHOWN]
        if len(self._lines) > SHOWN:
            shown.append(f"… and {len(self._lines) - SHOWN} more")
        raise ConfigError("The recording cannot be replayed:\n" + "\n".join(f"  {line}" for line in shown))


class FieldError(Exception):
    """A field of a row cannot be used."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


def excerpt(value: object, limit: int = 60) -> str:
    """Return ``value`` as JSON (or its ``repr``), cut to ``limit`` characters."""
    try:
        text = json.dumps(value, ensure_ascii=True)
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"
