"""The one door to numpy: nothing in this package imports it before a function that needs it is called."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DEFAULT_SEED = 20_011
DEFAULT_RESAMPLES = 10_000
DEFAULT_CONFIDENCE = 0.95
SIGNIFICANT_DIGITS = 12


def available() -> bool:
    """True when numpy is installed, so that intervals and p-values can be computed."""
    return find_spec("numpy") is not None


def as_floats(values: Sequence[float] | Floats) -> Floats:
    """A one-dimensional float64 array of finite values; ValueError names the first value that is not finite."""
    try:
        import numpy as np
    except ImportError as error:
        raise ImportError("intervals and p-values need numpy: pip install 'ragproof-core[default]'") from error

    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"expected a flat list of numbers, got {array.ndim} dimensions")
    bad = np.flatnonzero(~np.isfinite(array))
    if bad.size:
        raise ValueError(f"value {array[bad[0]]} at position {bad[0]} is not a finite number")
    return array


def check_confidence(confidence: float) -> None:
    """ValueError unless 0 < confidence < 1."""
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence}")


def check_resamples(resamples: int) -> None:
    """ValueError unless there is at least one resample."""
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, got {resamples}")


def decimals_for(scale: float) -> int:
    """Decimal places that keep `SIGNIFICANT_DIGITS` digits of a number as large as `scale`."""
    if scale <= 0.0:
        return 0
    return max(-290, min(290, SIGNIFICANT_DIGITS - 1 - math.floor(math.log10(scale))))


def snap(values: Floats, scale: float) -> Floats:
    """Round away float noise relative to `scale`, so that 0.3 - 0.1 and 0.2 are one value, and 0.1 + 0.2 equals 0.3."""
    import numpy as np

    return np.round(values, decimals_for(scale)) + 0.0


def whole_steps(values: Floats) -> NDArray[np.int64]:
    """The values as whole multiples of their last significant digit: sums of these are exact, so ties are ties."""
    import numpy as np

    decimals = decimals_for(float(np.max(np.abs(values), initial=0.0)))
    return np.rint(values * 10.0**decimals).astype(np.int64)
