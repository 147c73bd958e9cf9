"""Adapter ``haystack``: Haystack pipelines."""

import os

# Haystack reports every run of a pipeline to its makers unless told not to, which must be before it is imported.
os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "false")

from ragproof_adapter_haystack.adapter import Haystack

__all__ = ["Haystack"]
