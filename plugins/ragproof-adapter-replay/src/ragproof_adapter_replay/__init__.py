"""Adapter ``replay``: evaluate answers that were recorded earlier, without a live pipeline."""

from ragproof_adapter_replay.adapter import Replay

__all__ = ["Replay"]
