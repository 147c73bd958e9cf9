"""Everything that the README shows is run; the commands that set up an environment are run by .ci/run."""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(language: str, containing: str) -> str:
    found = [code for code in re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL) if containing in code]
    assert len(found) == 1, f"one {language} block with {containing!r}"
    return found[0]


def ragproof(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ragproof_core", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


def test_the_main_job() -> None:
    line = next(line for line in README.splitlines() if line.startswith("python3 -m pip install uv && uv run ragproof"))
    arguments = line.partition("uv run ragproof ")[2].split()
    done = ragproof(*arguments, "--json", folder=ROOT)
    assert done.returncode == 0, done.stderr
    run = json.loads(done.stdout)
    assert run["status"] == "completed"
    assert run["cases"] == {"total": 87, "ok": 87, "error": 0, "timeout": 0}
    means = {row["metric"]: row["mean"] for row in run["metrics"]}
    assert round(means["retrieval.recall_at_k"], 3) == 0.883


def test_your_own_pipeline(tmp_path: Path) -> None:
    (tmp_path / "my_pipeline.py").write_text(block("python", "class Pipeline"))
    (tmp_path / "ragproof.yaml").write_text(block("yaml", "my_pipeline:Pipeline"))
    (tmp_path / "cases.jsonl").write_text(block("json", '"refund"'))
    assert ragproof("check", folder=tmp_path).returncode == 0
    done = ragproof("run", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    means = {row["metric"]: row["mean"] for row in json.loads(done.stdout)["metrics"]}
    assert means["retrieval.mrr"] == means["generation.keyword_hit"] == 1.0
    assert ragproof("show", "--failures", folder=tmp_path).returncode == 0


def test_from_python(capsys) -> None:
    scope: dict[str, object] = {}
    exec(block("python", "class Pipeline"), scope)
    exec(block("python", "from ragproof_core import evaluate"), scope)
    assert capsys.readouterr().out == "1.0\n"


def test_the_listed_adapters_are_installed() -> None:
    done = ragproof("plugins", "--role", "adapter", folder=ROOT)
    assert done.returncode == 0
    assert {"http", "python", "replay"} <= set(done.stdout.split())


def test_every_link_leads_somewhere() -> None:
    targets = [target for target in re.findall(r"\]\(([^)]+)\)", README) if "://" not in target]
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_the_setup_commands_are_those_that_ci_runs() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for line in re.findall(r"grep -m1 '\^([^']+)'", script):
        assert any(shown.startswith(line) for shown in README.splitlines()), line
