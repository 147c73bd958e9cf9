"""``robustness.overrefusal``: declining what should have been answered."""

from __future__ import annotations

from ragproof_metrics_robustness.declining import Declining


class Overrefusal(Declining):
    """Whether a question that has an answer was declined. Lower is better."""

    direction = "lower"
    description = "share of answerable questions that were declined"
    kinds = ("qa",)
