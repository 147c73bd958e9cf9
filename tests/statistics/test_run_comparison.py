import json
import math
import random
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from ragproof_core.statistics import compare, compare_family, mean_interval, pair


def runs(base, cand):
    return {f"c{i}": v for i, v in enumerate(base)}, {f"c{i}": v for i, v in enumerate(cand)}


def test_six_better_none_worse_fourteen_equal():
    """Hard case: 8 of 20 right, then 14 of 20. Unpaired, 0.4 and 0.7 have overlapping intervals."""
    base, cand = runs([1.0] * 8 + [0.0] * 12, [1.0] * 14 + [0.0] * 6)
    found = compare(pair(base, cand, span=1.0))
    assert (found.up, found.down, found.equal, found.n) == (6, 0, 14, 20)
    assert (found.p_value, found.exact_p, found.p_adjusted) == (0.03125, True, 0.03125)
    assert (found.base_mean, found.cand_mean, found.difference) == (0.4, 0.7, 0.3)
    assert found.ci95 == (0.1, 0.5)  # 2.5 % and 97.5 % of Binomial(20, 0.3) are 2 and 10
    assert (found.outcome, found.verdict) == ("better", "better")
    assert mean_interval(list(base.values()))[1] > mean_interval(list(cand.values()))[0]


def test_overrefusal_rises_is_worse():
    base, cand = runs([0.0] * 20, [1.0] * 6 + [0.0] * 14)
    assert compare(pair(base, cand, direction="lower")).verdict == "worse"


def test_only_common_cases_count():
    base = {"a": 1.0, "b": 0.0, "c": 0.5}
    cand = {"c": 1.0, "d": 0.0, "b": 0.0}
    found = compare(pair(base, cand))
    assert (found.only_base, found.only_cand, found.n) == (("a",), ("d",), 2)
    assert (found.base_mean, found.cand_mean, found.difference) == (0.25, 0.5, 0.25)
    assert (found.up, found.down, found.equal) == (1, 0, 1)


def test_no_common_cases():
    found = compare(pair({"a": 1.0}, {"b": 1.0}))
    assert (found.n, found.difference, found.ci95, found.p_value, found.detectable) == (0, None, None, None, None)
    assert found.verdict == "inconclusive (no common cases)"


def test_one_case():
    found = compare(pair({"a": 0.0}, {"a": 1.0}, span=1.0))
    assert (found.difference, found.ci95, found.p_value, found.detectable) == (1.0, None, 1.0, None)
    assert found.verdict == "inconclusive (would need about 6 cases)"


def test_float_noise_is_no_difference():
    base, cand = runs([0.3, 0.1 + 0.2, 1e6], [0.1 + 0.2, 0.3, 1e6 + 1e-7])
    found = compare(pair(base, cand))
    assert (found.up, found.down, found.equal, found.difference) == (0, 0, 3, 0.0)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_unit_does_not_matter(scale):
    base, cand = runs([1.0, 2.0, 3.0] * 10, [1.1, 2.0, 3.3] * 10)
    small, large = (
        compare(pair(base, cand)),
        compare(pair(*({k: v * scale for k, v in r.items()} for r in (base, cand)))),
    )
    assert (large.up, large.down, large.equal, large.verdict) == (20, 0, 10, small.verdict)
    assert large.p_value == small.p_value
    assert large.ci95 == pytest.approx([scale * end for end in small.ci95], rel=1e-9)
    assert large.detectable == pytest.approx(scale * small.detectable, rel=1e-9)


def test_identical_runs_need_enough_cases():
    few, many = ({f"c{i}": 1.0 for i in range(n)} for n in (20, 100))
    assert compare(pair(few, few, span=1.0)).verdict == "inconclusive (would need about 59 cases)"
    assert compare(pair(many, many, span=1.0)).verdict == "no difference larger than 0.05"


