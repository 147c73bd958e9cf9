"""Files that cannot be used, disks that are full: a sentence that names the file, and nothing stored is lost."""

import sqlite3
from pathlib import Path

import pytest
from pydantic import ValidationError
from ragproof_store_sqlite import Settings, SqliteStore

from ragproof_core.errors import StoreError
from ragproof_core.models.response import Chunk


@pytest.fixture
def filled(store, make_run, make_result):
    store.open_run(make_run())
    store.add_results("run-1", [make_result(0)])
    return store


def test_a_file_that_is_no_database(database, store, make_run):
    database.write_text("This is a letter, not a database. " * 50)
    for call in (store.runs, lambda: store.open_run(make_run())):
        with pytest.raises(StoreError, match=r"ragproof\.db is not a SQLite database\. Set another store\.path"):
            call()
    assert database.read_text().startswith("This is a letter")


def test_a_damaged_file(database, filled, open_store, make_run, make_result):
    filled.add_results("run-1", [make_result(i, answer_text="x" * 5000) for i in range(200)])
    filled.close()
    content = bytearray(database.read_bytes())
    content[4096:-4096] = b"\xff" * (len(content) - 8192)
    database.write_bytes(content)
    store = open_store(database)
    for call in (store.runs, lambda: store.open_run(make_run("run-2"))):
        with pytest.raises(StoreError, match=r"ragproof\.db is damaged \(.*\)\. Keep a copy, save what can be read"):
            call()


def test_a_row_changed_by_hand_is_named_not_a_traceback(database, filled, open_store):
    connection = sqlite3.connect(database)
    connection.execute("UPDATE results SET scores = '{'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match=r"ragproof\.db holds a row that cannot be read"):
        list(filled.results("run-1"))


def test_a_full_disk_loses_nothing_that_was_acknowledged(database, filled, make_result):
    with filled._file.write() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 20}")
    big = [make_result(i, retrieved=(Chunk("c", f"{i} " * 3000),), answer_text="x" * 3000) for i in range(1, 60)]
    with pytest.raises(StoreError, match=r"no room left for .*ragproof\.db: the disk is full\. .*--resume"):
        filled.add_results("run-1", big)
    assert list(filled.results("run-1")) == [make_result(0)]
    with filled._file.write() as connection:
        connection.execute("PRAGMA max_page_count = 1000000")
    filled.add_results("run-1", big)
    assert list(filled.results("run-1")) == [make_result(0), *big]


def test_a_read_only_file_and_folder_can_be_read_but_not_written(
    tmp_path, open_store, make_run, make_result, read_only
):
    folder = tmp_path / "kept"
    store = open_store(folder / "ragproof.db")
    store.open_run(make_run())
    store.add_results("run-1", [make_result(0)])
    store.close()
    with read_only(folder, folder / "ragproof.db"):
        reader = open_store(folder / "ragproof.db")
        assert list(reader.results("run-1")) == [make_result(0)]
        assert [run.run_id for run in reader.runs()] == ["run-1"]
        assert reader.cache_get(["k"]) == {}
        with pytest.raises(StoreError, match=r"cannot write to .*ragproof\.db: the file or its folder is read-only"):
            reader.add_results("run-1", [make_result(1)])
        reader.close()


def test_a_read_only_folder_while_another_process_writes(tmp_path, open_store, make_run, make_result, read_only):
    folder = tmp_path / "busy"
    writer = open_store(folder / "ragproof.db")
    writer.open_run(make_run())
    writer.add_results("run-1", [make_result(0)])
    files = list(folder.iterdir())
    assert len(files) == 3  # the log and its index are there
    with read_only(folder, *files):
        reader = open_store(folder / "ragproof.db")
        assert list(reader.results("run-1")) == [make_result(0)]
        reader.close()


def test_a_folder_that_cannot_be_made_or_written(tmp_path, open_store, make_run, read_only):
    with read_only(tmp_path):
        for path in (tmp_path / "ragproof.db", tmp_path / "new" / "ragproof.db"):
            store = open_store(path)
            assert store.runs() == []
            with pytest.raises(StoreError, match=r"ragproof\.db"):
                store.open_run(make_run())
    assert list(tmp_path.iterdir()) == []


def test_a_path_that_is_a_folder_or_leads_through_a_file(tmp_path, open_store, make_run):
    with pytest.raises(StoreError, match=r"is a folder\. Set store.path to a file"):
        open_store(tmp_path).open_run(make_run())
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match=r"file.ragproof\.db"):
        open_store(tmp_path / "file" / "ragproof.db").open_run(make_run())


def test_calls_after_close_say_so_and_closing_twice_is_fine(filled, make_run):
    filled.close()
    filled.close()
    for call in (filled.runs, lambda: filled.open_run(make_run()), lambda: next(filled.results("run-1"))):
        with pytest.raises(StoreError, match=r"ragproof\.db has been closed"):
            call()


@pytest.mark.parametrize("path", ["", ".", ":memory:", "a\0b"])
def test_paths_that_are_no_file_are_refused(path):
    with pytest.raises(ValidationError):
        Settings(path=path)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_timeouts_that_are_none_are_refused(seconds):
    with pytest.raises(ValidationError):
        Settings(busy_timeout_seconds=seconds)


def test_where_the_file_is(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    assert Settings(path="~/x.db").database_path() == tmp_path / "home" / "x.db"
    assert Settings(path="runs/x.db").database_path() == tmp_path / "runs" / "x.db"
    default = Settings().database_path()
    assert default.name == "ragproof.db"
    assert default.parent.name == "ragproof"
    assert not any(Path(tmp_path).rglob("*.db"))


def test_no_home_folder_for_a_path_that_needs_one(monkeypatch):
    monkeypatch.setattr(
        Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("Could not determine home directory."))
    )
    monkeypatch.setattr(Path, "expanduser", lambda self: Path.home())
    with pytest.raises(StoreError, match=r"store\.path ~/x\.db: there is no home folder"):
        SqliteStore(Settings(path="~/x.db"))


def test_the_settings_are_optional(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert SqliteStore().runs() == []
