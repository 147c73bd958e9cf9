"""Two-sided paired permutation test: the signs of the differences are flipped.

If the two runs do not differ, each difference could as well have had the other sign. The p-value is the share of the
2**n sign patterns whose mean difference is at least as far from 0 as the one seen. Zero differences do not matter.

Exact whenever the attainable sums are few enough: always up to 20 differing cases, and for thousands of cases when the
sizes of the differences are few (0/1 metrics, verdict bands, recall in thirds). Otherwise Monte Carlo with
p = (1 + extreme) / (1 + resamples).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .numerics import DEFAULT_RESAMPLES, DEFAULT_SEED, as_floats, check_resamples, whole_steps
from .resampling import FEW_DISTINCT, random_sums
from .sign_distribution import tail_probability

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .numerics import Floats


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

    steps = whole_steps(column)
    steps = steps[steps != 0]
    if steps.size == 0:
        return SignFlip(1.0, exact=True)
    sizes, place = np.unique(np.abs(steps), return_inverse=True)
    counts = np.bincount(place)
    net = 2 * np.bincount(place[steps > 0], minlength=sizes.size) - counts
    p_value = tail_probability(sizes, counts, net)
    if p_value is not None:
        return SignFlip(p_value, exact=True)
    if sizes.size > FEW_DISTINCT:
        return None
    generator = np.random.default_rng(seed)
    positive = generator.binomial(counts, 0.5, size=(resamples, counts.size))
    sums = (2 * positive - counts) @ sizes
    threshold = abs(int((sizes * net).sum())) - column.size  # a whole step may be half a step off for each difference
    return SignFlip(_corrected(int((np.abs(sums) >= threshold).sum()), resamples), exact=False)


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
