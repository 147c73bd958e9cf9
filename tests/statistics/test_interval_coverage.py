"""How often 95 % intervals hold the truth, and how often 5 % tests cry wolf, by simulation."""

import math

import numpy as np
import pytest

from ragproof_core.statistics import compare, mean_interval, pair, quantile_interval, sign_flip_test

pytestmark = pytest.mark.slow
TRIALS = 2_000


def bands(rng, n):
    return rng.choice([0.0, 0.5, 1.0], n, p=[0.2, 0.2, 0.6])


def latency(rng, n):
    return rng.lognormal(6.0, 0.5, n)


def share(hits):
    return sum(hits) / len(hits)


@pytest.mark.parametrize(
    ("draw", "truth", "n", "at_least", "at_most"),
    [
        (bands, 0.7, 20, 0.90, 0.96),
        (bands, 0.7, 50, 0.925, 0.965),
        (bands, 0.7, 500, 0.935, 0.965),
        (latency, math.exp(6.125), 20, 0.88, 0.95),
        (latency, math.exp(6.125), 50, 0.91, 0.955),
        (latency, math.exp(6.125), 500, 0.935, 0.965),
    ],
)
def test_mean_interval_covers(draw, truth, n, at_least, at_most):
    rng = np.random.default_rng(n)
    intervals = [mean_interval(draw(rng, n), resamples=1_000, seed=i) for i in range(TRIALS)]
    covered = share([low <= truth <= high for low, high in intervals])
    print(f"mean, {draw.__name__}, n = {n}: {covered:.3f}")
    assert at_least <= covered <= at_most


@pytest.mark.parametrize(("fraction", "z", "n"), [(0.5, 0.0, 30), (0.95, 1.6448536, 100), (0.95, 1.6448536, 1_000)])
def test_quantile_interval_covers(fraction, z, n):
    rng = np.random.default_rng(n)
    truth = math.exp(6.0 + 0.5 * z)
    intervals = [quantile_interval(latency(rng, n).tolist(), fraction) for _ in range(TRIALS)]
    covered = share([low <= truth <= high for low, high in intervals])
    print(f"p{100 * fraction:.0f}, n = {n}: {covered:.3f}")
    assert 0.94 <= covered <= 0.985  # at least 95 % by construction, up to simulation noise


@pytest.mark.parametrize("n", [12, 40, 300])
@pytest.mark.parametrize("continuous", [True, False])
def test_false_alarms(n, continuous):
    rng = np.random.default_rng(n)
    alarms = []
    for seed in range(TRIALS):
        differences = rng.normal(0, 1, n) if continuous else rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0], n)
        alarms.append(sign_flip_test(differences, resamples=499, seed=seed).p_value <= 0.05)
    print(f"false alarms, n = {n}, continuous = {continuous}: {share(alarms):.3f}")
    assert share(alarms) <= 0.065


def test_detectable_difference_is_found_four_times_in_five():
    rng = np.random.default_rng(1)
    n, found = 100, []
    spread = math.sqrt(0.3)  # -1, 0, 1 with probabilities 0.15, 0.7, 0.15
    effect = 2.80159 * spread / math.sqrt(n - 1.92)
    for seed in range(1_000):
        moves = rng.choice([-1.0, 0.0, 1.0], n, p=[0.15 - effect / 2, 0.7, 0.15 + effect / 2])
        base = {str(i): 0.0 for i in range(n)}
        cand = {str(i): float(move) for i, move in enumerate(moves)}
        found.append(compare(pair(base, cand, span=1.0), resamples=200, seed=seed).outcome == "better")
    print(f"power at the detectable difference, n = {n}: {share(found):.3f}")
    assert 0.75 <= share(found) <= 0.85


def test_equivalence_is_rarely_claimed_when_false():
    """The true difference lies just beyond the margin: `same` must be said in at most about 5 % of the runs."""
    rng = np.random.default_rng(2)
    for n in (20, 60, 400):
        claims = []
        for seed in range(1_000):
            moves = rng.choice([0.0, 1.0], n, p=[0.95, 0.05])
            cand = {str(i): float(move) for i, move in enumerate(moves)}
            found = compare(pair(dict.fromkeys(cand, 0.0), cand, span=1.0, margin=0.0499), resamples=200, seed=seed)
            claims.append(found.outcome == "same")
        print(f"false equivalence, n = {n}: {share(claims):.3f}")
        assert share(claims) <= 0.06
