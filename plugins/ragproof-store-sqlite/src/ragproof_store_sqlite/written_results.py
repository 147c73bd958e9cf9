"""A case's result as a row."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from ragproof_core.models.response import Chunk
from ragproof_core.models.run import CaseResult
from ragproof_store_sqlite import json_column
from ragproof_store_sqlite.case_rows import store_cases
from ragproof_store_sqlite.inserting import insert
from ragproof_store_sqlite.interning import LayoutNumbers, OutcomeTexts, TextNumbers

_INSERT = "INSERT OR REPLACE INTO results"


class ResultWriter:
    """Writes results, remembering which texts, reasons and metric lists the file has already."""

    def __init__(self) -> None:
        self._texts = TextNumbers()
        self._outcomes = OutcomeTexts()
        self._layouts = LayoutNumbers()
        self._memories = (self._texts, self._outcomes, self._layouts)

    def write(
        self, connection: sqlite3.Connection, run_no: int, dataset_sha256: str, results: Sequence[CaseResult]
    ) -> None:
        """Insert or replace the results inside the open transaction."""
        for memory in self._memories:
            memory.connection = connection
        try:
            datasets = store_cases(connection, dataset_sha256, results)
            rows = [self._row(run_no, dataset, result) for dataset, result in zip(datasets, results, strict=True)]
            insert(connection, _INSERT, rows)
        finally:
            for memory in self._memories:
                memory.connection = None

    def forget(self) -> None:
        """Drop what is remembered; called when a transaction failed."""
        for memory in self._memories:
            memory.forget()

    def _row(self, run_no: int, dataset_no: int, result: CaseResult) -> tuple[Any, ...]:
        dump = json_column.dump
        return (
            run_no,
            result.index,
            dataset_no,
            self._layouts[tuple(result.scores)],
            result.status,
            result.error,
            self._outcomes.array(result.scores),
            result.duration_ms,
            dump(result.timings_ms) if result.timings_ms else "{}",
            dump(result.citations) if result.citations else "[]",
            self._chunks(result.retrieved),
            self._chunks(result.context),
            dump(result.judge_raw) if result.judge_raw else "{}",
            result.answer_text,
        )

    def _chunks(self, chunks: Sequence[Chunk] | None) -> str | None:
        if chunks is None:
            return None
        texts = self._texts
        return json_column.dump([(chunk.id, texts[chunk.text], chunk.score, chunk.metadata) for chunk in chunks])
