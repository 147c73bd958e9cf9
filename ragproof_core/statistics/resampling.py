"""Resampled means of one or many columns of values.

Three ways, chosen for each column by its shape alone, so that a column gets the same result alone or among others:

- few distinct values (0, 0.5, 1 ...): how often each distinct value is drawn is one multinomial draw. Exact.
- up to `SMALL` cases: indices are drawn with replacement. Exact.
- more cases with many distinct values (latency): each case is given an independent integer weight of mean 1 and
  variance 1, close to Poisson(1), and the weighted mean is taken. One stream of weights serves all columns: it is
  drawn in blocks of cases and multiplied with all columns at once. Against drawing with replacement the spread of
  the means differs by a factor of about 1 + O(1/n), far below the Monte Carlo noise of 10,000 resamples.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .numerics import Floats

FEW_DISTINCT = 16
SMALL = 256
BLOCK, ROWS = 128, 64
SMALL_PRODUCT = 200_000
# How many of the 256 bytes stand for the weights 0, 1, 2, 3, 4, 5: Poisson(1) rounded so that mean and variance are 1.
BYTES_PER_WEIGHT = (94, 95, 46, 16, 4, 1)
_WEIGHT_OF_BYTE = b"".join(bytes([weight]) * count for weight, count in enumerate(BYTES_PER_WEIGHT))


def resampled_means(columns: Sequence[Floats], *, resamples: int, seed: int) -> list[Floats]:
    """For each column of at least one value, the means of `resamples` bootstrap resamples of it."""
    import numpy as np

    means: dict[int, Floats] = {}
    wide: list[int] = []
    for index, column in enumerate(columns):
        distinct, counts = np.unique(column, return_counts=True)
        if distinct.size <= FEW_DISTINCT:
            means[index] = _by_counts(distinct, counts, resamples, seed)
        elif column.size <= SMALL:
            means[index] = _by_index(column, resamples, seed)
        else:
            wide.append(index)
    means.update(zip(wide, _by_weights([columns[index] for index in wide], resamples, seed), strict=True))
    return [means[index] for index in range(len(columns))]


def _by_counts(distinct: Floats, counts: NDArray[np.intp], resamples: int, seed: int) -> Floats:
    import numpy as np

    n = int(counts.sum())
    drawn = np.random.default_rng(seed).multinomial(n, counts / n, size=resamples)
    means: Floats = drawn @ distinct / n
    return means


def _by_index(column: Floats, resamples: int, seed: int) -> Floats:
    import numpy as np

    chosen = np.random.default_rng(seed).integers(0, column.size, size=(resamples, column.size), dtype=np.uint16)
    means: Floats = column.take(chosen).mean(axis=1)
    return means


def _by_weights(columns: Sequence[Floats], resamples: int, seed: int) -> list[Floats]:
    import numpy as np

    if not columns:
        return []
    centres = [float(column.mean()) for column in columns]
    scales = [float(np.abs(column - centre).max()) for column, centre in zip(columns, centres, strict=True)]
    lengths = sorted({column.size for column in columns})
    standard = [(c - centre) / scale for c, centre, scale in zip(columns, centres, scales, strict=True)]
    totals = weighted_sums([*standard, *(np.ones(length) for length in lengths)], resamples, seed)
    weight_of = {length: totals[:, len(columns) + i] for i, length in enumerate(lengths)}
    return [
        centre + scale * totals[:, i] / weight_of[column.size]
        for i, (column, centre, scale) in enumerate(zip(columns, centres, scales, strict=True))
    ]


def weighted_sums(columns: Sequence[Floats], resamples: int, seed: int) -> Floats:
    """Sum of weight * value for each resample (row) and column; row i of the weights is shared by all columns."""
    import numpy as np

    generator = np.random.default_rng(seed)

    def draw(count: int) -> NDArray[np.uint8]:
        return np.frombuffer(generator.bytes(count).translate(_WEIGHT_OF_BYTE), dtype=np.uint8)

    return random_sums(columns, resamples, draw)


def random_sums(columns: Sequence[Floats], resamples: int, draw: Callable[[int], NDArray[np.uint8]]) -> Floats:
    """Sum of factor * value for each resample (row) and column; `draw(count)` gives the next `count` factors.

    The product is taken in tiles of rows, too small for a linear algebra library to start threads for: its threads
    would burn more processor time waiting than they save.
    """
    import numpy as np

    rows = -(-resamples // ROWS) * ROWS
    tile = ROWS
    while tile > 1 and tile * BLOCK * len(columns) > SMALL_PRODUCT:
        tile //= 2
    totals = np.zeros((rows // tile, tile, len(columns)))
    for block in blocks_of(columns):
        factors = draw(rows * BLOCK).astype(np.float32)
        totals += factors.reshape(rows // tile, tile, BLOCK) @ block
    return totals.reshape(rows, len(columns))[:resamples]


def blocks_of(columns: Sequence[Floats]) -> NDArray[np.float32]:
    """The columns side by side, padded with zeros and cut into blocks of cases: shape (blocks, BLOCK, columns).

    A column always starts at the first case of the first block, so the random numbers it meets do not depend on
    how long the other columns are. Single precision is enough for values scaled to about 1: blocks are summed in
    double precision.
    """
    import numpy as np

    rows = -(-max(column.size for column in columns) // BLOCK) * BLOCK
    table = np.zeros((rows, len(columns)), dtype=np.float32)
    for i, column in enumerate(columns):
        table[: column.size, i] = column
    return table.reshape(rows // BLOCK, BLOCK, len(columns))
