import xml.etree.ElementTree as ET

import pytest

from ragproof_core.models.run import Calibration, DatasetInfo, RunSettings

HIT = "retrieval.hit_rate_at_k"
GATE = f"gate: {{baseline: main, thresholds: {{{HIT}: {{min: 0.3, max_drop: 0.1}}}}}}\n"


def first(count, of=20):
    return {f"q{i:02}": 1.0 if i < count else 0.0 for i in range(of)}


def test_a_breach_is_exit_1_in_every_output(project, stored, tmp_path, monkeypatch):
    project.keep(stored("1-base", {HIT: first(14)}, label="main"), stored("2-cand", {HIT: first(8)}))
    project.write(GATE)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    junit = tmp_path / "new" / "gate.xml"
    done = project("gate", "--json", "--junit", str(junit))
    assert (done.code, done.err) == (1, "")
    assert list(done.json) == ["run", "baseline", "passed", "exit_code", "checks", "remarks"]
    assert (done.json["run"], done.json["baseline"], done.json["passed"]) == ("2-cand", "1-base", False)
    assert done.json["checks"][-1]["rule"] == "max_drop"
    assert list(done.json["checks"][0]) == ["metric", "tag", "rule", "status", "value", "limit", "detail"]
    assert ET.parse(junit).getroot().get("failures") == "1"
    assert (tmp_path / "summary.md").read_text("utf-8").startswith("### RAGProof gate failed: 1 fail, 2 pass\n")
    text = project("gate")
    assert text.code == 1
    assert text.out.splitlines()[3].startswith(f"fail  {HIT} max_drop: drop 0.300 > 0.1: 0.700 to 0.400")
    assert text.out.splitlines()[-1] == "gate failed: 1 fail, 2 pass"


def test_no_breach_is_exit_0(project, stored):
    project.keep(stored("1-base", {HIT: first(8)}, label="main"), stored("2-cand", {HIT: first(8)}))
    project.write(GATE)
    done = project("gate", "--run", "2-cand")
    assert (done.code, done.out.splitlines()[-1]) == (0, "gate passed: 3 pass")


def test_a_run_with_the_baselines_label_is_compared_with_the_one_before(project, stored):
    project.keep(
        stored("1-main", {HIT: first(14)}, label="main"),
        stored("2-main", {HIT: first(12)}, label="main", status="partial"),
        stored("3-main", {HIT: first(14)}, label="main"),
    )
    project.write(GATE)
    assert project("gate", "--json").json["baseline"] == "1-main"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"dataset": DatasetInfo("other.jsonl", "e" * 64, 20)}, "dataset: other.jsonl (20 cases, sha256 eeeeeeeeeeee)"),
        ({"settings": RunSettings(k=3)}, "run.k: 3 against 5"),
        ({"settings": RunSettings(source_match="document")}, "run.source_match: document against chunk"),
        ({"judge": {"type": "openai", "model": "m", "identity": "i"}}, "judge: openai/m (identity i) against none"),
    ],
)
def test_a_baseline_that_measured_something_else_is_refused(project, stored, changes, told):
    """Hard case 27."""
    project.keep(stored("1-base", {HIT: first(8)}, label="main", **changes), stored("2-cand", {HIT: first(8)}))
    project.write(GATE)
    done = project("gate", "--json")
    assert (done.code, done.out) == (3, "")
    assert told in done.err


