"""The signal that a call must be made again."""

from __future__ import annotations


class LoopLostError(Exception):
    """The call's event loop was blocked by another call and given up; the call may be made again."""
