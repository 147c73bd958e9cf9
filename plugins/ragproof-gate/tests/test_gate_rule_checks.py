from dataclasses import replace

import pytest
from ragproof_gate import Evidence, evaluate_gate, parse_gate

HIT, OVER, GROUNDED = "retrieval.hit_rate_at_k", "robustness.overrefusal", "generation.groundedness"


def first(count, of=20):
    return {f"q{i:02}": 1.0 if i < count else 0.0 for i in range(of)}


def gate(run, baseline=None, **section):
    evidence = Evidence(
        run=run.run,
        scores=run.scores,
        baseline=baseline and baseline.scores,
    )
    return evaluate_gate(parse_gate(section, "c"), evidence)


def statuses(result):
    return {(check.metric, check.tag, check.rule): check.status for check in result.checks}


def check_of(result, rule, metric=HIT, tag=None):
    (found,) = [check for check in result.checks if (check.rule, check.metric, check.tag) == (rule, metric, tag)]
    return found


# --- min and max


def test_the_mean_below_the_limit_fails_everywhere(stored):
    """Hard case 30: 28 cases at 1.0 and three that add 0.83 make 28.83/31 = 0.93, against 0.95."""
    scores = {f"q{i}": 1.0 for i in range(28)} | {"q28": 0.5, "q29": 0.33, "q30": 0.0}
    result = gate(stored("r", {HIT: scores}), thresholds={HIT: {"min": 0.95}})
    found = check_of(result, "min")
    assert (found.status, found.value, found.limit) == ("fail", 28.83 / 31, 0.95)
    assert found.detail.startswith("0.930 < 0.95, mean of 31 cases, 95 % interval ")
    assert (result.passed, result.exit_code) == (False, 1)


@pytest.mark.parametrize(
    ("limits", "status", "sign"),
    [
        ({"min": 0.95}, "pass", "≥"),  # 19/20 is the limit itself
        ({"min": 0.9500000001}, "fail", "<"),
        ({"max": 0.95}, "pass", "≤"),
        ({"max": 0.94}, "fail", ">"),
    ],
)
def test_the_limit_itself_is_met(stored, limits, status, sign):
    found = check_of(gate(stored("r", {HIT: first(19)}), thresholds={HIT: limits}), next(iter(limits)))
    assert found.status == status
    assert sign in found.detail


def test_float_noise_is_no_breach(stored):
    """Three times 0.7 may not average to 0.7 in floats."""
    for count in range(1, 40):
        result = gate(stored("r", {HIT: {f"q{i}": 0.7 for i in range(count)}}), thresholds={HIT: {"min": 0.7}})
        assert result.passed, count


def test_a_tag_has_limits_of_its_own(stored):
    tags = {"numeric": {"q18", "q19"}}
    run = stored("r", {HIT: first(19)}, tags=tags)
    result = gate(run, thresholds={HIT: {"min": 0.9, "tags": {"numeric": {"min": 0.6}}}})
    assert check_of(result, "min").status == "pass"
    assert (check_of(result, "min", tag="numeric").status, check_of(result, "min", tag="numeric").value) == (
        "fail",
        0.5,
    )


# --- coverage


def test_nine_errors_and_one_perfect_case_fail(stored):
    """Hard case 3: the mean is 1.0 and says nothing."""
    run = stored("r", {HIT: {"q": 1.0}}, failed=[f"f{i}" for i in range(9)])
    result = gate(run, thresholds={HIT: {"min": 0.9}})
    assert check_of(result, "min").status == "pass"
    found = check_of(result, "max_error_rate", metric=None)
    assert (found.status, found.value, found.limit) == ("fail", 0.9, 0.05)
    assert found.detail == "9 of 10 cases failed or timed out, 0.900 > 0.05"
    assert result.exit_code == 1


@pytest.mark.parametrize(("failed", "passed"), [(1, True), (2, False)])
def test_one_of_twenty_may_fail(stored, failed, passed):
    run = stored("r", {HIT: first(20, 20 - failed)}, failed=[f"f{i}" for i in range(failed)])  # 1/20 = 0.05
    assert gate(run, thresholds={HIT: {"min": 0.5}}).passed == passed


