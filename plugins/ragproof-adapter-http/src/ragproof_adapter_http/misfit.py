"""A reply, or a part of one, that is not what the config says."""

from __future__ import annotations

import json
from typing import Any

from ragproof_core.redaction import Redactor

_SHOWN = 300


class MisfitError(Exception):
    """What did not fit, and the part of the reply that shows it."""

    def __init__(self, reason: str, part: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.part = part

    def describe(self, redact: Redactor) -> str:
        """Return reason and part on one line, the part without secrets and shortened."""
        return f"{self.reason}: {excerpt(self.part, redact)}"


def excerpt(part: Any, redact: Redactor, limit: int = _SHOWN) -> str:
    """Return the start of a JSON value or text on one line; secrets go before anything is cut."""
    text = part if isinstance(part, str) else json.dumps(part, ensure_ascii=False, default=repr)
    plain = " ".join("".join(each if each.isprintable() else " " for each in redact(text)).split())
    return plain if len(plain) <= limit else f"{plain[:limit]}… ({len(plain)} characters)"
