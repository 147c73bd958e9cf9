import pytest
from hypothesis import given, strategies as st

from ragproof_core.statistics import holm

P = st.lists(st.floats(0.0, 1.0), max_size=20)


@pytest.mark.parametrize(
    ("raw", "adjusted"),
    [
        ([], []),
        ([0.03125], [0.03125]),
        ([0.25, 0.0625, 0.5], [0.5, 0.1875, 0.5]),  # 3 * 1/16, 2 * 1/4, 1 * 1/2
        ([0.5, 0.5], [1.0, 1.0]),  # 2 * 0.5, then no smaller
        ([0.75, 0.5], [1.0, 1.0]),
        ([0.125, 0.25, 0.25], [0.375, 0.5, 0.5]),  # 3/8, 2/4, max(1/4, 2/4)
    ],
)
def test_by_hand(raw, adjusted):
    assert holm(raw) == adjusted


@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan")])
def test_not_a_probability(bad):
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.5, bad])


@given(P)
def test_never_smaller_than_raw_nor_larger_than_bonferroni(raw):
    for p, adjusted in zip(raw, holm(raw), strict=True):
        assert p <= adjusted <= min(1.0, p * len(raw))


@given(P, st.randoms())
def test_order_of_the_family_is_irrelevant(raw, rng):
    places = list(range(len(raw)))
    rng.shuffle(places)
    shuffled = holm([raw[i] for i in places])
    assert [holm(raw)[i] for i in places] == shuffled