def test_margin_defaults():
    base, cand = runs([200.0] * 50, [200.0] * 50)
    assert compare(pair(base, cand)).margin == 10.0  # 5 % of the base mean
    assert compare(pair(base, cand, span=1000.0)).margin == 50.0
    assert compare(pair(base, cand, span=1000.0, margin=2.0)).margin == 2.0


def test_zero_base_mean_without_a_range():
    zeros = {f"c{i}": 0.0 for i in range(100)}
    assert compare(pair(zeros, zeros)).outcome == "inconclusive"


@pytest.mark.parametrize("bad", [{"span": -1.0}, {"margin": math.inf}, {"margin": math.nan}])
def test_bad_widths(bad):
    with pytest.raises(ValueError, match="finite width"):
        pair({}, {}, **bad)


def test_not_finite_score():
    with pytest.raises(ValueError, match="not a finite number"):
        compare(pair({"a": 1.0, "b": math.nan}, {"a": 1.0, "b": 1.0}))


def test_family_is_corrected_together():
    rng = random.Random(3)
    strong = pair(*runs([0.0] * 20, [1.0] * 10 + [0.0] * 10))  # 2 / 2**10
    case_29 = pair(*runs([0.0] * 20, [1.0] * 6 + [0.0] * 14))  # 2 / 2**6
    noise = pair(*runs([rng.random() for _ in range(20)], [rng.random() for _ in range(20)]))
    none = pair({"a": 1.0}, {"b": 1.0})
    found = compare_family({"strong": strong, "weak": case_29, "noise": noise, "none": none})
    assert found["strong"].p_adjusted == 3 * 2 / 1024
    assert found["weak"].p_adjusted == 2 * 0.03125
    assert found["weak"].outcome == "inconclusive"
    assert found["none"].p_adjusted is None
    assert found["weak"].detectable > compare(case_29).detectable
    for key, pairs in {"strong": strong, "weak": case_29, "noise": noise}.items():
        alone = compare(pairs)
        assert (found[key].ci95, found[key].p_value, found[key].difference) == (
            alone.ci95,
            alone.p_value,
            alone.difference,
        )


def test_empty_family():
    assert compare_family({}) == {}


def test_json_keys_and_no_nan():
    base, cand = runs([0.0, 1.0, 0.5], [1.0, 1.0, 0.5])
    for found in (compare(pair(base, cand)), compare(pair({}, {}))):
        text = json.dumps(found.as_json(), allow_nan=False)
        assert list(json.loads(text)) == [
            "base_mean", "cand_mean", "difference", "ci95", "p_value", "p_adjusted", "up", "down", "equal", "verdict", "detectable",
        ]  # fmt: skip


def test_comparison_is_frozen():
    with pytest.raises(FrozenInstanceError):
        compare(pair({}, {})).n = 3


def test_significant_by_p_and_interval_together():
    """Over random data the interval excludes 0 just when p is small, apart from borderline cases."""
    rng = np.random.default_rng(8)
    for shift in (0.0, 0.1, 0.3, 0.5):
        base, change = rng.normal(0, 1, 400), rng.normal(shift, 1, 400)
        found = compare(pair(*runs(base.tolist(), (base + change).tolist())), resamples=4_000)
        if not 0.02 < found.p_value < 0.1:
            assert (found.p_value < 0.05) == (found.ci95[0] > 0 or found.ci95[1] < 0)


SCORES = st.lists(
    st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 0.5, 1.0])), min_size=2, max_size=40
)


@settings(max_examples=50)
@given(SCORES)
def test_swapping_the_runs_mirrors_everything(pairs):
    base, cand = runs(*zip(*pairs, strict=True))
    there, back = (compare(pair(*both, span=1.0), resamples=200) for both in ((base, cand), (cand, base)))
    assert there.difference == -back.difference
    assert (there.up, there.down, there.equal, there.p_value) == (back.down, back.up, back.equal, back.p_value)
    opposite = {"better": "worse", "worse": "better"}
    if there.outcome in opposite:
        assert back.outcome == opposite[there.outcome]
    low, high = there.ci95
    assert low <= there.difference <= high or math.isclose(there.p_value, 1.0) or low <= high
