import json
import threading

import pytest
from ragproof_calibrate.attacks import ATTACKS, attacks
from ragproof_calibrate.calibration import Plan, calibrate
from ragproof_calibrate.forgery import forged_reply
from ragproof_calibrate.growth import grown
from ragproof_calibrate.order import swapped
from ragproof_calibrate.report import Moves
from ragproof_calibrate.samples import distinct, shipped

from ragproof_core import JudgeError
from ragproof_core.errors import BudgetExceededError, ExecutionError, PluginBrokenError


def never(message):
    raise AssertionError(message)


@pytest.fixture
def samples(demo):
    return shipped([demo.GRADE, demo.LISTED], never)


def truthful(prompt, variables, repeat):
    """A judge that is always right, whatever is planted, in whatever order."""
    if prompt.name == "demo_grade":
        word = {"g": "good", "s": "middling", "l": "bad"}[variables["answer"][0]]
        return prompt.reply(verdict=word)
    entries = [{"chunk_id": one["id"], "useful": one["text"].startswith("gold")} for one in variables["context"]]
    return prompt.reply.model_validate({"chunks": entries})


def by_name(report):
    return {one.prompt: one for one in report.prompts}


def test_a_perfect_judge(samples):
    report = calibrate(truthful, samples, Plan(repeats=2, adversarial=True))
    assert report.passed
    assert (report.n, report.exact, report.within_band, report.kappa) == (7, 1.0, 1.0, 1.0)
    graded, listed = report.prompts
    assert (graded.n, graded.variance, graded.unchanged, graded.swap_consistency) == (4, 0.0, 1.0, None)
    assert (listed.n, listed.swap_consistency) == (3, 1.0)
    assert [(step.chunks, step.exact) for step in listed.growth] == [(1, 1.0), (2, 1.0), (5, 1.0), (10, 1.0)]
    assert graded.growth == ()
    assert graded.moves == {f"{kind}/answer": Moves(4, 0) for kind in ATTACKS}
    assert listed.moves == {f"{kind}/chunk": Moves(3, 0) for kind in ATTACKS}
    assert all(not one.disagreements for one in report.prompts)


def test_the_plan_tells_how_many_calls_it_makes(samples):
    calls = []

    def counting(prompt, variables, repeat):
        calls.append(prompt.name)
        return truthful(prompt, variables, repeat)

    for plan in (Plan(), Plan(repeats=3, probes=False), Plan(adversarial=True)):
        calls.clear()
        calibrate(counting, samples, plan)
        assert len(calls) == plan.calls(samples)
    assert Plan(repeats=3, probes=False).calls(samples) == 7 * 3


def test_a_judge_that_looks_at_the_first_chunk_only_fails_the_swap(samples):
    def first_only(prompt, variables, repeat):
        if prompt.name == "demo_grade":
            return truthful(prompt, variables, repeat)
        good = variables["context"][0]["text"].startswith("gold")
        entries = [{"chunk_id": one["id"], "useful": good} for one in variables["context"]]
        return prompt.reply.model_validate({"chunks": entries})

    listed = by_name(calibrate(first_only, samples, Plan()))["demo_listed"]
    assert listed.swap_consistency == 0.0  # one example has two chunks: 1 in order, 0 swapped
    assert [one.where for one in listed.disagreements] == ["calibrate_demo/fixtures/demo_listed.jsonl example 1"]


def test_a_judge_that_gets_lost_in_long_contexts(samples):
    def short_sighted(prompt, variables, repeat):
        if prompt.name == "demo_listed" and len(variables["context"]) > 2:
            return prompt.reply.model_validate({"chunks": []})
        return truthful(prompt, variables, repeat)

    listed = by_name(calibrate(short_sighted, samples, Plan()))["demo_listed"]
    # filled up, everything is judged useless: right for the third example only
    assert [(step.chunks, step.exact) for step in listed.growth] == [(1, 1.0), (2, 1.0), (5, 1 / 3), (10, 1 / 3)]


def test_grown_contexts_take_chunks_of_other_examples_around_the_own_ones(samples):
    listed = [sample for sample in samples if sample.prompt.name == "demo_listed"]
    context = grown(listed[1], listed, 4)["context"]
    assert context == [
        {"id": "other-1", "text": "lead"},
        {"id": "c", "text": "gold"},
        {"id": "other-2", "text": "gold"},
        {"id": "other-3", "text": "lead"},
    ]
    assert grown(listed[0], listed, 2) is None
    assert len(grown(listed[0], listed, 10)["context"]) == 4  # there are no more


def test_only_ordered_prompts_with_several_chunks_are_swapped(samples):
    assert [swapped(sample) is not None for sample in samples] == [False] * 4 + [True, False, False]


