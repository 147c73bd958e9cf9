"""A new file is made without sqlite-utils, and must be the one that sqlite-utils would have made."""

import sqlite3
import subprocess
import sys
from pathlib import Path

from ragproof_store_sqlite import schema
from sqlite_utils import Database, Migrations


def test_a_new_file_equals_one_made_by_sqlite_utils() -> None:
    ours = sqlite3.connect(":memory:")
    schema.migrate(ours)
    theirs = sqlite3.connect(":memory:")
    steps = Migrations("ragproof")
    for name, step in schema.MIGRATIONS.items():
        steps(name=name)(step)
    steps.apply(Database(theirs, execute_plugins=False))
    wanted = "SELECT type, name, sql FROM sqlite_master ORDER BY type, name"
    assert ours.execute(wanted).fetchall() == theirs.execute(wanted).fetchall()
    record = "SELECT migration_set, name, length(applied_at) FROM _sqlite_migrations"
    assert ours.execute(record).fetchall() == theirs.execute(record).fetchall() == [("ragproof", "0001_create", 32)]


def test_sqlite_utils_finds_nothing_left_to_do() -> None:
    connection = sqlite3.connect(":memory:")
    schema.migrate(connection)
    steps = Migrations("ragproof")
    for name, step in schema.MIGRATIONS.items():
        steps(name=name)(step)
    assert steps.pending(Database(connection, execute_plugins=False)) == []


def test_making_a_file_does_not_import_sqlite_utils(tmp_path: Path) -> None:
    code = (
        "import sqlite3, sys; from ragproof_store_sqlite import schema; "
        f"schema.migrate(sqlite3.connect({str(tmp_path / 'new.db')!r})); print('sqlite_utils' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
