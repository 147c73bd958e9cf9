"""Blocks marked ``<!-- python -->`` run, and what they define does what the page says."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from ragproof_core import Answer, ConfigError, Response, RunSettings, ScoreRow, evaluate
from ragproof_core.plugins.component import from_object
from ragproof_core.plugins.contract import check_class
from ragproof_core.plugins.settings import validate

DOCS = Path(__file__).parents[2] / "docs"
MARKED = sorted(
    path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md") if "<!-- python -->" in path.read_text()
)


@pytest.fixture
def run_blocks(page):
    def run(name):
        names = {"__name__": "documentation"}
        for block in page(name).blocks:
            if block.kind == "python":
                exec(compile(block.text, name, "exec"), names)
        return names

    return run


def test_which_pages_have_some():
    assert MARKED == ["authors/command.md", "authors/metric.md", "authors/settings-and-secrets.md", "python.md"]


@pytest.mark.parametrize("name", MARKED)
def test_they_run(run_blocks, name):
    assert run_blocks(name)


def test_the_metric(run_blocks):
    metric = from_object("metric", run_blocks("authors/metric.md")["Brevity"](), "style.brevity")
    score = metric.direct("score", ("response",))
    assert score(Response(answer=Answer("word " * 60))).value == 0.5  # 30 / 60
    assert score(Response(answer=Answer("short"))).value == 1.0
    assert score(Response(answer=Answer(" "))).status == "not_applicable"
    rows = [ScoreRow(str(value), "qa", (), "ok", {"style.brevity": value}) for value in (1.0, 0.25)]
    assert metric.call("summarize", rows=rows, run=RunSettings()) == {"worst": 0.25}


def test_the_settings(run_blocks):
    search = run_blocks("authors/settings-and-secrets.md")["Search"]
    assert validate(search.Settings, {"url": "http://localhost"}, "adapter").timeout_seconds == 30.0
    with pytest.raises(ConfigError, match=r"^adapter\.timeout_seconds: input should be greater than 0$"):
        validate(search.Settings, {"url": "http://localhost", "timeout_seconds": 0}, "adapter")
    with pytest.raises(ConfigError, match=r"adapter\.timeout: unknown key; did you mean 'timeout_seconds'"):
        validate(search.Settings, {"url": "http://localhost", "timeout": 1}, "adapter")
    with pytest.raises(Exception, match="it lacks retrieve or answer"):
        check_class("adapter", search, "search")  # the page shows settings alone


def test_the_command(run_blocks, tmp_path, monkeypatch):
    pytest.importorskip("ragproof_store_sqlite", reason="the runs are kept in SQLite")

    class Found:
        def retrieve(self, question):
            return [{"id": question}]

    cases = [{"id": f"c{n}", "question": f"q{n}", "expected_source_ids": [f"q{n % 2}"]} for n in range(3)]
    evaluate({"project": "p"}, cases=cases, adapter=Found(), metrics="retrieval.mrr", store=tmp_path / "runs.db")
    (tmp_path / "ragproof.yaml").write_text("store: runs.db\n")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(run_blocks("authors/command.md")["command"], ["retrieval.mrr"], catch_exceptions=False)
    assert done.exit_code == 0
    # q0 and q1 find themselves, q2 is expected to find q0
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["case", "retrieval.mrr"],
        ["c2", "0.000"],
        ["c0", "1.000"],
        ["c1", "1.000"],
    ]
