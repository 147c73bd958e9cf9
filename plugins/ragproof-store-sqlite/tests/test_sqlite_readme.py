"""The README's queries run and answer; its schema is the schema."""

import re
import sqlite3
from pathlib import Path

import pytest

from ragproof_core.models.outcome import scored, skipped
from ragproof_core.models.response import Chunk
from ragproof_core.models.run import Summary

README = Path(__file__).parent.parent.joinpath("README.md").read_text(encoding="utf-8")
(SQL,) = re.findall(r"```sql\n(.*?)```", README, re.DOTALL)
QUERIES = {re.search(r"-- (.*)", query).group(1): query for query in SQL.split(";") if query.strip()}
EXPECTED = {
    "the runs, newest first": [
        ("run-2", "new", "completed", "2026-01-02", "cases", 0.5),
        ("run-1", None, "running", "2026-01-01", "cases", 0.0),
    ],
    "a metric over time": [("2026-01-02", "new", 0.75, 2, 0)],
    "the ten worst cases of the latest run, with question and answer": [
        ("case-1", 0.5, "Q1", "A1"),
        ("case-0", 1.0, "Q0", "A0"),
    ],
    "why metrics were skipped or failed": [("generation.groundedness", "skipped", "judge not configured", 2)],
    "what changed between two runs": [("case-1", "retrieval.mrr", 0.25, 0.5)],
    "what was retrieved for a case, best first": [
        (1, "c1", "d1", 0.5, "first text"),
        (2, "c2", None, None, "\u2028second"),
    ],
    "the mean by tag": [("numeric", 0.75, 2), ("table", 0.5, 1)],
}


@pytest.fixture
def connection(store, database, make_run, make_result):
    chunks = (Chunk("c1", "first text", 0.5, {"document_id": "d1"}), Chunk("c2", "\u2028second"))
    for run_id, second in (("run-1", 0.25), ("run-2", 0.5)):
        run = make_run(run_id, label="new" if second == 0.5 else None, started_at=f"2026-01-0{run_id[-1]}")
        store.open_run(run)
        store.add_results(
            run_id,
            [
                make_result(
                    index,
                    question=f"Q{index}",
                    answer_text=f"A{index}",
                    tags=("numeric", "table")[: index + 1],
                    retrieved=chunks,
                    scores={"retrieval.mrr": scored(value), "generation.groundedness": skipped("judge not configured")},
                )
                for index, value in enumerate((1.0, second))
            ],
        )
    summary = Summary("retrieval.mrr", "higher", "", 0.75, 0.5, 1.0, 1.0, None, 2, 0, 0, 0)
    store.finish_run("run-2", "completed", [summary], 0.5, run)
    opened = sqlite3.connect(database)
    yield opened
    opened.close()


@pytest.mark.parametrize("title", EXPECTED)
def test_a_query_of_the_readme_answers(connection, title):
    assert connection.execute(QUERIES[title]).fetchall() == EXPECTED[title]


def test_every_query_of_the_readme_is_tested():
    assert QUERIES.keys() == EXPECTED.keys()


def test_the_readme_lists_every_table_view_and_column(connection):
    names = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
    for (name,) in connection.execute(names).fetchall():
        (line,) = [line for line in README.splitlines() if line.startswith(f"| `{name}` |")]
        if name in {"context_chunks", "_sqlite_migrations"}:
            continue
        columns = {row[1] for row in connection.execute(f"PRAGMA table_info({name})")}
        assert columns - set(re.findall(r"`(\w+)`", line)) == set()


def test_views_show_all_kinds_of_outcomes_and_text(connection, store, make_result):
    odd = {"a": scored(0.5, "because"), "b": scored(float("inf")), "c": skipped("x\ud83d"), "d\ud83d": scored(1.0)}
    store.add_results("run-1", [make_result(5, scores=odd, retrieved=(Chunk("c", "t\ud83d", None, {"k": "\ud83d"}),))])
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogatepass")
    rows = connection.execute("SELECT metric, status, value, reason FROM scores WHERE case_id = 'case-5'").fetchall()
    assert [row[:3] for row in rows] == [
        ("a", "scored", 0.5),
        ("b", "scored", float("inf")),
        ("c", "skipped", None),
        ("d\ud83d", "scored", 1.0),
    ]
    assert [row[3] for row in rows] == ["because", None, b"x\xed\xa0\xbd", None]
    chunks = connection.execute("SELECT rank, chunk_id, text FROM retrieved_chunks WHERE case_id = 'case-5'").fetchall()
    assert chunks == [(1, "c", b"t\xed\xa0\xbd")]
