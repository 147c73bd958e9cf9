"""Statistics of runs: intervals, paired comparison, power, verdicts, agreement.

Pure functions, deterministic for a seed. Importing this needs no numpy; functions that resample import it when they
are called, and `available()` tells whether they can.
"""

from __future__ import annotations

from .agreement import band, cohen_kappa, exact_agreement, within_band_agreement
from .bootstrap import Interval, mean_interval, mean_intervals
from .comparison import Comparison, compare, compare_family
from .descriptive import mean, nearest_rank, percentiles
from .multiplicity import holm
from .numerics import available
from .paired import Direction, PairedScores, pair
from .power import cases_needed, detectable_difference
from .quantile_interval import quantile_interval
from .sign_flip import SignFlip, sign_flip_test
from .verdicts import Outcome, Verdict

__all__ = [
    "Comparison",
    "Direction",
    "Interval",
    "Outcome",
    "PairedScores",
    "SignFlip",
    "Verdict",
    "available",
    "band",
    "cases_needed",
    "cohen_kappa",
    "compare",
    "compare_family",
    "detectable_difference",
    "exact_agreement",
    "holm",
    "mean",
    "mean_interval",
    "mean_intervals",
    "nearest_rank",
    "pair",
    "percentiles",
    "quantile_interval",
    "sign_flip_test",
    "within_band_agreement",
]
