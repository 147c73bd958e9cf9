"""compare and gate as a user has them: processes, a real pipeline, the SQLite store, and a judge found by entry point."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

for package in ("gate", "store_sqlite", "adapter_python", "metrics_retrieval", "metrics_generation", "calibrate"):
    pytest.importorskip(f"ragproof_{package}")

PIPELINE = """
class Pipeline:
    def __init__(self, known, broken):
        self.known, self.broken = known, broken

    def retrieve(self, question, k):
        number = int(question.split()[1])
        return [{"id": f"c{number}" if number < self.known else "elsewhere", "text": "Chunk \\x1b[31m ]]> <b>"}]

    def answer(self, question):
        number = int(question.split()[1])
        if number in self.broken:
            raise RuntimeError("no luck ]]> \\x00")
        return f"fact {number}" if number < self.known else "no idea <script>alert(1)</script>"


def build(known, broken=()):
    return Pipeline(known, broken)
"""
JUDGE = """
from pydantic import BaseModel
from ragproof_core.hookspecs import hookimpl
from ragproof_core.models.judging import JudgeReply


class Judge:
    api_version = 1

    class Settings(BaseModel):
        model: str

    def __init__(self, settings):
        pass

    @hookimpl
    def complete(self, request):
        return JudgeReply('{"verdict": "relevant"}')
