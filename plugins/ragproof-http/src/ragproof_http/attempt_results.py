"""Why an attempt brought no usable reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

LARGEST_BODY = 64 * 1024 * 1024

FailureKind = Literal["refused", "unknown_host", "certificate", "connect", "cut", "timeout", "too_large", "not_json"]


@dataclass(frozen=True, slots=True)
class Failure:
    """An attempt without a usable reply; ``text`` is the library's word for it."""

    kind: FailureKind
    text: str
