import pytest
from ragproof_gate import Evidence, evaluate_gate, parse_gate

from ragproof_core.models.judging import Prompt, Reply
from ragproof_core.models.run import Calibration

GROUNDED = "generation.groundedness"
PROMPT = Prompt("groundedness", "some_package", Reply, lambda reply, variables: 1.0)
JUDGE = {"type": "openai", "model": "small", "identity": "j" * 64, "prompts": {"groundedness": "t" * 64}}


def first(count):
    return {f"q{i:02}": 1.0 if i < count else 0.0 for i in range(20)}


def gate(run, *, prompts=None, calibrations=(), **section):
    return evaluate_gate(parse_gate(section, "c"), Evidence(run.run, prompts=prompts or {}, calibrations=calibrations))


def check_of(result, rule):
    (found,) = [check for check in result.checks if (check.rule, check.metric) == (rule, GROUNDED)]
    return found


def calibration(kappa=0.7, exact=0.9, identity="j" * 64, sha256="t" * 64, n=20):
    row = {"prompt": "groundedness", "template_sha256": sha256, "n": n, "kappa": kappa, "exact": exact}
    return Calibration({"identity": identity}, "2026-01-01", (row,))


@pytest.mark.parametrize(
    ("calibrations", "status", "told"),
    [
        ([calibration()], "pass", "reaches kappa 0.6, exact 0.8"),
        ([calibration(kappa=0.6)], "pass", "reaches"),
        ([calibration(kappa=0.5996)], "warn", "kappa of groundedness is 0.5996 < 0.6"),
        ([calibration(kappa=None)], "warn", "kappa of groundedness is undefined"),
        ([calibration(n=9)], "warn", "groundedness was calibrated on 9 examples, fewer than 10"),
        ([calibration(exact=0.5)], "warn", "exact of groundedness is 0.500 < 0.8"),
        ([calibration(identity="k" * 64)], "warn", "no calibration of judge small with this template"),
        ([calibration(sha256="u" * 64)], "warn", "no calibration of judge small with this template"),
        ([], "warn", "make one with 'ragproof calibrate'"),
        ([calibration(kappa=0.1), calibration()], "warn", "kappa of groundedness is 0.100 < 0.6"),  # newest first
    ],
)
def test_only_a_calibrated_judge_may_fail_a_gate(stored, calibrations, status, told):
    limits = {"min": 0.9, "require_calibration": {"kappa": 0.6, "exact": 0.8}}
    result = gate(
        stored("r", {GROUNDED: first(8)}, judge=JUDGE),
        prompts={GROUNDED: [PROMPT]},
        calibrations=calibrations,
        thresholds={GROUNDED: limits},
    )
    found = check_of(result, "require_calibration")
    assert (found.status, told in found.detail) == (status, True)
    level = check_of(result, "min")
    assert level.status == ("fail" if status == "pass" else "warn")
    assert level.detail.startswith(
        "0.400 < 0.9" if status == "pass" else "only reported, the judge is not calibrated: "
    )
    assert result.exit_code == (1 if status == "pass" else 0)


@pytest.mark.parametrize(
    ("judge", "prompts", "status"),
    [
        (None, [PROMPT], "skip"),  # a heuristic gave the values
        (JUDGE, [], "skip"),  # the metric asks no judge
        (JUDGE, None, "warn"),  # the metric is not installed here
        ({**JUDGE, "prompts": {}}, [PROMPT], "warn"),  # the run does not tell which template
        ({**JUDGE, "prompts": {"some_package:groundedness": "t" * 64}}, [PROMPT], "pass"),
    ],
)
def test_whether_there_is_a_judge_to_check(stored, judge, prompts, status):
    result = gate(
        stored("r", {GROUNDED: first(8)}, judge=judge),
        prompts={GROUNDED: prompts},
        calibrations=[calibration()],
        thresholds={GROUNDED: {"min": 0.9, "require_calibration": {"kappa": 0.6}}},
    )
    assert check_of(result, "require_calibration").status == status


def test_an_uncalibrated_judge_must_still_score(stored, no_keywords):
    run = stored("r", {}, outcomes={GROUNDED: {"a": no_keywords}}, judge=JUDGE)
    limits = {"min": 0.9, "require_calibration": {"kappa": 0.6}}
    assert gate(run, prompts={GROUNDED: [PROMPT]}, thresholds={GROUNDED: limits}).exit_code == 1