def test_judge_errors_count_against_their_metric(stored, judge_error):
    """2 errors among 8 + 2 tried = 0.2; the failed case counts for the run, 1/11, and not again for the metric."""
    run = stored("r", {HIT: first(8, 8)}, outcomes={HIT: {"x": judge_error, "y": judge_error}}, failed=["f"])
    result = gate(run, thresholds={HIT: {"min": 0.5}}, max_error_rate=0.1)
    assert check_of(result, "max_error_rate", metric=None).value == 1 / 11
    found = check_of(result, "max_error_rate")
    assert (found.status, found.value) == ("fail", 0.2)
    assert found.detail == "2 of 10 cases errored, 0.200 > 0.1 (reply cut off)"
    allowed = gate(run, thresholds={HIT: {"min": 0.5, "max_error_rate": 0.2}}, max_error_rate=0.1)
    assert check_of(allowed, "max_error_rate").status == "pass"


@pytest.mark.parametrize(
    ("limits", "section", "status"),
    [
        ({"min_scored": 20}, {}, "pass"),
        ({"min_scored": 21}, {}, "fail"),
        ({"min": 0.1}, {"min_scored": 21}, "fail"),
        ({"min_scored": 20}, {"min_scored": 21}, "pass"),  # the metric's own comes first
    ],
)
def test_too_few_scored_cases_fail(stored, limits, section, status):
    found = check_of(gate(stored("r", {HIT: first(20)}), thresholds={HIT: limits}, **section), "min_scored")
    assert (found.status, found.value) == (status, 20)


def test_a_metric_that_scored_nothing_is_an_error(stored, no_keywords):
    run = stored("r", {HIT: first(3)}, outcomes={GROUNDED: dict.fromkeys(first(3), no_keywords)})
    result = gate(run, thresholds={GROUNDED: {"min": 0.5}})
    found = check_of(result, "min_scored", metric=GROUNDED)
    assert (found.status, found.value) == ("error", 0)
    assert found.detail == "nothing was scored: 20 skipped (case has no keywords)"
    assert result.exit_code == 1


def test_an_unknown_metric_is_an_error_that_names_the_nearest(stored):
    result = gate(stored("r", {HIT: first(3)}), thresholds={"retrieval.hit_rate": {"min": 0.5}})
    found = check_of(result, "min_scored", metric="retrieval.hit_rate")
    assert (found.status, found.detail) == ("error", f"the run has no such metric; did you mean {HIT!r}?")
    assert result.exit_code == 1


def test_an_unknown_tag_is_an_error(stored):
    run = stored("r", {HIT: first(3)}, tags={"numeric": {"q00"}})
    found = check_of(gate(run, thresholds={HIT: {"tags": {"nummeric": {"min": 0.5}}}}), "min_scored", tag="nummeric")
    assert (found.status, found.detail) == ("error", "nothing was scored: no case has this tag; the tags are: numeric")


@pytest.mark.parametrize("status", ["running", "partial", "aborted:budget"])
def test_an_unfinished_run_cannot_pass(stored, status):
    run = stored("r", {HIT: first(20)}, status=status)
    result = gate(run, thresholds={HIT: {"min": 0.5}})
    found = check_of(result, "completed", metric=None)
    assert found.status == "error"
    assert found.detail == f"the run is {status}: 20 of 20 cases done; ragproof run --resume r"
    assert result.exit_code == 2


# --- drops


def test_a_certain_drop_fails(stored):
    """Hard case 29 turned round: 14 of 20 to 8 of 20, 6 down and none up, p = 2/64."""
    result = gate(stored("r", {HIT: first(8)}), stored("b", {HIT: first(14)}), thresholds={HIT: {"max_drop": 0.1}})
    found = check_of(result, "max_drop")
    assert (found.status, found.value, found.limit) == ("fail", 0.3, 0.1)
    assert "drop 0.300 > 0.1: 0.700 to 0.400 on 20 common cases, 0 up, 6 down" in found.detail
    assert "p 0.031, corrected 0.031" in found.detail
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("on_inconclusive", "status", "code"), [("warn", "warn", 0), ("fail", "fail", 1), ("pass", "inconclusive", 0)]
)
def test_a_drop_that_may_be_chance_is_the_users_choice(stored, on_inconclusive, status, code):
    """5 down and none up: p = 2/32 = 0.0625."""
    result = gate(
        stored("r", {HIT: first(9)}),
        stored("b", {HIT: first(14)}),
        thresholds={HIT: {"max_drop": 0.1}},
        on_inconclusive=on_inconclusive,
    )
    found = check_of(result, "max_drop")
    assert (found.status, found.value, result.exit_code) == (status, 0.25, code)
    assert "; may be chance, about " in found.detail