@pytest.mark.parametrize(
    ("arguments", "gate", "told"),
    [
        ([], "", "has no 'gate' section"),
        (
            [],
            f"gate: {{thresholds: {{{HIT}: {{mni: 0.3}}}}}}",
            f"gate.thresholds.{HIT}.mni: unknown key; did you mean 'min'?",
        ),
        ([], f"gate: {{thresholds: {{{HIT}: {{max_drop: 0.3}}}}}}", "max_drop needs a run to compare with"),
        ([], GATE, "no run has the id or label 'main'"),
        (["--baseline", "2-cand"], GATE, "there is no other such run than the gated one"),
        (["--baseline", "2-c"], GATE, "baseline '2-c' is the gated run itself"),
        (["--run", "nope"], GATE, "no run has the id or label 'nope'"),
    ],
)
def test_wrong_configuration_is_exit_3(project, stored, arguments, gate, told):
    project.keep(stored("2-cand", {HIT: first(8)}))
    project.write(gate)
    done = project("gate", *(part.replace("{folder}", str(project.folder)) for part in arguments))
    assert (done.code, done.out) == (3, "")
    assert told in done.err
    assert "Traceback" not in done.err


def test_a_file_that_cannot_be_written_is_exit_2(project, stored):
    project.keep(stored("2-cand", {HIT: first(8)}))
    project.write(f"gate: {{thresholds: {{{HIT}: {{min: 0.3}}}}}}")
    done = project("gate", "--junit", f"{project.folder}/ragproof.yaml/x.xml")
    assert done.code == 2
    assert "cannot be written" in done.err


def test_a_missing_baseline_may_be_a_warning(project, stored):
    project.keep(stored("2-cand", {HIT: first(8)}, label="main"))
    project.write(GATE.replace("baseline: main", "baseline: main, on_missing_baseline: warn"))
    done = project("gate", "--json")
    assert (done.code, done.json["baseline"]) == (0, None)
    assert done.json["checks"][-1]["status"] == "warn"
    assert done.json["checks"][-1]["detail"].startswith("not checked, baseline 'main': there is no other such run")
    assert project("gate", "--baseline", "main").code == 3  # asked for by name


def test_an_unfinished_run_is_exit_2(project, stored):
    project.keep(stored("1", {HIT: first(20)}, status="aborted:budget"))
    project.write(f"gate: {{thresholds: {{{HIT}: {{min: 0.3}}}}}}")
    done = project("gate", "--json")
    assert (done.code, done.json["exit_code"], done.json["passed"]) == (2, 2, False)


def test_a_summary_that_cannot_be_written_changes_nothing(project, stored, tmp_path, monkeypatch):
    project.keep(stored("1", {HIT: first(20)}))
    project.write(f"gate: {{thresholds: {{{HIT}: {{min: 0.3}}}}}}")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    done = project("gate")
    assert done.code == 0
    assert "warning: GITHUB_STEP_SUMMARY: the summary cannot be written" in done.err


def test_a_metric_that_is_not_installed_cannot_show_its_calibration(project, stored):
    judge = {"type": "openai", "model": "small", "identity": "j", "prompts": {"groundedness": "t"}}
    row = {"prompt": "groundedness", "template_sha256": "t", "kappa": 1.0}
    project.store.CALIBRATIONS.append(Calibration({"identity": "j"}, "2026-01-01", (row,)))
    project.keep(stored("1", {"no.such_metric": first(8)}, judge=judge))
    project.write("gate: {thresholds: {no.such_metric: {min: 0.9, require_calibration: {kappa: 0.6}}}}")
    done = project("gate", "--json")
    assert [(c["rule"], c["status"]) for c in done.json["checks"][1:]] == [
        ("require_calibration", "warn"),
        ("min", "warn"),
    ]
    assert done.code == 0
    assert "no metric is" in done.err


def test_hostile_labels_and_tags_do_not_reach_the_terminal(project, stored):
    tag = "\x1b[31m\u202e]]>|\n"
    project.keep(stored("1", {HIT: first(8)}, tags={tag: {"q00"}}, label="\x1b]0;x\x07"))
    quoted = '"\\x1b[31m\\u202e]]>|\\n"'
    project.write(f"gate: {{thresholds: {{{HIT}: {{tags: {{{quoted}: {{min: 0.9}}}}}}}}}}")
    done = project("gate")
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out
    assert "\\x1b[31m\\u202e]]>|" in done.out
