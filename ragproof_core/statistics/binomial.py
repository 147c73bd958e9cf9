"""Binomial tail probabilities in pure Python, as far as this package needs them."""

from __future__ import annotations

import math


def probability(k: int, n: int, p: float) -> float:
    """P(X = k) for X ~ Binomial(n, p)."""
    if p <= 0.0 or p >= 1.0:
        return 1.0 if k == (0 if p <= 0.0 else n) else 0.0
    log_ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(log_ways + k * math.log(p) + (n - k) * math.log1p(-p))


def cumulative(k: int, n: int, p: float) -> float:
    """P(X <= k) for X ~ Binomial(n, p)."""
    return min(1.0, math.fsum(probability(i, n, p) for i in range(min(k, n) + 1)))


def upper_bound(successes: int, n: int, alpha: float) -> float:
    """One-sided Clopper-Pearson upper bound, at confidence 1 - alpha, of a proportion seen `successes` times in n.

    For no success it is 1 - alpha**(1/n), the "rule of three" (about 3/n at 95 %).
    """
    if successes >= n:
        return 1.0
    if successes == 0:
        return -math.expm1(math.log(alpha) / n)
    return _solve(successes, n, alpha)


def proportion_reaching(k: int, n: int, power: float) -> float | None:
    """The smallest p for which Binomial(n, p) is at least k with probability `power`; None when k > n."""
    if k > n:
        return None
    return _solve(k - 1, n, 1.0 - power)


def _solve(k: int, n: int, target: float) -> float:
    """The p at which P(X <= k) falls to `target` (it decreases in p), by bisection."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if cumulative(k, n, middle) > target:
            low = middle
        else:
            high = middle
    return high
