"""Tables and views, and how a file made by an earlier version is brought up to date.

A migration that has been released is never edited; a change to the schema is a new one at the end.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

from ragproof_core.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path

_SET = "ragproof"

_TABLES = (
    """CREATE TABLE runs (
        run_no INTEGER PRIMARY KEY AUTOINCREMENT,
        run_id TEXT NOT NULL UNIQUE,
        project TEXT NOT NULL,
        label TEXT,
        status TEXT NOT NULL,
        started_at TEXT NOT NULL,
        ended_at TEXT,
        duration_s REAL NOT NULL,
        cost_usd REAL NOT NULL,
        dataset_name TEXT NOT NULL,
        dataset_sha256 TEXT NOT NULL,
        dataset_cases INTEGER NOT NULL,
        dataset_kinds TEXT NOT NULL,
        settings TEXT NOT NULL,
        describe TEXT NOT NULL,
        judge TEXT,
        plugins TEXT NOT NULL,
        metrics TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        cases TEXT NOT NULL,
        notes TEXT NOT NULL
    )""",
    """CREATE TABLE datasets (
        dataset_no INTEGER PRIMARY KEY AUTOINCREMENT,
        sha256 TEXT NOT NULL,
        edition INTEGER NOT NULL,
        UNIQUE (sha256, edition)
    )""",
    """CREATE TABLE cases (
        dataset_no INTEGER NOT NULL REFERENCES datasets (dataset_no),
        position INTEGER NOT NULL,
        case_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        question TEXT NOT NULL,
        expected_answer TEXT,
        expected_source_ids TEXT NOT NULL,
        tags TEXT NOT NULL,
        PRIMARY KEY (dataset_no, position)
    ) WITHOUT ROWID""",
    "CREATE TABLE score_layouts (layout_no INTEGER PRIMARY KEY AUTOINCREMENT, metrics TEXT NOT NULL UNIQUE)",
    """CREATE TABLE outcomes (
        outcome_no INTEGER PRIMARY KEY AUTOINCREMENT,
        status TEXT NOT NULL,
        reason TEXT NOT NULL,
        UNIQUE (status, reason)
    )""",
    """CREATE TABLE texts (
        text_no INTEGER PRIMARY KEY AUTOINCREMENT,
        digest INTEGER NOT NULL,
        text TEXT NOT NULL
    )""",
    "CREATE INDEX texts_by_digest ON texts (digest)",  # 8 bytes, to keep small what every new text makes dirty
    """CREATE TABLE results (
        run_no INTEGER NOT NULL REFERENCES runs (run_no) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        dataset_no INTEGER NOT NULL,
        layout_no INTEGER NOT NULL REFERENCES score_layouts (layout_no),
        status TEXT NOT NULL,
        error TEXT,
        scores TEXT NOT NULL,
        duration_ms REAL NOT NULL,
        timings_ms TEXT NOT NULL,
        citations TEXT NOT NULL,
        retrieved TEXT,
        context TEXT,
        judge_raw TEXT NOT NULL,
        answer_text TEXT,
        PRIMARY KEY (run_no, position),
        FOREIGN KEY (dataset_no, position) REFERENCES cases (dataset_no, position)
    )""",
    """CREATE TABLE summaries (
        run_no INTEGER NOT NULL REFERENCES runs (run_no) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        metric TEXT NOT NULL,
        direction TEXT NOT NULL,
        unit TEXT NOT NULL,
        mean REAL,
        p50 REAL,
        p95 REAL,
        p99 REAL,
        ci95_low REAL,
        ci95_high REAL,
        scored INTEGER NOT NULL,
        skipped INTEGER NOT NULL,
        not_applicable INTEGER NOT NULL,
        errors INTEGER NOT NULL,
        named_values TEXT NOT NULL,
        skip_reasons TEXT NOT NULL,
        error_reasons TEXT NOT NULL,
        tags TEXT NOT NULL,
        PRIMARY KEY (run_no, position)
    ) WITHOUT ROWID""",
    """CREATE TABLE judge_cache (
        key TEXT PRIMARY KEY NOT NULL,
        reply TEXT NOT NULL,
        judge TEXT NOT NULL,
        prompt TEXT NOT NULL,
        created_at TEXT NOT NULL
    )""",
    """CREATE TABLE calibrations (
        calibration_no INTEGER PRIMARY KEY AUTOINCREMENT,
        created_at TEXT NOT NULL,
        judge TEXT NOT NULL,
        prompts TEXT NOT NULL
    )""",
)

_CHUNK_VIEW = """
    SELECT runs.run_id, cases.case_id, CAST(chunk.key AS INTEGER) + 1 AS rank,
           json_extract(chunk.value, '$[0]') AS chunk_id, json_extract(chunk.value, '$[2]') AS score,
           json_extract(chunk.value, '$[3].document_id') AS document_id, texts.text
    FROM results
    JOIN runs USING (run_no)
    JOIN cases ON cases.dataset_no = results.dataset_no AND cases.position = results.position
    JOIN json_each(CAST(results.{column} AS TEXT)) AS chunk
    JOIN texts ON texts.text_no = json_extract(chunk.value, '$[1]')"""

_VIEWS = (
    """CREATE VIEW case_results AS
    SELECT runs.run_id, cases.position, cases.case_id, cases.kind, results.status, results.error, cases.question,
           cases.expected_answer, results.answer_text, cases.expected_source_ids, cases.tags, results.citations,
           results.duration_ms, results.timings_ms, results.judge_raw
    FROM results
    JOIN runs USING (run_no)
    JOIN cases ON cases.dataset_no = results.dataset_no AND cases.position = results.position""",
    """CREATE VIEW scores AS
    SELECT runs.run_id, cases.case_id, cases.kind,
           json_extract(CAST(score_layouts.metrics AS TEXT), '$[' || score.key || ']') AS metric,
           CASE score.type WHEN 'text' THEN outcomes.status WHEN 'array' THEN json_extract(score.value, '$[0]')
                           ELSE 'scored' END AS status,
           CASE score.type WHEN 'text' THEN NULL WHEN 'array' THEN json_extract(score.value, '$[1]')
                           ELSE score.value END AS value,
           CASE score.type WHEN 'text' THEN outcomes.reason WHEN 'array' THEN json_extract(score.value, '$[2]')
                           END AS reason
    FROM results
    JOIN runs USING (run_no)
    JOIN cases ON cases.dataset_no = results.dataset_no AND cases.position = results.position
    JOIN score_layouts USING (layout_no)
    JOIN json_each(CAST(results.scores AS TEXT)) AS score
    LEFT JOIN outcomes ON score.type = 'text' AND outcomes.outcome_no = CAST(score.value AS INTEGER)""",
    "CREATE VIEW retrieved_chunks AS" + _CHUNK_VIEW.format(column="retrieved"),
    "CREATE VIEW context_chunks AS" + _CHUNK_VIEW.format(column="context"),
)


class Executes(Protocol):
    """What a migration needs of the database; sqlite-utils' ``Database`` and sqlite3's connection have it."""

    def execute(self, sql: str, parameters: Any = ..., /) -> Any:
        """Run one statement."""
        ...


def _create(database: Executes) -> None:
    for statement in (*_TABLES, *_VIEWS):
        database.execute(statement)


MIGRATIONS: Mapping[str, Callable[[Executes], None]] = {"0001_create": _create}

_APPLIED = (
    """CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
)""",
    """CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name")""",
)
"""The table in which sqlite-utils keeps what was applied; a test compares it with the real one."""


