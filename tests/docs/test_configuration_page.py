"""The configuration reference has every key, default, variable and exit code, and no other."""

import re
from pathlib import Path

import pytest

import ragproof_core.errors
from ragproof_core.config.schema import Config, JudgeSection, MetricChoice, PluginsSection, RunSection
from ragproof_core.judging.options import KERNEL_KEYS, JudgeOptions
from ragproof_core.models.case import Case
from ragproof_core.project import DEFAULT_STORE

KERNEL = Path(ragproof_core.__file__).parent


def names(model):
    return [field.alias or name for name, field in model.model_fields.items() if not field.exclude]


def test_top_level_keys(page):
    rows = page("configuration.md").text.split("## Keys")[1].split("### adapter")[0]
    assert re.findall(r"^\| `(\w+)`", rows, re.MULTILINE) == names(Config)


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("### run", names(RunSection)),
        ("### plugins", names(PluginsSection)),
        ("### metrics", names(MetricChoice)),
        ("### judge", list(KERNEL_KEYS)),
        ("### store", ["type"]),
        ("### adapter", ["type"]),
    ],
)
def test_keys_of_sections(page, heading, expected):
    assert list(page("configuration.md").rows(heading)) == expected


def test_defaults(page):
    run = page("configuration.md").rows("### run")
    fields = RunSection.model_fields
    assert {key: run[key].strip("`") for key in fields if key != "retrieve_k"} == {
        key: f"{field.default:g}" if isinstance(field.default, float) else str(field.default)
        for key, field in fields.items()
        if key != "retrieve_k"
    }
    assert (fields["retrieve_k"].default, run["retrieve_k"]) == (None, "`k`")
    judge = page("configuration.md").rows("### judge")
    assert judge["concurrency"] == str(JudgeOptions("any").concurrency)
    assert judge["max_tokens"] == str(JudgeOptions("any").max_tokens)
    assert page("configuration.md").rows("### store")["type"] == f"`{DEFAULT_STORE}`"
    assert JudgeSection.model_fields["type"].default == ""


def test_environment_variables(page):
    used = {
        name
        for path in KERNEL.rglob("*.py")
        for name in re.findall(r"\"(RAGPROOF_[A-Z_]+)\"", path.read_text(encoding="utf-8"))
    }
    assert set(page("configuration.md").rows("## Environment")) == used


def test_exit_codes(page):
    codes = {}
    for name, found in vars(ragproof_core.errors).items():
        if (
            isinstance(found, type)
            and issubclass(found, ragproof_core.errors.RAGProofError)
            and name != "RAGProofError"
        ):
            codes.setdefault(found.exit_code, set()).add(name)
    section = page("configuration.md").section("## Exit codes")
    documented = {
        int(code): set(re.findall(r"`(\w+)`", errors))
        for code, errors in re.findall(r"^\| (\d) \| (.*) \|$", section, re.MULTILINE)
    }
    assert documented == {0: set(), 1: set(), **codes}


def test_fields_of_a_case(page):
    fields = re.findall(r"^\| `(\w+)` \|", page("datasets.md").text, re.MULTILINE)
    assert fields == list(Case.__dataclass_fields__)
