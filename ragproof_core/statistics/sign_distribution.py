"""The exact distribution of a sum of differences whose signs are random.

Among `count` differences of one size the number of positive signs is Binomial(count, 1/2). The sizes are independent,
so the distribution of the sum is a convolution of one binomial a size.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .numerics import Floats

    Whole = NDArray[np.int64]

MOST_SIZES = 20
MOST_PATTERNS = 2**20
MOST_PRODUCTS = 2**24
MOST_PARTS = 5_040
NEARLY_WHOLE = 1e-8  # sizes have 12 digits, multiplied by up to 5,040
FULL_BINOMIAL = 200
CUT = 12.0  # standard deviations of a large binomial that are kept; what is cut off is added to p
MASS_BEYOND_CUT = 2.0 * math.exp(-CUT * CUT / 2.0)  # Hoeffding's bound


def tail_probability(sizes: Whole, counts: Whole, net: Whole) -> float | None:
    """P(|sum| >= |sum seen|), never 0; None when there are too many attainable sums to list.

    `sizes` are the distinct sizes in whole steps, `counts` how many differences have each, `net` how many more of them
    are positive than negative.
    """
    if sizes.size > MOST_SIZES:
        return None
    parts = [_positive_signs(int(count)) for count in counts]
    whole = proportions(sizes)
    tail = None if whole is None else _tail_on_a_lattice(whole, counts, net, parts)
    if tail is None:
        tail = _tail_of_patterns(sizes, counts, net, parts)
    if tail is None:
        return None
    cut = MASS_BEYOND_CUT * int((counts > FULL_BINOMIAL).sum())
    return max(sys.float_info.min, min(1.0, tail + cut))


def proportions(sizes: Whole) -> Whole | None:
    """The smallest whole numbers in the proportion of the sizes; None when they would exceed `MOST_PARTS`.

    Sizes of 1/4 and 1/3 become 3 and 4: then equal sums are equal, in spite of 1/3 having no last digit.
    """
    import numpy as np

    multiples = np.outer(np.arange(1, MOST_PARTS + 1), sizes / sizes.max())
    rounded = np.rint(multiples)
    near = np.abs(multiples - rounded).max(axis=1) < NEARLY_WHOLE
    fits = np.flatnonzero(near & (rounded.min(axis=1) > 0))  # a tiny size is not nothing
    return rounded[fits[0]].astype(np.int64) if fits.size else None


def _positive_signs(count: int) -> tuple[int, Floats]:
    """The fewest positive signs that are considered, and the probabilities of that many, one more, and so on."""
    import numpy as np

    if count <= FULL_BINOMIAL:
        ways, chances = 1, []
        for positive in range(count + 1):
            chances.append(ways / 2**count)
            ways = ways * (count - positive) // (positive + 1)
        return 0, np.array(chances)
    first = max(0, count // 2 - math.ceil(CUT * math.sqrt(count) / 2))
    scale = math.lgamma(count + 1) - count * math.log(2)
    logs = [scale - math.lgamma(k + 1) - math.lgamma(count - k + 1) for k in range(first, count - first + 1)]
    return first, np.exp(np.array(logs))


def _tail_on_a_lattice(whole: Whole, counts: Whole, net: Whole, parts: list[tuple[int, Floats]]) -> float | None:
    """Convolve dense arrays over the whole number sum(size * positive signs)."""
    import numpy as np

    density, start, products = np.ones(1), 0, 0
    for size, (first, chances) in zip(whole.tolist(), parts, strict=True):
        products += density.size * chances.size
        if products > MOST_PRODUCTS:
            return None
        density = _convolve(density, chances, size)
        start += size * first
    sums = 2 * (start + np.arange(density.size)) - int((whole * counts).sum())
    return float(density[np.abs(sums) >= abs(int((whole * net).sum()))].sum())


def _convolve(density: Floats, chances: Floats, size: int) -> Floats:
    """The density of a sum with `size` times a number of positive signs added."""
    import numpy as np

    result = np.zeros(density.size + size * (chances.size - 1))
    if chances.size <= density.size:
        for i, chance in enumerate(chances.tolist()):
            result[i * size : i * size + density.size] += chance * density
    else:
        reach = size * (chances.size - 1) + 1
        for i, weight in enumerate(density.tolist()):
            result[i : i + reach : size] += weight * chances
    return result


def _tail_of_patterns(sizes: Whole, counts: Whole, net: Whole, parts: list[tuple[int, Floats]]) -> float | None:
    """List every combination of numbers of positive signs."""
    import numpy as np

    if math.prod(chances.size for _, chances in parts) > MOST_PATTERNS:
        return None
    sums: Whole = np.zeros(1, dtype=np.int64)
    weights: Floats = np.ones(1)
    for size, count, (first, chances) in zip(sizes.tolist(), counts.tolist(), parts, strict=True):
        moves = size * (2 * (first + np.arange(chances.size)) - count)
        sums = np.add.outer(sums, moves).ravel()
        weights = np.multiply.outer(weights, chances).ravel()
    rounding = int(counts.sum())  # a whole step may be half a step off for each difference
    return float(weights[np.abs(sums) >= abs(int((sizes * net).sum())) - rounding].sum())
