"""The hook reference has every hook with its arguments, and nothing else; the rules that pages state are the code's."""

import re

import pytest

import ragproof_core
from ragproof_core.engine.needs import NEEDS
from ragproof_core.engine.selection import KINDS
from ragproof_core.plugins.catalog import COMMAND_GROUP, GROUPS, ROLES
from ragproof_core.plugins.contract import hook_arguments

HOOK = re.compile(r"^### `(\w+)\((.*)\)`$", re.MULTILINE)


@pytest.mark.parametrize("role", ROLES)
def test_every_hook_is_documented_with_its_arguments(page, role):
    section = page("authors/hooks.md").section(f"## {role.capitalize()}")
    found = {name: tuple(part for part in arguments.split(", ") if part) for name, arguments in HOOK.findall(section)}
    assert found == hook_arguments(role)
    assert f"`{GROUPS[role]}`" in section


@pytest.mark.parametrize(("role", "hook"), [(role, hook) for role in ROLES for hook in hook_arguments(role)])
def test_every_argument_is_described(page, role, hook):
    arguments = hook_arguments(role)[hook]
    section = page("authors/hooks.md").section(f"## {role.capitalize()}")
    below = section.split(f"### `{hook}({', '.join(arguments)})`\n")[1].split("\n### ")[0]
    described = re.findall(r"^\| `(\w+)` \| (.+) \|$", below, re.MULTILINE)
    assert tuple(name for name, _ in described) == arguments
    assert len(re.sub(r"\|.*", "", below).split()) >= 2, "a sentence says what it returns or does"


def test_needs_and_their_reasons(page):
    assert page("authors/metric.md").rows("## What it declares").items() >= NEEDS.items()
    reasons = page("metrics.md").section("## Reasons for skipping")
    assert [line.split("|")[1].strip() for line in reasons.splitlines() if line.startswith("| ")][1:-1] == list(
        NEEDS.values()
    )


def test_kinds_of_cases(page):
    (row,) = [line for line in page("datasets.md").text.splitlines() if line.startswith("| `kind`")]
    assert re.findall(r"`(\w+)`", row) == ["kind", *KINDS]


def test_groups_of_entry_points(page):
    named = set(re.findall(r"`(ragproof\.\w+s)`", page("authors/publishing.md").text))
    assert named == {*GROUPS.values(), COMMAND_GROUP}


def test_the_contracts_number(page):
    assert f"`ragproof_core.API_VERSION`, now **{ragproof_core.API_VERSION}**" in page("authors/compatibility.md").text


def test_public_modules_can_be_imported(page):
    names = re.findall(r"`(ragproof_core[\w.]*)`", page("authors/compatibility.md").section("## What is public"))
    assert {"ragproof_core.project", "ragproof_core.stored_runs", "ragproof_core.cli.options"} <= set(names)
    for name in names:
        module = __import__(name.removesuffix(".__all__"), fromlist=["x"])
        assert not name.endswith(".__all__") or module.__all__
