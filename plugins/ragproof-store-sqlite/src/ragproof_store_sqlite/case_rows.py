"""The dataset's cases, stored once for all runs over it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from ragproof_core.models.run import CaseResult
from ragproof_store_sqlite import json_column
from ragproof_store_sqlite.exact_text import storable, storable_row
from ragproof_store_sqlite.inserting import insert

_INSERT = "INSERT OR IGNORE INTO cases"
_SELECT = """SELECT case_id, kind, question, expected_answer, expected_source_ids, tags FROM cases
    WHERE dataset_no = ? AND position = ?"""


def dataset_number(connection: sqlite3.Connection, sha256: str, edition: int = 1) -> int:
    """Return ``datasets.dataset_no`` of this dataset, adding it when it is new."""
    key = (storable(sha256), edition)
    connection.execute("INSERT OR IGNORE INTO datasets (sha256, edition) VALUES (?, ?)", key)
    found = connection.execute("SELECT dataset_no FROM datasets WHERE sha256 = ? AND edition = ?", key)
    return int(found.fetchone()[0])


def store_cases(connection: sqlite3.Connection, sha256: str, results: Sequence[CaseResult]) -> list[int]:
    """Store the results' cases where they are missing; return each one's ``dataset_no``.

    That is the number of the dataset's first edition. Should a case differ from the stored one of the same place and
    the same dataset digest, it goes to the next edition where it fits, so that no run's record ever changes.
    """
    first = dataset_number(connection, sha256)
    rows = [_row(first, result) for result in results]
    if insert(connection, _INSERT, rows) == len(rows):
        return [first] * len(rows)
    return [_fitting_edition(connection, sha256, storable_row(row)) for row in rows]


def _row(dataset_no: int, result: CaseResult) -> tuple[Any, ...]:
    sources, tags = result.expected_source_ids, result.tags
    return (
        dataset_no,
        result.index,
        result.case_id,
        result.kind,
        result.question,
        result.expected_answer,
        json_column.dump(sources) if sources else "[]",
        json_column.dump(tags) if tags else "[]",
    )


def _fitting_edition(connection: sqlite3.Connection, sha256: str, row: tuple[Any, ...]) -> int:
    dataset_no, position, *case = row
    edition = 1
    while list(connection.execute(_SELECT, (dataset_no, position)).fetchone()) != case:
        edition += 1
        dataset_no = dataset_number(connection, sha256, edition)
        insert(connection, _INSERT, [(dataset_no, position, *case)])
    return int(dataset_no)
