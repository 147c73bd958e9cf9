"""Every value of two public rankings, as trec_eval computes it; see data/README.md."""

import json
from pathlib import Path

import pytest

from ragproof_core import evaluate

DATA = Path(__file__).parent / "data"
TOPICS = {"trec_adhoc": 3, "cranfield": 15}
MEASURES = {  # trec_eval's name, with and without a cut-off -> ours
    "P": "precision_at_k",
    "recall": "recall_at_k",
    "ndcg_cut": "ndcg_at_k",
    "success": "hit_rate_at_k",
    "recip_rank": "mrr",
    "map": "map",
}
CUTOFFS = (5, 10)


def queries(name):
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def run(given):
    """One run at the cut-off 5 with second instances at 10."""
    by_id = {query["query_id"]: query for query in given}

    class Recorded:
        def retrieve(self, question, k):
            return [{"id": source} for source in by_id[question]["retrieved"][:k]]

    cases = [{"id": q["query_id"], "question": q["query_id"], "expected_source_ids": q["relevant"]} for q in given]
    deeper = [
        {"use": f"retrieval.{ours}", "k": 10, "as": f"retrieval.{ours}_10"}
        for ours in MEASURES.values()
        if ours.endswith("_at_k")
    ]
    config = {"run": {"k": 5, "retrieve_k": 500}, "metrics": ["retrieval.*", *deeper]}
    return evaluate(config, cases=cases, adapter=Recorded())


@pytest.mark.parametrize("name", TOPICS)
def test_every_value_agrees_with_trec_eval(name):
    given = queries(name)
    assert len(given) == TOPICS[name]
    compared = 0
    for query, row in zip(given, run(given), strict=True):
        for measure, value in query["expected"].items():
            theirs, _, cutoff = measure.rpartition("_") if measure[-1].isdigit() else (measure, "", "")
            ours = f"retrieval.{MEASURES[theirs]}{'_10' if cutoff == '10' else ''}"
            assert row.scores[ours].value == pytest.approx(value, abs=1e-9), (query["query_id"], measure)
            compared += 1
    assert compared == len(given) * (4 * len(CUTOFFS) + 2)
