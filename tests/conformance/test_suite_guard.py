"""What the suites refuse when a class is made, and what the package costs and registers."""

import subprocess
import sys
from importlib.metadata import entry_points

import pytest

import ragproof_core.testing
from ragproof_core.testing import AdapterConformance, JudgeConformance, MetricConformance, StoreConformance
from ragproof_core.testing.example_replies import example_reply

SUITES = [AdapterConformance, JudgeConformance, MetricConformance, StoreConformance]


def run(*lines):
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False)
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize("suite", SUITES)
def test_the_guard_itself_cannot_be_overridden(suite):
    with pytest.raises(TypeError, match="overrides test_every_standard_test_is_there"):
        type("TestMine", (suite,), {"test_every_standard_test_is_there": lambda _: None, "__module__": "mine"})


@pytest.mark.parametrize(
    ("suite", "flag", "meant"),
    [
        (AdapterConformance, "has_retreive", "has_retrieve"),
        (AdapterConformance, "report_usage", "reports_usage"),
        (JudgeConformance, "retry", "retries"),
        (MetricConformance, "entrypoint", "entry_point"),
        (StoreConformance, "row", "rows"),
        (StoreConformance, "persistant", "persistent"),
    ],
)
def test_a_misspelt_flag_is_refused_with_the_right_one(suite, flag, meant):
    if flag == "retry":  # too far off to guess, and an attribute of the author's own is allowed
        type("TestMine", (suite,), {flag: True, "__module__": "mine"})
        return
    with pytest.raises(TypeError, match=f"no '{flag}'; did you mean '{meant}'"):
        type("TestMine", (suite,), {flag: True, "__module__": "mine"})


@pytest.mark.parametrize("suite", SUITES)
def test_every_standard_test_says_what_it_checks(suite):
    tests = [getattr(suite, name) for name in dir(suite) if name.startswith("test_")]
    assert len(tests) > 15
    assert all(test.__doc__ and test.__doc__.strip() for test in tests)


def test_all_names_are_there():
    assert sorted(ragproof_core.testing.__all__) == dir_of_public_names()
    assert all(getattr(ragproof_core.testing, name) for name in ragproof_core.testing.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        ragproof_core.testing.Nonsense  # noqa: B018


def dir_of_public_names():
    return sorted(name for name in dir(ragproof_core.testing) if name[0].isupper() and name != "TYPE_CHECKING")


def test_nothing_registers_itself_with_pytest():
    assert not [one for one in entry_points(group="pytest11") if one.value.startswith("ragproof")]


def test_the_kernel_does_not_import_it_and_the_server_needs_no_pytest():
    assert run("import sys, ragproof_core.evaluation, ragproof_core.cli", "print('pytest' in sys.modules)") == "False"
    assert (
        run(
            "import sys; sys.modules['pytest'] = None",
            "from ragproof_core.testing import ScriptedServer",
            "print('ok')",
        )
        == "ok"
    )


def test_a_missing_pytest_is_named():
    said = run("import sys; sys.modules['pytest'] = None", "from ragproof_core.testing import AdapterConformance")
    assert said.endswith("pytest is not installed; pip install 'ragproof-core[testing]'")


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (
            {"type": "object", "properties": {"a": {"type": "boolean"}, "b": {"type": "string"}}},
            {"a": True, "b": "example"},
        ),
        ({"type": "array", "items": {"$ref": "#/$defs/X"}, "$defs": {"X": {"enum": ["p", "q"]}}}, ["p"]),
        ({"type": "array", "items": {"const": 3}, "minItems": 2}, [3, 3]),
        ({"anyOf": [{"type": "null"}, {"type": "integer", "minimum": 5}]}, 5),
        ({"type": "string", "minLength": 9}, "exampleee"),
        ({"type": "string", "maxLength": 2}, "ex"),
        ({"type": "number", "maximum": 0}, 0),
        ({"type": "null"}, None),
    ],
)
def test_an_example_reply_fits_its_schema(schema, expected):
    assert example_reply(schema) == expected
