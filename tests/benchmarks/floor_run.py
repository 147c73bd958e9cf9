"""The least that a run can be: the standard library, one loop, one transaction.

usage: python floor_run.py cases.jsonl out.db
"""

from __future__ import annotations

import json
import math
import sqlite3
import sys
from pathlib import Path

from synthetic_pipeline import Pipeline

K = 10


def scores(case: dict[str, object], chunks: list[dict[str, object]], answer: dict[str, object]) -> dict[str, float]:
    """Seven of the metrics, written out."""
    ranked = [chunk["id"] for chunk in chunks]
    relevant = set(case["expected_source_ids"])  # type: ignore[call-overload]
    ranks = [rank for rank, chunk in enumerate(ranked[:K], 1) if chunk in relevant]
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(K, len(relevant)) + 1))
    cited = {citation["chunk_id"] for citation in answer["citations"]}  # type: ignore[attr-defined]
    return {
        "precision": len(ranks) / K,
        "recall": len(ranks) / len(relevant),
        "mrr": 1 / ranks[0] if ranks else 0.0,
        "ndcg": sum(1 / math.log2(rank + 1) for rank in ranks) / ideal,
        "map": sum(place / rank for place, rank in enumerate(ranks, 1)) / len(relevant),
        "citation_validity": len(cited & set(ranked)) / len(cited),
        "exact_match": float(answer["answer_text"] == case["expected_answer"]),
    }


def main() -> None:
    """Run and store."""
    pipeline = Pipeline()
    rows, columns = [], {}
    for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        chunks = pipeline.retrieve(case["question"], K)
        answer = pipeline.answer(case["question"])
        found = scores(case, chunks, answer)
        for name, value in found.items():
            columns.setdefault(name, []).append(value)
        retrieved = json.dumps([chunk["id"] for chunk in chunks])
        rows.append((case["id"], answer["answer_text"], retrieved, json.dumps(answer["citations"]), json.dumps(found)))
    with sqlite3.connect(sys.argv[2]) as database:
        database.execute("CREATE TABLE results (id TEXT PRIMARY KEY, answer TEXT, ids TEXT, cites TEXT, scores TEXT)")
        database.executemany("INSERT INTO results VALUES (?, ?, ?, ?, ?)", rows)
    for name, values in columns.items():
        print(name, sum(values) / len(values))


if __name__ == "__main__":
    main()
