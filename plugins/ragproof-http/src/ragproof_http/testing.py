"""The kernel's scripted HTTP server, for the tests of plugins that talk to an endpoint."""

from __future__ import annotations

from ragproof_core.testing.scripted_server import Received, Scripted, ScriptedServer

__all__ = ["Received", "Scripted", "ScriptedServer"]
