"""The two connections to the file: one that writes, one that only reads.

Reading has a connection of its own so that a cache look-up never waits behind a write, and so that a file which may
only be read can be read. The write-ahead log lets readers and one writer work at once, also from several processes.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from ragproof_core.errors import StoreError
from ragproof_store_sqlite import schema
from ragproof_store_sqlite.failures import naming

_CHECKPOINT_PAGES = 4000  # fold the log back every 16 MB; the default of 4 MB rewrites hot pages more often


_NO_INDEX_FILE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
T = TypeVar("T")


class DatabaseFile:
    """Opens the file when it is first needed; every method may be called from any thread.

    Errors are ``StoreError``. ``timeout`` is how many seconds to wait for a lock of another process.
    """

    def __init__(self, path: Path, timeout: float) -> None:
        self.path = path
        self._timeout = timeout
        self._closed = False
        self._writing = threading.Lock()
        self._reading = threading.Lock()
        self._writer: sqlite3.Connection | None = None
        self._reader: sqlite3.Connection | None = None

    @contextmanager
    def write(
        self, *, survives_power_loss: bool = True, on_rollback: Callable[[], None] = lambda: None
    ) -> Iterator[sqlite3.Connection]:
        """One transaction, committed when the block ends and rolled back when it raises.

        Committed data survives the death of the process; with ``survives_power_loss`` also that of the machine, for
        the price of waiting for the disk.
        """
        with self._writing, naming(self.path, self._timeout):
            connection = self._writer = self._writer or self._open_to_write()
            connection.execute(f"PRAGMA synchronous = {'FULL' if survives_power_loss else 'NORMAL'}")
            try:
                with _transaction(connection):
                    yield connection
            except BaseException:
                on_rollback()  # still under the lock: nobody may use numbers that were rolled back
                raise

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection | None]:
        """A connection for reading, or ``None`` when nothing has been stored yet."""
        with self._reading, naming(self.path, self._timeout):
            if self._reader is None:
                self._reader = self._open_to_read()
            yield self._reader

    def checked(self, read: Callable[..., T], connection: sqlite3.Connection, *args: Any) -> T:
        """Call ``read``; a row that cannot be understood is a ``StoreError``."""
        try:
            return read(connection, *args)
        except (ValueError, LookupError, TypeError) as failure:
            msg = f"{self.path} holds a row that cannot be read ({failure}): it was changed by something else."
            raise StoreError(msg) from failure

    def close(self) -> None:
        """Close both connections. The last process to do so folds the log back into the file."""
        with self._reading, self._writing, naming(self.path, self._timeout):
            self._closed = True
            reader, writer = self._reader, self._writer
            self._reader = self._writer = None
            for connection in (reader, writer):  # the writer last: a reader cannot fold the log
                if connection is not None:
                    connection.close()

    def _refuse_when_closed(self) -> None:
        if self._closed:
            msg = f"the store {self.path} has been closed."
            raise StoreError(msg)

    def _open_to_write(self) -> sqlite3.Connection:
        self._refuse_when_closed()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = self._connect(str(self.path), uri=False)
        try:
            if not schema.is_current(connection, self.path):
                self._make_current(connection)
            self._use_log(connection)
            connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
        except BaseException:
            connection.close()
            raise
        return connection

    def _make_current(self, connection: sqlite3.Connection) -> None:
        with _transaction(connection):  # two processes may get here at once: the second one finds it done
            if not schema.is_current(connection, self.path):
                schema.migrate(connection)

    def _use_log(self, connection: sqlite3.Connection) -> None:
        """Switch to the write-ahead log; SQLite does not wait by itself here while another process has a lock."""
        give_up_at = time.monotonic() + self._timeout
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL").fetchone()
            except sqlite3.OperationalError as failure:
                if failure.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > give_up_at:
                    raise
                time.sleep(0.01)
            else:
                return

    def _open_to_read(self) -> sqlite3.Connection | None:
        self._refuse_when_closed()
        if not self.path.exists():
            return None
        connection = self._connect(f"{self.path.as_uri()}?mode=ro", uri=True)
        try:
            return self._ready_to_read(connection)
        except BaseException:
            connection.close()
            raise

    def _ready_to_read(self, connection: sqlite3.Connection) -> sqlite3.Connection | None:
        try:
            current = schema.is_current(connection, self.path)
        except sqlite3.OperationalError as failure:
            # The log needs an index file beside it, which a read-only folder does not allow to make. Without a log
            # the file alone is the whole database.
            if failure.sqlite_errorcode & 0xFF not in _NO_INDEX_FILE or self._has_log():
                raise
            connection.close()
            connection = self._connect(f"{self.path.as_uri()}?mode=ro&immutable=1", uri=True)
            current = schema.is_current(connection, self.path)
        if current:
            return connection
        if not schema.applied(connection):  # another process is about to make the tables
            connection.close()
            return None
        with self.write():  # opening it for writing brings an older file up to date
            return connection

    def _has_log(self) -> bool:
        log = self.path.with_name(self.path.name + "-wal")
        return log.exists() and log.stat().st_size > 0

    def _connect(self, database: str, *, uri: bool) -> sqlite3.Connection:
        return sqlite3.connect(
            database,
            timeout=self._timeout,
            isolation_level=None,  # transactions are begun and ended here, explicitly
            check_same_thread=False,
            uri=uri,
        )


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    try:
        connection.execute("BEGIN IMMEDIATE")  # take the lock at once: upgrading a read lock could fail without waiting
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # it may not have begun, or a full disk has ended it
            connection.execute("ROLLBACK")
        raise
