import pytest

from ragproof_core.models.run import RunSettings

HIT, MS = "retrieval.hit_rate_at_k", "operational.latency_ms"
JUDGE = {"type": "openai", "model": "small", "identity": "j" * 64}
SPEC = [
    "metric", "direction", "base_mean", "cand_mean", "difference", "ci95", "p_value", "p_adjusted", "up", "down", "equal",
    "verdict", "detectable", "tags",
]  # fmt: skip


def first(count, of=20):
    return {f"q{i:02}": 1.0 if i < count else 0.0 for i in range(of)}


@pytest.fixture
def two_runs(project, stored):
    answers = {"q08": "No idea."}
    project.keep(
        stored("1-base", {HIT: first(8)}, label="main", answers=answers, failed=["late"]),
        stored("2-cand", {HIT: first(14)}, label="pr", answers={"q08": "Five GB."}, failed=["late"]),
    )
    return project


def test_json_has_the_keys_that_scripts_rely_on(two_runs):
    done = two_runs("compare", "main", "latest", "--json")
    assert (done.code, done.err) == (0, "")
    assert {"base", "cand", "common_cases", "metrics"} <= set(done.json)
    assert (done.json["base"], done.json["cand"], done.json["common_cases"]) == ("1-base", "2-cand", 20)
    assert set(SPEC) <= set(done.json["metrics"][0])
    assert "cases" not in done.json


def test_text_states_runs_failed_cases_and_the_verdict(two_runs):
    lines = two_runs("compare", "1-b", "pr").out.splitlines()
    assert lines[0] == "base    1-base (main) · completed · 21 cases: 20 ok, 0 error, 1 timeout"
    assert lines[1] == "        failed: late"
    assert lines[4] == "common  20 cases  labels: chunk  k=5"
    header, row = lines[6].split(), lines[7].split()
    assert header[:4] == ["metric", "base", "cand", "difference"]
    assert row == [
        HIT,
        "0.400",
        "0.700",
        "+0.300",
        "+0.100",
        "to",
        "+0.500",
        "0.031",
        "0.031",
        "6/0/14",
        "0.366",
        "better",
    ]


def test_cases_show_both_answers_side_by_side(two_runs, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    out = two_runs("compare", "main", "pr", "--cases").out
    assert "6 cases changed:" in out
    at = out.index("q08  Question q08?")
    block = out[at:].splitlines()
    assert block[1] == f"  + {HIT} 0.000 → 1.000"
    assert block[2].split("  ")[0] == " base: No idea."
    assert block[2].endswith("cand: Five GB.")
    assert block[3].split()[:2] == ["retrieved:", "chunk-1-base"]
    shape = two_runs("compare", "main", "pr", "--cases", "--json").json["cases"]
    assert [case["case_id"] for case in shape] == [f"q{i:02}" for i in range(8, 14)]
    assert shape[0]["base"]["answer_text"] == "No idea."
    assert shape[0]["cand"]["retrieved_ids"] == ["chunk-2-cand"]
    assert shape[0]["changes"] == [{"metric": HIT, "base": 0.0, "cand": 1.0, "change": "better"}]


def test_hostile_answers_are_shown_as_text(project, stored):
    hostile = "\x1b[2J[bold]x[/bold] ]]> \u202e " + "字" * 700
    project.keep(
        stored("1", {HIT: {"a": 1.0}}, answers={"a": hostile}),
        stored("2", {HIT: {"a": 0.0}}, answers={"a": "\ud800"}),
    )
    out = project("compare", "1", "2", "--cases").out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "[bold]x[/bold]" in out
    assert "\\ud800" in out
    assert project("compare", "1", "2", "--cases", "--json").json["cases"][0]["base"]["answer_text"] == hostile


def test_other_k_is_refused_and_named(project, stored):
    project.keep(stored("1", {HIT: first(8)}), stored("2", {HIT: first(8)}, settings=RunSettings(k=3)))
    done = project("compare", "1", "2", "--json")
    assert (done.code, done.out) == (3, "")
    assert "run.k: 5 against 3" in done.err


def test_mixed_judges_need_to_be_allowed_and_are_noted(project, stored):
    project.keep(
        stored("1", {HIT: first(8)}, judge=JUDGE), stored("2", {HIT: first(8)}, judge={**JUDGE, "identity": "k" * 64})
    )
    assert project("compare", "1", "2").code == 3
    done = project("compare", "1", "2", "--allow-mixed-judges")
    assert done.code == 0
    assert "note: compared all the same: judge: openai/small (identity jjjjjjjjjjjj) against openai/small" in done.out


def test_metrics_that_are_no_shares_are_compared_but_flip_no_case(project, stored):
    project.keep(stored("1", {MS: {"a": 10.0, "b": 12.0}}), stored("2", {MS: {"a": 11.0, "b": 13.0}}))
    done = project("compare", "1", "2", "--cases")
    assert f"{MS} ↓  11.000  12.000      +1.000" in done.out
    assert "no case changed in a metric that is a share" in done.out


def test_an_unknown_run_is_exit_3(project):
    assert project("compare", "a", "b").code == 3


def test_runs_without_results_compare_to_nothing(project, stored):
    project.keep(stored("1", {}), stored("2", {}))
    done = project("compare", "1", "2", "--json")
    assert (done.code, done.json["common_cases"], done.json["metrics"]) == (0, 0, [])
