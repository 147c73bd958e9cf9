import pytest
from ragproof_gate import parse_gate

from ragproof_core.errors import ConfigError

MRR = "retrieval.mrr"


def test_every_key_is_read():
    section = parse_gate(
        {
            "baseline": "main",
            "max_error_rate": 0.1,
            "min_scored": 20,
            "on_inconclusive": "fail",
            "on_missing_baseline": "warn",
            "thresholds": {
                MRR: {
                    "min": 0.7,
                    "max": 1,
                    "max_drop": 0.03,
                    "noise_floor": 0.01,
                    "min_scored": 30,
                    "max_error_rate": 0.0,
                    "tags": {"numeric": {"min": 0.6, "max_drop": 0.1}},
                    "require_calibration": {"kappa": 0.6},
                }
            },
        },
        "ragproof.yaml",
    )
    assert [(metric, tag, limits.max_drop) for metric, tag, limits in section.drops()] == [
        (MRR, None, 0.03),
        (MRR, "numeric", 0.1),
    ]
    assert section.thresholds[MRR].max == 1.0
    assert section.thresholds[MRR].require_calibration.asked() == {"kappa": 0.6}


def test_defaults():
    section = parse_gate({"thresholds": {MRR: {"min": 0.7}}}, "c")
    assert (section.max_error_rate, section.min_scored, section.on_inconclusive) == (0.05, 1, "warn")


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"treshholds": {}}, "c: gate.treshholds: unknown key; did you mean 'thresholds'?"),
        ({"thresholds": {MRR: {"mni": 1}}}, "c: gate.thresholds.retrieval.mrr.mni: unknown key; did you mean 'min'?"),
        (
            {"thresholds": {MRR: {"tags": {"numeric": {"max_dorp": 0.1}}}}},
            "c: gate.thresholds.retrieval.mrr.tags.numeric.max_dorp: unknown key; did you mean 'max_drop'?",
        ),
        (
            {"thresholds": {MRR: {"min": 0.5, "require_calibration": {"kapa": 0.6}}}},
            "c: gate.thresholds.retrieval.mrr.require_calibration.kapa: unknown key; did you mean 'kappa'?",
        ),
        ({"thresholds": {MRR: {"min": "0.7"}}}, "gate.thresholds.retrieval.mrr.min: input should be a valid number"),
        ({"thresholds": {MRR: {"min": True}}}, "gate.thresholds.retrieval.mrr.min: input should be a valid number"),
        ({"thresholds": {MRR: {"min": float("nan")}}}, "gate.thresholds.retrieval.mrr.min: input should be a finite"),
        ({"thresholds": {MRR: {"max_drop": -0.1}}}, "gate.thresholds.retrieval.mrr.max_drop: input should be greater"),
        ({"thresholds": {MRR: {"min": 0.8, "max": 0.7}}}, "min (0.8) is above max (0.7)"),
        ({"thresholds": {MRR: {"min": 0.8, "noise_floor": 0.1}}}, "noise_floor qualifies max_drop, which is missing"),
        ({"thresholds": {MRR: {}}}, "sets no limit; use one of min, max, max_drop, min_scored"),
        ({"thresholds": {MRR: {"tags": {"numeric": {}}}}}, "tags.numeric: sets no limit"),
        ({"thresholds": {MRR: {"min": 1, "require_calibration": {}}}}, "name at least one of kappa, exact"),
        ({"thresholds": {MRR: 0.7}}, "gate.thresholds.retrieval.mrr: input should be"),
        ({"on_inconclusive": "ignore"}, "gate.on_inconclusive: input should be 'warn', 'fail' or 'pass'"),
        ({"max_error_rate": 5}, "gate.max_error_rate: input should be less than or equal to 1"),
        ({"min_scored": 0}, "gate.min_scored: input should be greater than or equal to 1"),
        ({"baseline": ""}, "gate.baseline: string should have at least 1 character"),
    ],
)
def test_mistakes_are_named(raw, message):
    with pytest.raises(ConfigError) as refused:
        parse_gate(raw, "c")
    assert message in str(refused.value)


def test_every_mistake_is_listed():
    with pytest.raises(ConfigError) as refused:
        parse_gate({"thresholds": {MRR: {"mni": 1, "mxa": 2}}, "on": 1}, "c")
    assert len(str(refused.value).splitlines()) == 3