"""
KEYWORDS, HIT, RELEVANCE = "generation.keyword_hit", "retrieval.hit_rate_at_k", "generation.answer_relevance"


class ProjectOnDisk:
    def __init__(self, folder):
        self.folder = folder
        site = folder / "site"
        metadata = site / "ragproof_yes_judge-1.0.dist-info"
        metadata.mkdir(parents=True)
        (site / "ragproof_yes_judge.py").write_text(JUDGE, "utf-8")
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: ragproof-yes-judge\nVersion: 1.0\n", "utf-8")
        (metadata / "entry_points.txt").write_text("[ragproof.judges]\nyes = ragproof_yes_judge:Judge\n", "utf-8")
        (folder / "pipeline.py").write_text(PIPELINE, "utf-8")
        cases = [
            {
                "id": f"q{i}",
                "question": f"Question {i} ?",
                "keywords": [f"fact {i}"],
                "expected_source_ids": [f"c{i}"],
                "tags": ["even" if i % 2 == 0 else "odd"],
            }
            for i in range(20)
        ]
        (folder / "cases.jsonl").write_text("\n".join(map(json.dumps, cases)), "utf-8")

    def __call__(self, *arguments):
        environment = {**os.environ, "PYTHONPATH": str(self.folder / "site"), "PYTHONUTF8": "1", "COLUMNS": "120"}
        environment.pop("GITHUB_STEP_SUMMARY", None)
        environment["GITHUB_STEP_SUMMARY"] = str(self.folder / "summary.md")
        command = [sys.executable, "-m", "ragproof_core", *arguments]
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)

    def write(self, gate="", *, known=20, broken=(), k=5, judge=None, metrics=(KEYWORDS, HIT)):
        config = {
            "project": "facts",
            "dataset": "cases.jsonl",
            "store": "runs.db",
            "adapter": {
                "type": "python",
                "target": "pipeline:build",
                "options": {"known": known, "broken": list(broken)},
            },
            "metrics": list(metrics),
            "run": {"k": k},
            **({"judge": {"type": "yes", "model": judge}} if judge else {}),
            **({"gate": gate} if gate else {}),
        }
        (self.folder / "ragproof.yaml").write_text(json.dumps(config), "utf-8")

    def evaluate(self, label, code=0, **changes):
        self.write(**changes)
        done = self("run", "--label", label)
        assert done.returncode == code, done.stderr


@pytest.fixture
def facts(tmp_path):
    return ProjectOnDisk(tmp_path)


def test_a_worse_pipeline_is_found_and_fails(facts):
    facts.evaluate("main", known=20)
    facts.evaluate("worse", known=12)  # 8 of 20 facts lost: 2 / 2**8 = 0.0078125, doubled for two metrics
    compared = json.loads(facts("compare", "main", "worse", "--json", "--cases").stdout)
    found = {metric["metric"]: metric for metric in compared["metrics"]}
    assert [found[KEYWORDS][key] for key in ("p_value", "p_adjusted", "down", "equal", "verdict")] == [
        2 / 2**8, 2 * 2 / 2**8, 8, 12, "worse",
    ]  # fmt: skip
    assert found[KEYWORDS]["tags"]["even"]["down"] == 4
    assert [case["case_id"] for case in compared["cases"]] == [f"q{i}" for i in range(12, 20)]
    text = facts("compare", "main", "worse", "--cases")
    assert (text.returncode, text.stderr) == (0, "")
    assert "no idea <script>alert(1)</script>" in text.stdout
    facts.write({"baseline": "main", "thresholds": {KEYWORDS: {"min": 0.5, "max_drop": 0.05}, HIT: {"min": 0.7}}})
    done = facts("gate", "--json", "--junit", "gate.xml")
    shape = json.loads(done.stdout)
    assert (done.returncode, done.stderr, shape["passed"]) == (1, "", False)
    assert [(c["rule"], c["status"], c["value"]) for c in shape["checks"]] == [
        ("max_error_rate", "pass", 0.0), ("min", "pass", 0.6), ("max_drop", "fail", 0.4), ("min", "fail", 0.6),
    ]  # fmt: skip
    assert ET.parse(facts.folder / "gate.xml").getroot().get("failures") == "2"
    assert "gate failed: 2 fail, 2 pass" in (facts.folder / "summary.md").read_text("utf-8")
    assert facts("gate").stdout.splitlines()[-1] == "gate failed: 2 fail, 2 pass"


def test_a_pipeline_that_fails_on_what_it_cannot_do_does_not_pass(facts):
    """Two cases of twenty raise: the other eighteen are perfect."""
    facts.evaluate("main", known=20)
    facts.evaluate("broken", known=20, broken=[3, 4])
    facts.write({"baseline": "main", "thresholds": {KEYWORDS: {"min": 0.9, "max_drop": 0.0}}})
    done = facts("gate")
    assert done.returncode == 1
    assert "fail  run max_error_rate: 2 of 20 cases failed or timed out, 0.100 > 0.05" in done.stdout
    assert "2 scored in the baseline only" in done.stdout
    compared = facts("compare", "main", "broken", "--cases").stdout
    assert "failed: q3, q4" in compared
    assert "common  18 cases" in compared
    assert "no luck ]]> \\x00" in compared


def test_a_baseline_at_another_k_is_refused(facts):
    facts.evaluate("main", k=3)
    facts.evaluate("cand", k=5)
    facts.write({"baseline": "main", "thresholds": {HIT: {"max_drop": 0.1}}})
    for command in (["gate"], ["compare", "main", "cand"]):
        done = facts(*command)
        assert (done.returncode, done.stdout) == (3, "")
        assert "run.k: 3 against 5" in done.stderr


def test_judges_are_told_apart_and_their_calibration_counts(facts):
    judged = {"metrics": [RELEVANCE], "judge": "model-a"}
    facts.evaluate("a", **judged)
    facts.evaluate("b", metrics=[RELEVANCE], judge="model-b")
    refused = facts("compare", "a", "b")
    assert refused.returncode == 3
    assert "judge: yes/model-a" in refused.stderr
    assert facts("compare", "a", "b", "--allow-mixed-judges").returncode == 0

    def gate(bar):
        limit = {"max": 0.9, "require_calibration": bar}  # a judge that says yes to everything gives 1.0
        facts.write({"thresholds": {RELEVANCE: limit}}, **judged)
        done = facts("gate", "--run", "a", "--json")
        return done.returncode, [check["status"] for check in json.loads(done.stdout)["checks"]]

    assert gate({"exact": 0.01}) == (0, ["pass", "warn", "warn"])  # not calibrated yet
    assert facts("calibrate", "--quick").returncode == 1  # yes to everything is no good judge
    assert gate({"exact": 0.01}) == (1, ["pass", "pass", "fail"])
    assert gate({"kappa": 0.6}) == (0, ["pass", "warn", "warn"])
