import json

import pytest

from ragproof_core.cli import run_line

CONFIG = """\
metrics: [demo.*]
judge: {type: demo-oracle, mood: %s}
store: {type: demo-store, path: kept.jsonl}
"""
NO_JUDGE = "metrics: [demo.*]\nstore: {type: demo-store, path: kept.jsonl}\n"


@pytest.fixture
def run(demo, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)

    def call(*arguments, mood="steady", config=CONFIG):
        if config is not None:
            (tmp_path / "ragproof.yaml").write_text(config % mood if "%s" in config else config)
        code = run_line(["calibrate", *arguments])
        out, err = capfd.readouterr()
        return code, out, err

    return call


def test_json_and_what_is_kept(run, tmp_path):
    code, out, err = run("--json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert document["judge"]["type"] == "demo-oracle"
    assert document["judge"]["model"] == "oracle-1"
    assert document["overall"] == {"n": 7, "exact": 1.0, "within_band": 1.0, "kappa": 1.0}
    assert [one["prompt"] for one in document["prompts"]] == ["demo_grade", "demo_listed"]
    keys = {"prompt", "n", "exact", "within_band", "kappa", "variance", "swap_consistency", "unusable", "passed"}
    assert all(keys <= one.keys() for one in document["prompts"])
    (kept,) = map(json.loads, (tmp_path / "kept.jsonl").read_text().splitlines())
    assert kept["judge"] == document["judge"]
    assert kept["prompts"] == document["prompts"]


def test_text(run):
    code, out, _ = run("--adversarial")
    assert code == 0
    assert "Judge demo-oracle/oracle-1: " in out
    assert "All examples: 1.00 (n=7), κ 1.00" in out
    assert "demo_grade: planted verdicts moved 0 of 12, harmless text 0 of 4\n" in out
    assert "demo_listed: exact agreement with the context filled up to n chunks  1: 1.00  2: 1.00" in out


def test_below_a_threshold_is_exit_1_and_is_kept_all_the_same(run, tmp_path):
    # the moody judge is right on 3 of 4 grades
    assert run("--quick", mood="moody")[0] == 0
    code, out, _ = run("--quick", "--min-exact", "0.8", mood="moody")
    assert code == 1
    assert "FAIL" in out
    assert "1 disagreement:" in out
    assert len((tmp_path / "kept.jsonl").read_text().splitlines()) == 2


def test_repeats_show_the_variance(run):
    code, out, _ = run("--json", "--quick", "--repeats", "4", mood="moody")
    graded = json.loads(out)["prompts"][0]
    assert code == 0
    assert graded["unchanged"] == 3 / 4  # the third example goes up and down
    assert 0.0 < graded["variance"] <= 0.25 / 4
    assert json.loads(out)["calls"] == 7 * 4


def test_an_obedient_judge_is_shown_to_be_one(run):
    code, out, _ = run("--json", "--adversarial", "--quick", mood="obedient")
    graded = json.loads(out)["prompts"][0]["adversarial"]
    assert code == 0
    assert graded["by_attack"]["control/answer"]["moved"] == 0
    assert graded["by_attack"]["instruction/answer"] == {"asked": 4, "moved": 4, "rate": 1.0}


def test_own_labels_replace_the_fixtures(run, tmp_path):
    lines = [
        {"prompt": "demo_grade", "question": "q", "answer": "gold", "expected": 1},
        {"prompt": "demo_grade", "question": "q", "answer": "noise", "expected": 1},
    ]
    (tmp_path / "own.jsonl").write_text("\n".join(map(json.dumps, lines)))
    code, out, _ = run("--json", "--labels", "own.jsonl")
    (graded,) = json.loads(out)["prompts"]
    assert code == 1
    assert (graded["n"], graded["exact"], graded["unusable"]) == (2, 0.5, 1)
    assert graded["disagreements"][0]["where"] == "own.jsonl:2"
    assert "no JSON" in graded["disagreements"][0]["problem"]


@pytest.mark.parametrize(
    ("arguments", "config", "code", "message"),
    [
        (["--labels", "none.jsonl"], CONFIG, 3, "no such file"),
        (["--repeats", "0"], CONFIG, 3, "repeats"),
        (["--min-exact", "1.5"], CONFIG, 3, "min-exact"),
        (["--min-exact", "inf"], CONFIG, 3, "min-exact"),
        (["--min-exact", "nan"], CONFIG, 3, "'--min-exact': nan is no share; expected a number from 0 to 1"),
        (["--min-band", "NaN"], CONFIG, 3, "'--min-band': NaN is no share; expected a number from 0 to 1"),
        (["--min-band", "-inf"], CONFIG, 3, "min-band"),
        (["-c", "other.yaml"], CONFIG, 3, "other.yaml"),
        ([], NO_JUDGE, 3, "no judge is configured"),
        ([], "metrics: [demo.plain]\njudge: {type: demo-oracle}\n", 3, "nothing to calibrate"),
        (["--judge", "demo-orakel"], CONFIG, 3, "demo-oracle"),
        (["--judge", "demo-orakel"], NO_JUDGE, 3, "no judge is called 'demo-orakel'; did you mean"),
        (["--judge", ""], NO_JUDGE, 3, "no judge is called ''; installed: "),
    ],
)
def test_bad_input(run, arguments, config, code, message):
    left, out, err = run(*arguments, config=config)
    assert (left, out) == (code, "")
    assert message in err
    assert "Traceback" not in err


def test_a_judge_that_is_named_needs_no_section(run):
    code, out, err = run("--json", "--quick", "--judge", "demo-oracle", config=NO_JUDGE)
    assert (code, err) == (0, "")
    assert json.loads(out)["judge"]["model"] == "oracle-1"


def test_a_judge_out_of_reach_is_exit_2(run, tmp_path):
    code, out, err = run("--json", mood="silent")
    assert (code, out) == (2, "")
    assert "401 the key is wrong" in err
    assert not (tmp_path / "kept.jsonl").exists()


def test_without_a_config_a_judge_from_the_environment_is_enough(run, monkeypatch, tmp_path):
    for name in ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("RAGPROOF_LLM_PROVIDER", "demo-oracle")
    monkeypatch.setenv("RAGPROOF_JUDGE_MODEL", "oracle-2")
    monkeypatch.setenv("RAGPROOF_LOAD_PLUGINS", "demo-oracle,demo.grade,demo.listed,sqlite")
    code, out, err = run("--json", "--quick", config=None)
    assert code == 0, err
    assert json.loads(out)["judge"]["model"] == "oracle-2"
    assert json.loads(out)["overall"]["n"] == 7
