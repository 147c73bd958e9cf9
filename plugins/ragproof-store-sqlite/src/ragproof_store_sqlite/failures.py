"""SQLite's errors as sentences that name the file, the reason and what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ragproof_core.errors import StoreError

_INTACT = "What was stored before is intact."


def _locked(path: Path, _failure: Exception, timeout: float) -> str:
    return (
        f"{path} has been locked by another process for {timeout:g} s. Close the program that holds it, or raise "
        f"store.busy_timeout_seconds. {_INTACT}"
    )


def _full(path: Path, _failure: Exception, _timeout: float) -> str:
    return f"no room left for {path}: the disk is full. Free some space, then go on with --resume. {_INTACT}"


def _read_only(path: Path, _failure: Exception, _timeout: float) -> str:
    return (
        f"cannot write to {path}: the file or its folder is read-only. Make both writable, or set another store.path. "
        f"{_INTACT}"
    )


def _cannot_open(path: Path, _failure: Exception, _timeout: float) -> str:
    if path.is_dir():
        return f"{path} is a folder. Set store.path to a file, such as {path / 'ragproof.db'}."
    return f"cannot open {path}: make the file and its folder readable and writable, or set another store.path."


def _not_a_database(path: Path, _failure: Exception, _timeout: float) -> str:
    return f"{path} is not a SQLite database. Set another store.path, or move that file away."


def _damaged(path: Path, failure: Exception, _timeout: float) -> str:
    return (
        f"{path} is damaged ({failure}). Keep a copy, save what can be read with `sqlite3 {path.name} .recover`, "
        "and set another store.path meanwhile."
    )


def _disk(path: Path, failure: Exception, _timeout: float) -> str:
    return f"reading or writing {path} failed ({failure}). Check the disk and its free space. {_INTACT}"


_SENTENCES = (
    (("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL"), _locked),
    (("SQLITE_FULL",), _full),
    (("SQLITE_READONLY", "PermissionError"), _read_only),
    (("SQLITE_CANTOPEN",), _cannot_open),
    (("SQLITE_NOTADB",), _not_a_database),
    (("SQLITE_CORRUPT",), _damaged),
    (("SQLITE_IOERR",), _disk),
)


def explain(failure: Exception, path: Path, timeout: float) -> str:
    """Return the message for an ``sqlite3.Error`` or ``OSError`` met while working on the database at ``path``."""
    name = getattr(failure, "sqlite_errorname", "PermissionError" if isinstance(failure, PermissionError) else "")
    for beginnings, sentence in _SENTENCES:
        if name.startswith(beginnings):
            return sentence(path, failure, timeout)
    return f"{path}: {failure}. {_INTACT}"


@contextmanager
def naming(path: Path, timeout: float) -> Iterator[None]:
    """Turn an error of SQLite or the file system inside the block into a ``StoreError``."""
    try:
        yield
    except (sqlite3.Error, OSError, OverflowError) as failure:
        raise StoreError(explain(failure, path, timeout)) from failure
