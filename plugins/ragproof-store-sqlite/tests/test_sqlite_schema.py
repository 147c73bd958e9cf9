"""Files of other versions and of other programs; the component's shape."""

import importlib.metadata
import sqlite3
import subprocess
import sys

import pluggy
import pytest
from ragproof_store_sqlite import SqliteStore, schema

from ragproof_core.errors import StoreError
from ragproof_core.hookspecs import PROJECT, StoreSpec


def execute(path, *statements):
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_file_of_a_newer_version_is_refused_and_left_alone(database, store, open_store, make_run):
    store.open_run(make_run())
    store.close()
    execute(
        database,
        "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('ragproof', '0099_future', 'now')",
    )
    newer = open_store(database)
    for call in (newer.runs, lambda: newer.open_run(make_run("run-2"))):
        with pytest.raises(StoreError, match=r"newer ragproof-store-sqlite \(its schema has 0099_future\)\. Upgrade"):
            call()


@pytest.mark.parametrize("first_call", ["read", "write"])
def test_an_older_file_is_brought_up_to_date_with_its_content(
    database, store, open_store, make_run, make_result, monkeypatch, first_call
):
    store.open_run(make_run())
    store.add_results("run-1", [make_result(0)])
    store.close()
    later = {**schema.MIGRATIONS, "0002_index": lambda db: db.execute("CREATE INDEX by_status ON results (status)")}
    for function in (schema.is_current, schema.migrate):
        monkeypatch.setattr(function, "__defaults__", (later,))
    newer = open_store(database)
    if first_call == "write":
        newer.open_run(make_run("run-2"))
    assert list(newer.results("run-1")) == [make_result(0)]
    connection = sqlite3.connect(database)
    assert schema.applied(connection) == list(later)
    assert connection.execute("SELECT name FROM sqlite_master WHERE name = 'by_status'").fetchone()
    connection.close()


def test_a_migration_that_fails_changes_nothing(database, store, open_store, make_run, monkeypatch):
    store.open_run(make_run())
    store.close()

    def half(db):
        db.execute("CREATE TABLE half (x)")
        db.execute("CREATE TABLE runs (x)")

    for function in (schema.is_current, schema.migrate):
        monkeypatch.setattr(function, "__defaults__", ({**schema.MIGRATIONS, "0002_half": half},))
    with pytest.raises(StoreError, match="table runs already exists"):
        open_store(database).runs()
    monkeypatch.undo()
    assert [run.run_id for run in open_store(database).runs()] == ["run-1"]
    connection = sqlite3.connect(database)
    assert not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'half'").fetchall()
    connection.close()


def test_the_database_of_another_program_is_refused_and_left_alone(database, store, make_run):
    execute(database, "CREATE TABLE bookmarks (url)", "INSERT INTO bookmarks VALUES ('x')")
    for call in (store.runs, lambda: store.open_run(make_run())):
        with pytest.raises(StoreError, match=r"database of another program \(tables: bookmarks\)\. Set another"):
            call()
    connection = sqlite3.connect(database)
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("bookmarks",)]
    connection.close()


def test_an_empty_file_is_taken(database, store, make_run):
    database.touch()
    assert store.runs() == []
    store.open_run(make_run())
    assert [run.run_id for run in store.runs()] == ["run-1"]


def test_deleting_a_run_by_hand_deletes_what_belongs_to_it(database, store, make_run, make_result):
    store.open_run(make_run())
    store.add_results("run-1", [make_result(0)])
    execute(database, "PRAGMA foreign_keys = ON", "DELETE FROM runs WHERE run_id = 'run-1'")
    store.open_run(make_run("run-2"))
    assert (list(store.results("run-1")), list(store.results("run-2"))) == ([], [])
    connection = sqlite3.connect(database)
    assert connection.execute("SELECT count(*) FROM results").fetchone() == (0,)
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()


def test_the_component_fits_the_store_contract(database, open_store):
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(StoreSpec)
    manager.register(open_store(database))
    manager.check_pending()
    hooks = {name for name in vars(StoreSpec) if not name.startswith("_")}
    assert {name for name in hooks if getattr(manager.hook, name).get_hookimpls()} == hooks
    assert manager.hook.results(run_id="x") is not None
    assert SqliteStore.api_version == 1


def test_the_entry_point_names_the_class():
    (found,) = importlib.metadata.entry_points(group="ragproof.stores", name="sqlite")
    assert (found.load(), found.dist.name) == (SqliteStore, "ragproof-store-sqlite")


def test_reading_and_writing_a_file_that_is_up_to_date_does_not_load_sqlite_utils(database, store, make_run):
    store.open_run(make_run())
    store.close()
    script = (
        "import sys; from ragproof_store_sqlite import Settings, SqliteStore;"
        f"store = SqliteStore(Settings(path={str(database)!r})); assert len(store.runs()) == 1; store.cache_put([]);"
        "store.close(); print('sqlite_utils' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
