import json
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, strategies as st
from ragproof_gate import Check, Evidence, GateResult, evaluate_gate, gate_junit, parse_gate, step_summary
from ragproof_gate.gate_text import gate_lines

STATUSES = ("pass", "fail", "warn", "inconclusive", "skip", "error")
RULES = ("completed", "max_error_rate", "min_scored", "min", "max", "max_drop", "require_calibration")
HIT = "retrieval.hit_rate_at_k"

checks = st.builds(
    Check,
    metric=st.none() | st.text(),
    tag=st.none() | st.text(),
    rule=st.sampled_from(RULES),
    status=st.sampled_from(STATUSES),
    value=st.none() | st.floats(0, 1),
    limit=st.none() | st.floats(0, 1),
    detail=st.text(),
)


@pytest.fixture(scope="module")
def record(stored):
    return stored("r", {HIT: {"a": 1.0}}).run


def agree(result):
    """Everything that a person or a program can read says the same."""
    shape = json.loads(json.dumps(result.as_json(), allow_nan=False))
    failing = [check for check in shape["checks"] if check["status"] in ("fail", "error")]
    assert shape["passed"] == (not failing) == (result.exit_code == 0) == (shape["exit_code"] == 0)
    lines = list(gate_lines(result))
    assert lines[-1].startswith("gate passed:" if result.passed else "gate failed:")
    shown = [line.split(" ", 1)[0] for line in lines[lines.index("") + 1 : -2]]
    assert sorted(shown) == sorted(check["status"] for check in shape["checks"])
    root = ET.fromstring(gate_junit(result))
    failures, errors = (sum(c["status"] == status for c in shape["checks"]) for status in ("fail", "error"))
    assert [root.get(key) for key in ("tests", "failures", "errors")] == [
        str(len(shape["checks"])), str(failures), str(errors),
    ]  # fmt: skip
    assert len(root.findall(".//failure")) == failures
    assert len(root.findall(".//error")) == errors
    head = step_summary(result).splitlines()[0]
    assert head.startswith(f"### RAGProof gate {'passed' if result.passed else 'failed'}: ")


@given(found=st.lists(checks, min_size=1, max_size=8))
def test_any_result_reads_the_same_everywhere(record, found):
    agree(GateResult(record, None, tuple(found)))


@given(
    scores=st.lists(st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 0.7, 0.94996, 0.95, 1.0]), min_size=1, max_size=40),
    limit=st.sampled_from([0.5, 0.7, 0.93, 0.95, 1 / 3]),
    rule=st.sampled_from(["min", "max"]),
)
def test_a_limit_reads_as_it_was_compared(stored, scores, limit, rule):
    """The numbers in the sentence stand in the relation that its sign claims, and that decided."""
    run = stored("r", {HIT: {f"q{i}": value for i, value in enumerate(scores)}})
    result = evaluate_gate(parse_gate({"thresholds": {HIT: {rule: limit}}}, "c"), Evidence(run.run))
    agree(result)
    (check,) = [check for check in result.checks if check.rule == rule]
    value, sign, bound = check.detail.split(", ")[0].split(" ")
    relations = {"≥": float(value) >= float(bound), "<": float(value) < float(bound)}
    relations |= {"≤": float(value) <= float(bound), ">": float(value) > float(bound)}
    assert relations[sign]
    assert (sign in "≥≤") == (check.status == "pass") == result.passed


@given(
    base=st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=25),
    moves=st.lists(st.sampled_from([0.0, 0.0, 0.5, 1.0]), min_size=25, max_size=25),
    limit=st.sampled_from([0.0, 0.02, 0.1]),
    choice=st.sampled_from(["warn", "fail", "pass"]),
)
def test_a_drop_reads_as_it_was_compared(stored, base, moves, limit, choice):
    old = {f"q{i}": value for i, value in enumerate(base)}
    new = {f"q{i}": max(0.0, value - moves[i]) for i, value in enumerate(base)}
    run, baseline = stored("r", {HIT: new}), stored("b", {HIT: old})
    section = parse_gate({"thresholds": {HIT: {"max_drop": limit}}, "on_inconclusive": choice}, "c")
    result = evaluate_gate(section, Evidence(run.run, run.scores, baseline.scores))
    agree(result)
    (check,) = [check for check in result.checks if check.rule == "max_drop"]
    if " > " in check.detail.split(":")[0]:
        assert check.value > check.limit
        assert check.status != "pass"
    else:
        assert check.status == "pass"
