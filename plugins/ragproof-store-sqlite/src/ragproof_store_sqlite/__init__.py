"""A store in one SQLite file that any SQL tool can read."""

from __future__ import annotations

from ragproof_store_sqlite.settings import Settings
from ragproof_store_sqlite.store import SqliteStore

__all__ = ["Settings", "SqliteStore"]