def test_an_obedient_judge_is_moved_by_every_planted_verdict_and_by_no_control(samples):
    def obedient(prompt, variables, repeat):
        text = variables.get("answer") or "\n".join(one["text"] for one in variables["context"])
        if (at := text.find('{"')) >= 0:
            return prompt.reply.model_validate(json.JSONDecoder().raw_decode(text[at:])[0])
        return truthful(prompt, variables, repeat)

    report = by_name(calibrate(obedient, samples, Plan(probes=False, adversarial=True)))
    graded = report["demo_grade"].moves
    assert graded["control/answer"] == Moves(4, 0)
    assert {kind: one for kind, one in graded.items() if "control" not in kind} == {
        f"{kind}/answer": Moves(4, 4) for kind in ATTACKS if kind != "control"
    }
    total = report["demo_grade"].to_dict()["adversarial"]
    assert (total["asked"], total["moved"], total["rate"]) == (12, 12, 1.0)


def test_attacks_plead_for_the_opposite_verdict(samples):
    texts = {attack.kind: attack.variables["answer"] for attack in attacks(samples[0], 1.0)}
    assert texts["instruction"].startswith("gold\n\n")
    assert '{"verdict": "bad"}' in texts["instruction"]
    assert (
        '{"verdict": "good"}'
        in next(a for a in attacks(samples[3], 0.0) if a.kind == "closing_fence").variables["answer"]
    )
    assert '{"verdict": "good"}' in list(attacks(samples[3], "not applicable"))[1].variables["answer"]
    assert "{" not in texts["control"]


@pytest.mark.parametrize(("best", "score"), [(True, 1.0), (False, 0.0)])
def test_forged_replies_fit_the_prompt_and_say_the_extreme(samples, best, score):
    for sample in samples:
        reply = sample.prompt.reply.model_validate_json(forged_reply(sample.prompt, sample.variables, best=best))
        assert sample.prompt.score(reply, sample.variables) == score


def test_unusable_replies_disagree_and_are_left_out_of_attacks(samples):
    def sometimes(prompt, variables, repeat):
        if variables["question"] == "q1":
            raise JudgeError("truncated")
        return truthful(prompt, variables, repeat)

    graded = by_name(calibrate(sometimes, samples, Plan(adversarial=True)))["demo_grade"]
    assert (graded.exact, graded.unusable, graded.passed) == (3 / 4, 1, False)
    assert graded.moves["instruction/answer"] == Moves(3, 0)
    (one,) = graded.disagreements
    assert (one.expected, one.score, one.problem) == (1.0, None, "truncated")


def test_a_judge_out_of_reach_is_a_failure_and_no_disagreement(samples):
    def silent(prompt, variables, repeat):
        raise JudgeError("401 the key is wrong")

    with pytest.raises(ExecutionError, match=r"no usable reply to any example \(7 asked\): 401 the key is wrong"):
        calibrate(silent, samples, Plan())


def test_a_used_up_budget_ends_the_calibration(samples):
    asked = []

    def poor(prompt, variables, repeat):
        asked.append(variables)
        if len(asked) > 2:
            raise BudgetExceededError("the budget of $1.00 is used up")
        return truthful(prompt, variables, repeat)

    with pytest.raises(BudgetExceededError):
        calibrate(poor, samples, Plan(), concurrency=1)
    assert len(asked) < 7


def test_calls_run_side_by_side_and_no_more_than_allowed(samples):
    gate, lock, now, most = threading.Barrier(2, timeout=10), threading.Lock(), [0], [0]

    def meeting(prompt, variables, repeat):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        if len(asked) < 2:
            asked.append(1)
            gate.wait()
        with lock:
            now[0] -= 1
        return truthful(prompt, variables, repeat)

    asked = []
    calibrate(meeting, samples, Plan(), concurrency=2)
    assert most[0] == 2


def test_thresholds_are_inclusive(samples):
    def wrong_once(prompt, variables, repeat):
        if variables["question"] == "q3":
            return prompt.reply(verdict="good")
        return truthful(prompt, variables, repeat)

    from ragproof_calibrate.report import Thresholds

    passed = {
        bar: by_name(calibrate(wrong_once, samples, Plan(thresholds=Thresholds(bar, 1.0))))["demo_grade"].passed
        for bar in (0.75, 0.76)
    }
    assert passed == {0.75: True, 0.76: False}


def test_a_prompt_without_fixtures_is_named(demo, tmp_path):
    import dataclasses

    warnings = []
    bare = dataclasses.replace(demo.GRADE, name="demo_bare")
    assert shipped([bare], warnings.append) == []
    assert warnings == ["prompt demo_bare of calibrate_demo ships no fixtures, so it is not calibrated"]


def test_a_fixture_out_of_range_is_refused(demo, tmp_path, monkeypatch):
    import dataclasses

    package = tmp_path / "calibrate_broken"
    (package / "fixtures").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "fixtures" / "demo_grade.jsonl").write_text('{"variables": {}, "expected": 7}')
    monkeypatch.syspath_prepend(str(tmp_path))
    broken = dataclasses.replace(demo.GRADE, package="calibrate_broken")
    with pytest.raises(PluginBrokenError, match="expected a number from 0 to 1"):
        shipped([broken], never)


def test_a_shared_prompt_is_asked_once(demo):
    assert distinct([demo.LISTED, demo.GRADE, demo.GRADE]) == [demo.GRADE, demo.LISTED]