def test_all_drops_are_one_family(stored):
    """p = 2/64 alone would fail; beside another metric it is 0.0625."""
    scores = {HIT: first(8), "retrieval.mrr": first(14)}
    result = gate(
        stored("r", scores),
        stored("b", dict.fromkeys(scores, first(14))),
        thresholds={HIT: {"max_drop": 0.1}, "retrieval.mrr": {"max_drop": 0.1}},
    )
    assert (check_of(result, "max_drop").status, result.exit_code) == ("warn", 0)
    assert "corrected 0.062" in check_of(result, "max_drop").detail
    assert check_of(result, "max_drop", metric="retrieval.mrr").detail.startswith(
        "no drop (allowed 0.1): 0.700 to 0.700"
    )


def test_a_drop_by_the_limit_itself_passes(stored):
    """0.75 - 0.72 is a little above 0.03 in floats."""
    base, cand = {f"q{i}": 0.75 for i in range(9)}, {f"q{i}": 0.72 for i in range(9)}
    found = check_of(
        gate(stored("r", {HIT: cand}), stored("b", {HIT: base}), thresholds={HIT: {"max_drop": 0.03}}), "max_drop"
    )
    assert found.status == "pass"
    assert found.detail.startswith("drop 0.03 ≤ 0.03: ")


def test_a_rise_is_a_drop_where_lower_is_better(stored):
    """Hard case 28."""
    result = gate(stored("r", {OVER: first(14)}), stored("b", {OVER: first(8)}), thresholds={OVER: {"max_drop": 0.1}})
    found = check_of(result, "max_drop", metric=OVER)
    assert (found.status, found.value) == ("fail", 0.3)
    assert found.detail.startswith("rise 0.300 > 0.1: 0.400 to 0.700")
    fallen = gate(stored("r", {OVER: first(8)}), stored("b", {OVER: first(14)}), thresholds={OVER: {"max_drop": 0.0}})
    assert check_of(fallen, "max_drop", metric=OVER).detail.startswith("no rise (allowed 0): 0.700 to 0.400")


@pytest.mark.parametrize(("floor", "status"), [(0.29, "fail"), (0.3, "warn"), (0.5, "warn")])
def test_a_drop_within_the_noise_floor_is_inconclusive(stored, floor, status):
    limits = {"max_drop": 0.1, "noise_floor": floor}
    result = gate(stored("r", {HIT: first(8)}), stored("b", {HIT: first(14)}), thresholds={HIT: limits})
    assert check_of(result, "max_drop").status == status
    assert ("within the noise floor" in check_of(result, "max_drop").detail) == (status == "warn")


def test_a_drop_is_by_tag_too(stored):
    tags = {"numeric": {f"q{i:02}" for i in range(8, 14)}}
    result = gate(
        stored("r", {HIT: first(8)}, tags=tags),
        stored("b", {HIT: first(14)}, tags=tags),
        thresholds={HIT: {"tags": {"numeric": {"max_drop": 0.5}}}},
    )
    found = check_of(result, "max_drop", tag="numeric")
    assert (found.status, found.value) == ("fail", 1.0)  # the only member of the family


def test_nothing_in_common_is_an_error(stored):
    result = gate(stored("r", {HIT: {"a": 1.0}}), stored("b", {HIT: {"b": 1.0}}), thresholds={HIT: {"max_drop": 0.1}})
    assert check_of(result, "max_drop").status == "error"
    assert result.exit_code == 1


def test_cases_that_only_one_run_scored_are_told(stored):
    result = gate(stored("r", {HIT: first(8, 15)}), stored("b", {HIT: first(8)}), thresholds={HIT: {"max_drop": 0.1}})
    assert check_of(result, "max_drop").detail.endswith(", 5 scored in the baseline only")


def test_no_direction_no_drop(stored):
    tokens = "generation.answer_tokens"
    run = stored("r", {tokens: first(3)})
    assert check_of(gate(run, run, thresholds={tokens: {"max_drop": 1}}), "max_drop", metric=tokens).status == "error"


def test_without_a_baseline_drops_are_warned_of(stored):
    result = gate(stored("r", {HIT: first(3)}), thresholds={HIT: {"max_drop": 0.1}})
    assert (check_of(result, "max_drop").status, check_of(result, "max_drop").value) == ("warn", None)
    assert (result.exit_code, result.as_json()["baseline"]) == (0, None)


def test_a_running_run_has_nothing_else_to_check(stored):
    run = stored("r", {HIT: first(1)})
    empty = replace(run, run=replace(run.run, status="running", summaries=()))
    assert statuses(gate(empty, thresholds={HIT: {"min": 0.5}})) == {(None, None, "completed"): "error"}
