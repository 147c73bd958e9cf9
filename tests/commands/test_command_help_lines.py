"""The lines of ``ragproof --help``: short imperatives, which say what a command does and not what a package is."""

import tomllib
from pathlib import Path

import pytest

from ragproof_core.cli.root import _OWN
from ragproof_core.plugins.catalog import COMMAND_GROUP

ROOT = Path(__file__).parents[2]
PACKAGES = {
    project["name"]: project
    for path in sorted(ROOT.glob("plugins/*/pyproject.toml"))
    if COMMAND_GROUP in (project := tomllib.loads(path.read_text(encoding="utf-8"))["project"]).get("entry-points", {})
}
LINES = {name: summary for name, (_, summary) in _OWN.items()} | {
    name: project["description"] for name, project in PACKAGES.items()
}
VERBS = {"Ask", "Compare", "Evaluate", "List", "Measure", "Seal", "Show", "Write"}


def test_the_packages_with_commands():
    commands = [name for project in PACKAGES.values() for name in project["entry-points"][COMMAND_GROUP]]
    assert sorted(commands) == ["calibrate", "compare", "gate", "payloads", "report"]


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_a_help_line_is_a_short_imperative(line):
    assert len(line) <= 60
    assert line.split()[0] in VERBS
    assert not line.endswith(".")
