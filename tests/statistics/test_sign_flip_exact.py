import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from ragproof_core.statistics import sign_flip_test
from ragproof_core.statistics.numerics import whole_steps
from ragproof_core.statistics.sign_distribution import proportions
from ragproof_core.statistics.sign_flip import sign_flip_tests


def by_enumeration(differences):
    """The definition, over every sign pattern."""
    seen = abs(math.fsum(differences))
    patterns = list(itertools.product((1, -1), repeat=len(differences)))
    return sum(
        abs(math.fsum(s * d for s, d in zip(p, differences, strict=True))) >= seen - 1e-9 for p in patterns
    ) / len(patterns)


@pytest.mark.parametrize(
    ("differences", "p_value"),
    [
        ([], 1.0),
        ([0.0, 0.0], 1.0),
        ([1.0, 1e-20], 1.0),  # the second is lost in the rounding of the first
        ([1.0], 1.0),  # both patterns are as extreme
        ([1.0] * 5, 2 / 32),
        ([1.0] * 6 + [0.0] * 14, 0.03125),  # 2 / 64
        ([-0.5] * 6 + [0.0] * 14, 0.03125),
        ([1.0, 1.0, 1.0, -1.0], 10 / 16),  # sums +-4: 1 each, +-2: 4 each
        ([1.0, 0.5], 2 / 4),  # sums 1.5, 0.5, -0.5, -1.5
        ([0.3 - 0.1, -0.2, 0.2], 1.0),  # float noise: |sum| = 0.2 is reached by every pattern
        ([0.1 + 0.2, 0.3, 0.3, 0.3, 0.3, 0.3], 2 / 64),
        ([1 / 3, 1 / 3, -2 / 3], 1.0),  # sum 0 within float noise
    ],
)
def test_by_hand(differences, p_value):
    found = sign_flip_test(differences)
    assert found.exact
    assert found.p_value == p_value


@settings(max_examples=80)
@given(st.lists(st.sampled_from([-1.0, -0.75, -0.5, -1 / 3, 0.0, 0.1, 1 / 3, 2 / 3, 1.0, 0.123456]), max_size=9))
def test_equals_enumeration(differences):
    assert sign_flip_test(differences).p_value == pytest.approx(by_enumeration(differences), abs=1e-12)


@pytest.mark.parametrize("n", [8, 12])
def test_equals_scipy_exact(n):
    rng = np.random.default_rng(n)
    differences = rng.normal(0.4, 1.0, n)
    reference = stats.permutation_test(
        (differences, np.zeros(n)),
        lambda a, b, axis: (a - b).mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
    )
    assert sign_flip_test(differences).p_value == pytest.approx(reference.pvalue, abs=1e-12)


@pytest.mark.parametrize(("up", "down"), [(700, 640), (3_000, 2_800), (20_000, 19_500), (1_000, 0)])
def test_equal_sizes_are_the_binomial_sign_test(up, down):
    found = sign_flip_test([0.5] * up + [-0.5] * down)
    assert found.exact
    assert found.p_value == pytest.approx(stats.binomtest(up, up + down).pvalue, rel=1e-9)


def test_two_sizes_by_convolution():
    """400 moves of 1 and 300 of 1/2: the distribution of 2 * sum is a convolution of two binomials."""
    ones, halves = 2 * stats.binom.pmf(np.arange(401), 400, 0.5), stats.binom.pmf(np.arange(301), 300, 0.5) / 2
    wide = np.zeros(801)
    wide[::2] = ones
    mass = np.convolve(wide, halves)  # index i stands for 2 * sum = 2 * i - 1100
    differences = [1.0] * 220 + [-1.0] * 180 + [0.5] * 160 + [-0.5] * 140  # 2 * sum = 80 + 20 = 100
    expected = mass[np.abs(2 * np.arange(mass.size) - 1100) >= 100].sum()
    found = sign_flip_test(differences)
    assert found.exact
    assert found.p_value == pytest.approx(expected, rel=1e-9)


def test_lattice_of_many_cases_stays_exact():
    differences = [0.25 * (i % 9 - 4) for i in range(5_000)] + [1.0] * 60
    found = sign_flip_test(differences)
    assert found.exact
    spread = math.sqrt(sum(d * d for d in differences))
    shift = sum(differences) - 0.125  # sums lie 0.25 apart around it
    assert found.p_value == pytest.approx(2 * stats.norm.sf(shift / spread), rel=0.02)


def test_twenty_different_sizes_are_exact_and_more_are_sampled():
    sizes = [math.sqrt(i) for i in range(2, 25)]
    assert sign_flip_test(sizes[:20]).exact
    assert not sign_flip_test(sizes[:21]).exact


