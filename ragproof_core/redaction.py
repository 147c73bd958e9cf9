"""Taking secrets out of text before it is stored, logged or shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

_SHORTEST_SECRET = 4
_MASK = "[redacted]"
_DEEPEST = 200


class Redactor:
    """Replaces every known secret in a text by ``[redacted]``.

    Values shorter than four characters are not taken as secrets: they would eat ordinary text.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets: tuple[str, ...] = ()
        self.add(secrets)

    def add(self, secrets: Iterable[str]) -> None:
        """Learn more secrets."""
        known = {*self._secrets, *(secret for secret in secrets if len(secret) >= _SHORTEST_SECRET)}
        self._secrets = tuple(sorted(known, key=lambda secret: (-len(secret), secret)))

    def __bool__(self) -> bool:
        """Whether any secret is known."""
        return bool(self._secrets)

    def __call__(self, text: str) -> str:
        """Return the text without secrets."""
        for secret in self._secrets:
            if secret in text:
                text = text.replace(secret, _MASK)
        return text


def redacted(value: Any, redact: Callable[[str], str], inside: tuple[int, ...] = ()) -> Any:
    """Return plain data without the secrets in its texts, those of keys too.

    What contains itself, or is nested deeper than 200 levels, is cut off. ``inside`` are the containers around.
    """
    if isinstance(value, str):
        return redact(value)
    if not isinstance(value, (Mapping, list, tuple)):
        return value
    if len(inside) >= _DEEPEST or id(value) in inside:
        return "…"
    inside = (*inside, id(value))
    if isinstance(value, Mapping):
        return {redacted(key, redact, inside): redacted(item, redact, inside) for key, item in value.items()}
    return [redacted(item, redact, inside) for item in value]
