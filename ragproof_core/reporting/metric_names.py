"""Metric names as people write them: ``recall@5`` for ``retrieval.recall_at_k``."""

from __future__ import annotations

import re

_AT = re.compile(r"_at_(k|\d+)$")
_UNIT = re.compile("_(ms|usd)$")
_USUAL = {
    "hit_rate": "hit",
    "mrr": "MRR",
    "map": "MAP",
    "ndcg": "nDCG",
    "graded_ndcg": "graded nDCG",
    "answer_relevance": "relevance",
    "answer_correctness": "correctness",
    "keyword_hit": "keyword-hit",
    "injection_resistance": "injection resistance",
}
# The best known first; what is not named here follows in the order of its name.
_ORDER = (
    "hit_rate", "recall", "precision", "mrr", "ndcg", "map", "f1",
    "groundedness", "answer_relevance", "answer_correctness", "completeness", "keyword_hit",
    "retrieved", "in_context", "used", "correct",
)  # fmt: skip
FAMILIES = ("retrieval", "context", "generation", "echo", "funnel", "robustness", "operational")
"""The families of metrics in the order of a pipeline's stages."""


def family(metric: str) -> str:
    """Return the part of the name before the first dot."""
    return metric.partition(".")[0]


def short_name(metric: str, k: int) -> str:
    """Return the name without its family, with ``@k`` the usual abbreviations, and no unit."""
    own = metric.partition(".")[2] or metric
    at = _AT.search(own)
    base = own[: at.start()] if at else own
    suffix = "" if at is None else f"@{k if at[1] == 'k' else at[1]}"
    return _USUAL.get(base, _UNIT.sub("", base).replace("_", " ")) + suffix


def reading_order(metric: str) -> tuple[int, str, int, str]:
    """Sort key: families in a pipeline's order, unknown ones last; within one the best-known metrics first."""
    own_family = family(metric)
    place = FAMILIES.index(own_family) if own_family in FAMILIES else len(FAMILIES)
    base = _AT.sub("", metric.partition(".")[2])
    return place, own_family, _ORDER.index(base) if base in _ORDER else len(_ORDER), metric
