"""``robustness.abstention``: declining what cannot be answered."""

from __future__ import annotations

from ragproof_metrics_robustness.declining import Declining


class Abstention(Declining):
    """Whether an unanswerable question was declined; the recall of refusing."""

    direction = "higher"
    description = "share of unanswerable questions that were declined, not answered with something made up"
    kinds = ("unanswerable",)