def applied(connection: sqlite3.Connection) -> list[str]:
    """Return the names of the migrations that made this file, oldest first; none when it holds no tables yet."""
    known = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_sqlite_migrations'"
    if connection.execute(known).fetchone() is None:
        return []
    names = "SELECT name FROM _sqlite_migrations WHERE migration_set = ? ORDER BY rowid"
    return [name for (name,) in connection.execute(names, (_SET,))]


def is_current(connection: sqlite3.Connection, path: Path, migrations: Mapping[str, object] = MIGRATIONS) -> bool:
    """Tell whether the file has this version's schema; false when it is older or empty.

    Raises ``StoreError`` for a file made by a newer version, and for the database of another program.
    """
    done = applied(connection)
    newer = [name for name in done if name not in migrations]
    if newer:
        msg = (
            f"{path} was written by a newer ragproof-store-sqlite (its schema has {newer[-1]}). "
            "Upgrade: pip install -U ragproof-store-sqlite."
        )
        raise StoreError(msg)
    if not done:
        _refuse_foreign(connection, path)
    return len(done) == len(migrations)


def _refuse_foreign(connection: sqlite3.Connection, path: Path) -> None:
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 3")]
    if tables:
        msg = f"{path} is the database of another program (tables: {', '.join(tables)}). Set another store.path."
        raise StoreError(msg)


def migrate(connection: sqlite3.Connection, migrations: Mapping[str, Callable[[Executes], None]] = MIGRATIONS) -> None:
    """Bring the schema up to date inside the transaction that is open; all of it happens, or nothing."""
    if not applied(connection):
        _make_new(connection, migrations)
        return
    from sqlite_utils import Database, Migrations  # 0.15 s of CPU, needed only when a file is upgraded

    steps = Migrations(_SET)
    for name, step in migrations.items():
        steps(name=name)(step)
    steps.apply(Database(connection, recursive_triggers=False, execute_plugins=False))


def _make_new(connection: sqlite3.Connection, migrations: Mapping[str, Callable[[Executes], None]]) -> None:
    """Make the tables of a new file, and the record of it just as sqlite-utils keeps it, without importing that."""
    for statement in _APPLIED:
        connection.execute(statement)
    for name, step in migrations.items():
        step(connection)
        made_at = str(datetime.now(UTC))
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES (?, ?, ?)", (_SET, name, made_at)
        )
