"""Refusals of a whole run: precision, recall, F1, coverage and risk.

A case counts when it is known whether it was declined: ``robustness.abstention`` is scored for it (an unanswerable
question) or ``robustness.overrefusal`` (one with an answer). Coverage and risk are those of selective prediction
(El-Yaniv and Wiener 2010).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ragproof_core import ScoreRow

ABSTENTION, OVERREFUSAL = "robustness.abstention", "robustness.overrefusal"
CORRECTNESS = ("generation.answer_correctness", "generation.keyword_hit", "echo.exact_match")
"""The metrics that say whether an answer is right, the most telling first; 1.0 is right."""


def picture(rows: Sequence[ScoreRow]) -> dict[str, float | None]:
    """Return the named values of a run; empty when neither of the two metrics is scored.

    - ``precision``: declined unanswerable / declined; ``None`` when nothing was declined.
    - ``recall``: declined unanswerable / unanswerable; ``None`` when there is no unanswerable case.
    - ``f1``: 2·precision·recall / (precision + recall), 0 when both are 0.
    - ``coverage``: answered / all, of the cases where it is known.
    - ``risk``: wrong / answered. A made-up answer to an unanswerable question is wrong; one to another question is
      wrong when the first scored metric of :data:`CORRECTNESS` is below 1.0, and does not count when none is scored.
      Left out when no answered question has such a score.
    """
    unanswerable = [row.values[ABSTENTION] for row in rows if ABSTENTION in row.values]
    answerable = [row for row in rows if OVERREFUSAL in row.values]
    if not unanswerable and not answerable:
        return {}
    rightly = sum(unanswerable)
    declined = rightly + sum(row.values[OVERREFUSAL] for row in answerable)
    total = len(unanswerable) + len(answerable)
    precision = rightly / declined if declined else None
    recall = rightly / len(unanswerable) if unanswerable else None
    values = {
        "precision": precision,
        "recall": recall,
        "f1": _f1(precision, recall),
        "coverage": (total - declined) / total,
    }
    judged = [right for row in answerable if not row.values[OVERREFUSAL] and (right := _right(row)) is not None]
    if judged:
        made_up = len(unanswerable) - rightly
        values["risk"] = (made_up + judged.count(False)) / (made_up + len(judged))
    return values


def _f1(precision: float | None, recall: float | None) -> float | None:
    if precision is None or recall is None:
        return None
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _right(row: ScoreRow) -> bool | None:
    values: Mapping[str, float] = row.values
    return next((values[name] == 1.0 for name in CORRECTNESS if name in values), None)
