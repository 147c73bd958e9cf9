"""docs/gate.md: its configs load, its script runs, and its transcripts are what the commands print."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

gate = pytest.importorskip("ragproof_gate")

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "gate.md").read_text("utf-8")
NEEDED = ("store_sqlite", "adapter_python", "metrics_retrieval", "metrics_generation")


def blocks(language):
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return [text for found, text in fenced if found == language]


def test_the_configs_are_accepted():
    sections = [loaded["gate"] for text in blocks("yaml") if "gate" in (loaded := yaml.safe_load(text))]
    assert [len(gate.parse_gate(section, "page").thresholds) for section in sections] == [3, 5]


def test_the_workflow_evaluates_before_it_gates():
    (workflow,) = [loaded for text in blocks("yaml") if "jobs" in (loaded := yaml.safe_load(text))]
    commands = [step["run"].split()[:2] for step in workflow["jobs"]["gate"]["steps"] if "run" in step]
    assert commands[1:] == [["ragproof", "run"], ["ragproof", "gate"], ["ragproof", "compare"]]


@pytest.mark.parametrize("key", sorted(gate.GateSection.model_fields))
def test_every_key_is_on_the_page(key):
    assert f"| `{key}` |" in PAGE


def test_the_scripts_config_is_the_pages(monkeypatch):
    spec = importlib.util.spec_from_file_location("compare_runs_script", DOCS / "examples" / "compare_runs.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    config = yaml.safe_load(script.CONFIG.format(options="{top: 6}", k=6))
    assert {"gate": config["gate"]} in [yaml.safe_load(text) for text in blocks("yaml")]


@pytest.mark.slow
@pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in ("bm25s", *(f"ragproof_{part}" for part in NEEDED))),
    reason="needs the packages that the script names",
)
def test_the_transcripts_are_what_is_printed():
    command = [sys.executable, str(DOCS / "examples" / "compare_runs.py")]
    printed = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    shown = [text for text in blocks("") if text.startswith("$ ragproof ")]
    assert without_ids("\n".join(shown)) == without_ids(printed.rstrip("\n") + "\n")


def without_ids(text):
    return re.sub(r"\d{8}T\d{6}-[0-9a-f]{6}", "RUN", text)