@pytest.mark.parametrize("n", [25, 300, 2_000])
def test_monte_carlo_is_near_the_normal_limit(n):
    rng = np.random.default_rng(n)
    differences = rng.normal(0.0, 1.0, n)
    differences += 1.9 * differences.std() / math.sqrt(n) - differences.mean()
    found = sign_flip_test(differences, resamples=40_000)
    assert not found.exact
    limit = 2 * stats.norm.sf(abs(differences.sum()) / math.sqrt((differences**2).sum()))
    assert found.p_value == pytest.approx(limit, abs=0.006)


def test_monte_carlo_on_counts_agrees_with_random_signs():
    """Thirds and sevenths do not fall on one lattice: sampled, by counts for 16 sizes, by signs for more."""
    rng = random.Random(2)
    few = [
        rng.choice((1, -1)) * rng.choice((1 / 3, 2 / 3, 1 / 7, 2 / 7, 3 / 7, 1 / 11, 3 / 11, 5 / 13)) + 0.0
        for _ in range(400)
    ]
    many = [d + 1e-7 * i * d for i, d in enumerate(few)]
    by_counts, by_signs = (sign_flip_test(d, resamples=40_000) for d in (few, many))
    assert not by_counts.exact
    assert not by_signs.exact
    assert by_counts.p_value == pytest.approx(by_signs.p_value, abs=0.015)


def test_monte_carlo_p_is_never_zero():
    found = sign_flip_test([1.0 + 0.01 * i for i in range(60)], resamples=999)
    assert found.p_value == 1 / 1000  # no random pattern of 60 signs is as extreme


def test_huge_counts_keep_p_above_zero():
    assert 0.0 < sign_flip_test([1.0] * 5_000).p_value <= 1e-30
    assert 0.0 < sign_flip_test([1.0] * 900 + [0.5] * 900).p_value <= 1e-30
    assert sign_flip_test([1.0] * 200).p_value == 2 / 2**200


def test_together_as_alone():
    rng = np.random.default_rng(1)
    columns = [rng.normal(0.05, 1.0, 400), np.array([1.0] * 6 + [0.0] * 14), rng.normal(0.0, 1.0, 900)]
    assert sign_flip_tests(columns, resamples=2_000) == [sign_flip_test(c, resamples=2_000) for c in columns]


@pytest.mark.parametrize("tiny", [0.0078125, 1e-3, -1e-3])
def test_a_tiny_difference_is_not_nothing(tiny: float) -> None:
    # of the four patterns of signs two reach the sum that was seen: itself and its mirror image
    assert sign_flip_test([781201.0, tiny]).p_value == (0.5 if tiny > 0 else 1.0)


@settings(max_examples=50)
@given(st.lists(st.floats(-1e6, 1e6).filter(lambda d: d == 0 or abs(d) > 1e-3), max_size=30))
def test_sign_zeros_and_scale_do_not_matter(differences):
    p_value = sign_flip_test(differences, resamples=300).p_value
    assert 0.0 < p_value <= 1.0
    assert sign_flip_test([-d for d in differences], resamples=300).p_value == p_value
    assert sign_flip_test([*differences, 0.0, 0.0], resamples=300).p_value == p_value
    assert sign_flip_test([d * 1024 for d in differences], resamples=300).p_value == pytest.approx(p_value, abs=0.01)


@pytest.mark.parametrize(
    ("sizes", "whole"),
    [
        ([0.5, 1.0], [1, 2]),
        ([0.25, 1 / 3], [3, 4]),
        ([1e-6], [1]),
        ([2e5, 3e5, 7e5], [2, 3, 7]),
        ([1 / 7, 1 / 3, 0.2], [15, 35, 21]),
    ],
)
def test_proportions(sizes, whole):
    assert proportions(whole_steps(np.array(sizes))).tolist() == whole


def test_no_small_proportions():
    assert proportions(whole_steps(np.array([1.0, math.sqrt(2), math.pi]))) is None


def test_recall_in_thirds_and_quarters_stays_exact():
    rng = random.Random(9)
    differences = [rng.choice((1, -1)) * rng.choice((1 / 3, 1 / 4, 1 / 2, 2 / 3, 3 / 4, 1.0)) for _ in range(3_000)]
    differences += [0.25] * 120
    found = sign_flip_test(differences)
    assert found.exact
    limit = 2 * stats.norm.sf(abs(sum(differences)) / math.sqrt(sum(d * d for d in differences)))
    assert found.p_value == pytest.approx(limit, abs=0.005)
