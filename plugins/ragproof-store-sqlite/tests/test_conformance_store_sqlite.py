"""The kernel's standard tests."""

import pytest
from ragproof_store_sqlite import Settings, SqliteStore

from ragproof_core.testing import StoreConformance


class TestSqlite(StoreConformance):
    entry_point = "sqlite"

    @staticmethod
    def make_store(path):
        return SqliteStore(Settings(path=path))


@pytest.mark.slow
class TestSqliteWithManyRows(TestSqlite):
    rows = 50_000
