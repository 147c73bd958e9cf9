"""Two-sided paired permutation test: the signs of the differences are flipped.

If the two runs do not differ, each difference could as well have had the other sign. The p-value is the share of the
2**n sign patterns whose mean difference is at least as far from 0 as the one seen. Zero differences do not matter.

Exact whenever the attainable sums are few enough: always up to 20 differing cases, and for any number of cases when
the sizes of the differences are few (0/1 metrics, verdict bands), where the number of positive signs among
equal-sized differences is Binomial(count, 1/2). Otherwise Monte Carlo, p = (1 + extreme) / (1 + resamples).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .numerics import DEFAULT_RESAMPLES, DEFAULT_SEED, as_floats, check_resamples, whole_steps
from .resampling import FEW_DISTINCT, random_sums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .numerics import Floats

MOST_SIZES = 20
MOST_PATTERNS = 2**20
MOST_MERGED_SUMS = 2**14
FULL_BINOMIAL = 1_000
CUT = 12.0  # standard deviations of a large binomial that are kept; what is cut off is added to p
MASS_BEYOND_CUT = 2.0 * math.exp(-CUT * CUT / 2.0)


@dataclass(frozen=True, slots=True)
class SignFlip:
    """p-value in (0, 1] and whether it is exact (else Monte Carlo)."""

    p_value: float
    exact: bool


def sign_flip_test(
    differences: Sequence[float], *, resamples: int = DEFAULT_RESAMPLES, seed: int = DEFAULT_SEED
) -> SignFlip:
    """Two-sided sign-flip test that the mean of paired differences is 0; p = 1 when every difference is 0.

    Six cases better, none worse, any number equal: 2 of the 64 patterns are as extreme, p = 0.03125.
    Needs numpy. `resamples` and `seed` matter only when the test is not exact.
    """
    return sign_flip_tests([as_floats(differences)], resamples=resamples, seed=seed)[0]


def sign_flip_tests(
    columns: Sequence[Floats], *, resamples: int = DEFAULT_RESAMPLES, seed: int = DEFAULT_SEED
) -> list[SignFlip]:
    """`sign_flip_test` of several columns of differences, with the same results; random signs are drawn once."""
    check_resamples(resamples)
    moved = [column[column != 0.0] for column in columns]
    found: dict[int, SignFlip] = {}
    many: list[int] = []
    for index, column in enumerate(moved):
        test = _by_sizes(column, resamples, seed)
        if test is None:
            many.append(index)
        else:
            found[index] = test
    found.update(zip(many, _by_random_signs([moved[index] for index in many], resamples, seed), strict=True))
    return [found[index] for index in range(len(columns))]


def _by_sizes(column: Floats, resamples: int, seed: int) -> SignFlip | None:
    """The exact test, else Monte Carlo on counts when the sizes are few, else None."""
    import numpy as np

    if column.size == 0:
        return SignFlip(1.0, exact=True)
    steps = whole_steps(column)
    sizes, counts = np.unique(np.abs(steps), return_counts=True)
    threshold = abs(int(steps.sum())) - column.size  # rounding to whole steps may cost half a step a case
    p_value = exact_p(sizes, counts, threshold)
    if p_value is not None:
        return SignFlip(p_value, exact=True)
    if sizes.size > FEW_DISTINCT:
        return None
    generator = np.random.default_rng(seed)
    positive = generator.binomial(counts, 0.5, size=(resamples, counts.size))
    sums = (2 * positive - counts) @ sizes
    return SignFlip(_corrected(int((np.abs(sums) >= threshold).sum()), resamples), exact=False)


def exact_p(sizes: NDArray[np.int64], counts: NDArray[np.intp], threshold: int) -> float | None:
    """P(|sum of size * (positive - negative)| >= threshold); None when there are too many attainable sums."""
    import numpy as np

    if sizes.size > MOST_SIZES:
        return None
    parts = [_signed_counts(int(count)) for count in counts]
    merge = math.prod(moves.size for moves, _ in parts) > MOST_PATTERNS
    sums: NDArray[np.int64] = np.zeros(1, dtype=np.int64)
    weights: Floats = np.ones(1)
    for size, (moves, chances) in zip(sizes, parts, strict=True):
        if (merge and sums.size > MOST_MERGED_SUMS) or sums.size * moves.size > 4 * MOST_PATTERNS:
            return None
        sums = np.add.outer(sums, size * moves).ravel()
        weights = np.asarray(np.multiply.outer(weights, chances).ravel(), dtype=np.float64)
        if merge:
            merged, place = np.unique(sums, return_inverse=True)
            sums, weights = merged.astype(np.int64), np.bincount(place, weights)
    cut = MASS_BEYOND_CUT * int((counts > FULL_BINOMIAL).sum())
    tails = float(weights[np.abs(sums) >= threshold].sum())
    return max(sys.float_info.min, min(1.0, tails + cut))


def _signed_counts(count: int) -> tuple[NDArray[np.int64], Floats]:
    """What `count` random signs can add up to, and with which probability."""
    import numpy as np

    if count <= FULL_BINOMIAL:
        ways, chances = 1, []
        for positive in range(count + 1):
            chances.append(ways / 2**count)
            ways = ways * (count - positive) // (positive + 1)
        return np.arange(-count, count + 1, 2), np.array(chances)
    reach = math.ceil(CUT * math.sqrt(count) / 2)
    first = max(0, count // 2 - reach)
    last = min(count, count - first)
    scale = math.lgamma(count + 1) - count * math.log(2)
    logs = [scale - math.lgamma(k + 1) - math.lgamma(count - k + 1) for k in range(first, last + 1)]
    return 2 * np.arange(first, last + 1) - count, np.exp(np.array(logs))


def _by_random_signs(columns: Sequence[Floats], resamples: int, seed: int) -> list[SignFlip]:
    """Monte Carlo with one stream of random signs for all columns, drawn in blocks of cases."""
    import numpy as np

    if not columns:
        return []
    scaled = [column / np.abs(column).max() for column in columns]
    generator = np.random.default_rng(seed)

    def draw(count: int) -> NDArray[np.uint8]:
        return np.unpackbits(np.frombuffer(generator.bytes(count // 8), dtype=np.uint8))

    sums = random_sums(scaled, resamples, draw)
    found = []
    for i, column in enumerate(scaled):
        tolerance = 1e-7 * float(np.abs(column).sum())  # single precision inside a block
        extreme = np.abs(2.0 * sums[:, i] - column.sum()) >= abs(float(column.sum())) - tolerance
        found.append(SignFlip(_corrected(int(extreme.sum()), resamples), exact=False))
    return found


def _corrected(extreme: int, resamples: int) -> float:
    """The pattern seen is one of the possible ones: counting it keeps p above 0 and the test valid."""
    return (1 + extreme) / (1 + resamples)
