"""Writing JSON that any console prints and any parser reads."""

from __future__ import annotations

import json
from typing import Any


def dumps(value: Any) -> str:
    """Return JSON in ASCII, so that any console prints it and half a surrogate pair survives; NaN is refused."""
    return json.dumps(value, indent=2, allow_nan=False, default=str)
