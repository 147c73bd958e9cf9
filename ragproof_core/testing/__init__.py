"""Conformance suites for plugins: one pytest class a role, subclassed with one fixture.

A subclass whose name starts with ``Test`` runs every standard test of its role against a plugin::

    class TestMine(AdapterConformance):
        entry_point = "mine"

        @pytest.fixture
        def adapter(self):
            return Mine(Mine.Settings(url="http://localhost:8080"))

Class attributes say what the plugin can do. A standard test may be overridden only with
``@pytest.mark.xfail(reason="…")``. The suites need pytest (``pip install 'ragproof-core[testing]'``); the scripted HTTP
server needs nothing. Nothing here registers itself with pytest.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragproof_core.testing.adapters import AdapterConformance as AdapterConformance
    from ragproof_core.testing.judges import JudgeConformance as JudgeConformance
    from ragproof_core.testing.metrics import MetricConformance as MetricConformance
    from ragproof_core.testing.scripted_server import (
        Received as Received,
        Scripted as Scripted,
        ScriptedServer as ScriptedServer,
    )
    from ragproof_core.testing.stores import StoreConformance as StoreConformance

_HOMES = {
    "AdapterConformance": "adapters",
    "JudgeConformance": "judges",
    "MetricConformance": "metrics",
    "Received": "scripted_server",
    "Scripted": "scripted_server",
    "ScriptedServer": "scripted_server",
    "StoreConformance": "stores",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605 - the same names as imported above; a test compares the two


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    except ModuleNotFoundError as problem:
        if problem.name != "pytest":
            raise
        raise ModuleNotFoundError(
            f"{name} is a pytest class and pytest is not installed; pip install 'ragproof-core[testing]'", name="pytest"
        ) from None


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
