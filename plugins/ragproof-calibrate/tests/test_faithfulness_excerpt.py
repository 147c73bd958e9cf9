"""Real human labels through the kernel's judging: the figures are what arithmetic by hand gives."""

import json
from pathlib import Path

import pytest
from ragproof_calibrate.calibration import Plan, calibrate
from ragproof_calibrate.samples import Sample

from ragproof_core import JudgeReply
from ragproof_core.judging.bench import JudgeBench

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "faithfulness_excerpt.jsonl").read_text(encoding="utf-8").split("\n")
    if line
]


def sample(demo, row):
    variables = {"question": row["id"], "answer": row["answer"]}
    return Sample(demo.GRADE, variables, float(row["label"]), row["id"])


def test_agreement_and_kappa_by_hand(demo):
    assert [row["label"] for row in ROWS] == [1] * 6 + [0] * 4
    wrong = {ROWS[0]["id"], ROWS[6]["id"]}  # one faithful answer called bad, one unfaithful called good
    partly, cut_off = ROWS[1]["id"], ROWS[9]["id"]

    def complete(request):
        (row,) = [row for row in ROWS if row["id"] in request.user]
        if row["id"] == cut_off:
            return JudgeReply('{"verdict": "ba', finish_reason="length")
        verdict = "middling" if row["id"] == partly else "good" if row["label"] != (row["id"] in wrong) else "bad"
        return JudgeReply(f'Let me see.\n```json\n{{"verdict": "{verdict}"}}\n```')

    bench = JudgeBench(complete, identity={"type": "scripted"}, max_tokens=100)
    report = calibrate(
        lambda prompt, variables, repeat: bench.handle("1", prompt.name, repeat=repeat).ask(prompt, variables),
        [sample(demo, row) for row in ROWS],
        Plan(),
    )
    bench.close()
    (found,) = report.prompts
    # judge: bad, middling, good x4 | good, bad, bad, unusable. Equal: 4 + 2 of 10; one band away: 1 more
    assert (found.n, found.exact, found.within_band, found.unusable) == (10, 6 / 10, 7 / 10, 1)
    # good: people 6, judge 5; bad: people 4, judge 3; chance (6*5 + 4*3)/100 = 0.42
    assert found.kappa == pytest.approx((0.6 - 0.42) / (1 - 0.42))
    assert not found.passed
