"""Percentiles of a sum of n independent draws, by inverting its characteristic function: no drawing, no numpy.

The sum of n draws from shares p at points y has the characteristic function φ(u) = (Σ p exp(i u y))^n exactly. On a
lattice (sums that are whole multiples of a step) the distribution is φ's finite Fourier sum, also exact. Elsewhere it
is the integral of Gil-Pelaez (1951), as a midpoint sum (Davies 1973) whose error is the probability of being
:data:`_PERIOD` standard deviations away, plus what is cut off where |φ| is below :data:`_NEGLIGIBLE`.
"""

from __future__ import annotations

from cmath import exp
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import ceil, pi, sqrt
from statistics import NormalDist

Points = Sequence[tuple[float, float]]
"""Values with their shares, which sum to 1."""

_PERIOD = 24.0
_NEGLIGIBLE = 1e-10
_MOST_TERMS = 2400
_MOST_LATTICE_TERMS = 2000
_PRECISION = 1e-6
_FARTHEST = 160.0
_REVIVAL = 1e-3


def smooth_percentiles(points: Points, n: int, fractions: Sequence[float]) -> list[float] | None:
    """Return percentiles of the standardised sum of ``n`` draws; ``points`` have mean 0 and variance 1.

    ``None`` where |φ| does not vanish within :data:`_MOST_TERMS` terms, or comes back: the distribution has steps,
    since few draws or few values rule it, or the values are in clusters.
    """
    terms = _until_negligible(_powers(points, n, first=pi / _PERIOD, step=2 * pi / _PERIOD, scale=1 / sqrt(n)))
    if terms is None or _comes_back(points, n, 2 * pi / _PERIOD * len(terms)):
        return None

    def reached(x: float) -> float:
        turn, turned = exp(-2j * pi / _PERIOD * x), exp(-1j * pi / _PERIOD * x)
        total = 0.0
        for k, term in enumerate(terms):
            total += (turned * term).imag / (k + 0.5)
            turned *= turn
        return 0.5 - total / pi

    return [_least(reached, fraction) for fraction in fractions]


def lattice_percentiles(points: Sequence[tuple[int, float]], n: int, fractions: Sequence[float]) -> list[int] | None:
    """Return percentiles of the sum of ``n`` draws of whole numbers from 0 up: the least sums that reach the fractions.

    ``None`` where that takes more than :data:`_MOST_LATTICE_TERMS` terms.
    """
    most = n * max(value for value, _ in points)
    size = most + 1
    powers = islice(_powers(points, n, first=2 * pi / size, step=2 * pi / size, scale=1.0), size // 2)
    terms = list(powers) if size <= 2 * _MOST_LATTICE_TERMS else _until_negligible(powers, _MOST_LATTICE_TERMS)
    if terms is None:
        return None
    turn = -2j * pi / size
    weights = [term / (1 - exp(turn * j)) for j, term in enumerate(terms, start=1)]
    if size % 2 == 0 and len(weights) == size // 2:
        weights[-1] /= 2  # j and size - j are conjugate and counted together; the middle one is its own

    def reached(total: int) -> float:
        by = turned = exp(turn * (total + 1))
        found = 0.0
        for weight in weights:
            found += (weight - weight * turned).real
            turned *= by
        return (total + 1 + 2 * found) / size

    mean = n * sum(value * share for value, share in points)
    spread = sqrt(n * sum(value * value * share for value, share in points) - mean * mean / n)
    return [_least_whole(reached, fraction, (mean, spread), most) for fraction in fractions]


def _powers(points: Points, n: int, *, first: float, step: float, scale: float) -> Iterator[complex]:
    """Yield φ at ``first`` and in equal steps from there."""
    turned = [share * exp(1j * first * scale * value) for value, share in points]
    turns = [exp(1j * step * scale * value) for value, _ in points]
    while True:
        yield sum(turned) ** n
        turned = [one * turn for one, turn in zip(turned, turns, strict=True)]


def _until_negligible(powers: Iterator[complex], most: int = _MOST_TERMS) -> list[complex] | None:
    terms: list[complex] = []
    for term in islice(powers, most):
        terms.append(term)
        if max(map(abs, terms[-3:])) < _NEGLIGIBLE:
            return terms
    return None


def _comes_back(points: Points, n: int, start: float) -> bool:
    """Whether φ is large again beyond ``start``, as it is for values in clusters: their sums have steps.

    A step of φ at u is 2π / u wide; beyond :data:`_FARTHEST` it is below a twenty-fifth of a standard deviation.
    """
    powers = _powers(points, n, first=start, step=1.0, scale=1 / sqrt(n))
    far = max(0, ceil(_FARTHEST - start))
    return any(abs(power) > _REVIVAL * (start + k) for k, power in enumerate(islice(powers, far)))


def _least(reached: Callable[[float], float], fraction: float) -> float:
    """Solve ``reached(x) = fraction`` by false position (Illinois), starting around the normal percentile."""
    guess = NormalDist().inv_cdf(fraction)
    low, high = guess - 0.5, guess + 0.5
    while (below := reached(low) - fraction) > 0 and low > -_PERIOD / 2:
        low -= 1
    while (above := reached(high) - fraction) < 0 and high < _PERIOD / 2:
        high += 1
    while high - low > _PRECISION and above > below:
        x = low - below * (high - low) / (above - below)
        missed = reached(x) - fraction
        if abs(missed) < _PRECISION * fraction:
            return x
        if missed < 0:
            low, below, above = x, missed, above / 2
        else:
            high, above, below = x, missed, below / 2
    return (low + high) / 2


def _least_whole(reached: Callable[[int], float], fraction: float, normal: tuple[float, float], most: int) -> int:
    """Return the least sum that reaches the fraction, searching first around what a normal distribution says."""
    mean, spread = normal
    guess = mean + spread * NormalDist().inv_cdf(fraction)
    low, high = max(0, int(guess - spread / 4)), min(most, int(guess + spread / 4) + 1)
    enough = fraction - _NEGLIGIBLE
    if low > 0 and reached(low) >= enough:
        low, high = 0, low
    elif high < most and reached(high) < enough:
        low, high = high, most
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if reached(middle) < enough else (low, middle)
    return low
