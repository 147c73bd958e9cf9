"""The command line: which files, what it says, and what happens when a file cannot be written."""

import os
import stat
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from ragproof_core import cli
from ragproof_core.models.run import Calibration
from ragproof_core.project import open_project

pytest.importorskip("ragproof_store_sqlite", reason="the command needs a store")


@pytest.fixture
def project(samples, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ragproof.yaml").write_text("project: handbook\nstore: runs.db\n")
    run = samples.run(samples.summary("generation.keyword_hit", 0.5), label="main")
    with open_project() as opened:
        store = opened.required_store()
        store.call("open_run", run=run)
        results = [
            samples.result(0, {"generation.keyword_hit": 0.0}),
            samples.result(1, {"generation.keyword_hit": 1.0}),
        ]
        store.call("add_results", run_id=run.run_id, results=results)
        store.call("finish_run", run_id=run.run_id, status="completed", summaries=run.summaries, cost_usd=0.0, run=run)
        store.call("add_calibration", calibration=Calibration({"identity": "x"}, "2026", ()))
    return tmp_path


def test_without_a_format_it_writes_html_under_the_runs_id(project, capsys):
    assert cli.run_line(["report"]) == 0
    page = (project / "report-20260101T000000-abcdef.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "case-1" in page
    assert capsys.readouterr().out.startswith("wrote report-20260101T000000-abcdef.html (")


def test_each_format_goes_to_its_file_and_folders_are_made(project, capsys):
    assert cli.run_line(["report", "main", "--html", "out/r.html", "--md", "out/r.md", "--junit", "out/x/r.xml"]) == 0
    assert capsys.readouterr().out.count("wrote ") == 3
    assert (project / "out/r.md").read_text(encoding="utf-8").startswith("## handbook (main)")
    assert ET.parse(project / "out/x/r.xml").getroot().find("testsuite").get("failures") == "1"
    assert sorted(path.name for path in (project / "out").iterdir()) == ["r.html", "r.md", "x"]
    assert not stat.S_IMODE((project / "out/r.md").stat().st_mode) & 0o111


def test_a_dash_is_stdout_and_nothing_else_is_printed_there(project, capfd):
    assert cli.run_line(["report", "--junit", "-", "--md", "r.md"]) == 0
    printed = capfd.readouterr()
    assert ET.fromstring(printed.out.encode()).get("tests") == "2"
    assert printed.err.startswith("wrote r.md (")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--html", "folder"], 2, "error: --html folder: cannot be written: Is a directory"),
        (["--md", "file/r.md"], 2, "error: --md file/r.md: cannot be written: "),
        (["--md", "same", "--junit", "./same"], 3, "error: --junit and --md: both name same; give each its own file"),
        (["nowhere"], 3, "error: no run has the id or label 'nowhere'"),
        (["-c", "missing.yaml"], 3, "error: "),
    ],
)
def test_what_cannot_be_done_is_said_with_the_reason(project, capsys, arguments, code, message):
    (project / "folder").mkdir()
    (project / "file").write_text("")
    assert cli.run_line(["report", *arguments]) == code
    assert capsys.readouterr().err.startswith(message)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_named(project, capsys):
    (project / "locked").mkdir(mode=0o555)
    assert cli.run_line(["report", "--html", "locked/r.html"]) == 2
    assert "Permission denied" in capsys.readouterr().err


def test_a_failed_write_leaves_the_old_file_and_no_rest(project, monkeypatch, capsys):
    target = project / "r.md"
    target.write_text("old")

    def full(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    assert cli.run_line(["report", "--md", "r.md"]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert target.read_text() == "old"
    assert [path.name for path in project.iterdir() if path.name.endswith(".tmp")] == []


def test_a_device_is_written_to_and_not_replaced(project):
    assert cli.run_line(["report", "--md", os.devnull]) == 0
    assert not Path(os.devnull).is_file()
