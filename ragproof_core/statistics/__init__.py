"""Statistics of runs: intervals, paired comparison, power, verdicts, agreement.

Pure functions, deterministic for a seed. Importing this needs no numpy; functions that resample import it when they
are called, and `available()` tells whether they can. Each module is imported when a name of it is first used: a run
needs few of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .agreement import (
        band as band,
        cohen_kappa as cohen_kappa,
        exact_agreement as exact_agreement,
        within_band_agreement as within_band_agreement,
    )
    from .bootstrap import Interval as Interval, mean_interval as mean_interval, mean_intervals as mean_intervals
    from .comparison import Comparison as Comparison, compare as compare, compare_family as compare_family
    from .descriptive import mean as mean, nearest_rank as nearest_rank, percentiles as percentiles
    from .multiplicity import holm as holm
    from .numerics import available as available
    from .order_interval import quantile_interval as quantile_interval
    from .paired import Direction as Direction, PairedScores as PairedScores, pair as pair
    from .power import cases_needed as cases_needed, detectable_difference as detectable_difference
    from .sign_flip import SignFlip as SignFlip, sign_flip_test as sign_flip_test
    from .verdicts import Outcome as Outcome, Verdict as Verdict

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

_MODULES = {
    "band": "agreement",
    "cohen_kappa": "agreement",
    "exact_agreement": "agreement",
    "within_band_agreement": "agreement",
    "Interval": "bootstrap",
    "mean_interval": "bootstrap",
    "mean_intervals": "bootstrap",
    "Comparison": "comparison",
    "compare": "comparison",
    "compare_family": "comparison",
    "mean": "descriptive",
    "nearest_rank": "descriptive",
    "percentiles": "descriptive",
    "holm": "multiplicity",
    "available": "numerics",
    "Direction": "paired",
    "PairedScores": "paired",
    "pair": "paired",
    "cases_needed": "power",
    "detectable_difference": "power",
    "quantile_interval": "order_interval",
    "SignFlip": "sign_flip",
    "sign_flip_test": "sign_flip",
    "Outcome": "verdicts",
    "Verdict": "verdicts",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
