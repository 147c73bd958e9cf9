"""Each suite passes a correct toy plugin, and a standard test fails for each fault: the mutants in ``mutants/``."""

import importlib.util
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

MUTANTS = Path(__file__).with_name("mutants")


def suites(name):
    """The conformance classes of a mutants file."""
    if str(MUTANTS) not in sys.path:
        sys.path.append(str(MUTANTS))  # the toys
    spec = importlib.util.spec_from_file_location(f"mutants_{name}", MUTANTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {key: value for key, value in vars(module).items() if key.startswith("Test")}


def failing(name, folder, *options):
    """Run a mutants file; map each class to its failing standard tests and to their messages."""
    report, settings = folder / f"{name}.xml", folder / "pytest.ini"
    settings.write_text("[pytest]\n")
    done = subprocess.run(
        [
            sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", "-c", str(settings),
            f"--junitxml={report}", *options, str(MUTANTS / f"{name}.py"),
        ],
        capture_output=True, text=True, cwd=folder, check=False,
        env={**os.environ, "PYTHONPATH": str(MUTANTS)},
    )  # fmt: skip
    assert done.returncode == 1, done.stdout[-3000:] + done.stderr
    tests = defaultdict(set)
    messages = defaultdict(list)
    for case in ET.parse(report).iter("testcase"):
        suite = case.get("classname").rpartition(".")[2]
        problems = [*case.iter("failure"), *case.iter("error")]
        tests[suite] |= {case.get("name").partition("[")[0] for _ in problems}
        messages[suite] += [problem.text or "" for problem in problems]
    return tests, messages


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    done = {}

    def result(name):
        if name not in done:
            done[name] = failing(name, tmp_path_factory.mktemp(name))
        return done[name]

    return result


TABLE = [
    (name, suite, cls)
    for name in ("contract", "adapters", "metrics", "judges", "stores")
    for suite, cls in suites(name).items()
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "suite", "cls"), TABLE, ids=[f"{name}-{suite}" for name, suite, _ in TABLE])
def test_a_fault_fails_the_tests_that_are_there_for_it_and_no_other(results, name, suite, cls):
    tests, messages = results(name)
    if "*" in cls.fails:
        assert len(tests[suite]) > 5
    else:
        assert tests[suite] == cls.fails, "\n".join(messages[suite])[:2000]


QUICK = {
    "contract": ("TestOverrides", "TestRemoves", "TestOverridesWithoutReason", "TestOverridesWithReason"),
    "adapters": ("TestCorrect", "TestNoFixture", "TestNoneIds", "TestClosesOnce"),
    "metrics": ("TestCorrect", "TestNoFixture", "TestOutOfRange", "TestJudged", "TestSwallowsJudgeErrors"),
    "judges": ("TestCorrect", "TestShowsTheKey"),
    "stores": ("TestInMemory", "TestNoOrder"),
}  # fmt: skip


@pytest.mark.parametrize("name", QUICK)
def test_the_faults_that_tell_most(name, tmp_path):
    tests, messages = failing(name, tmp_path, "-k", " or ".join(QUICK[name]))
    for suite in QUICK[name]:
        expected = suites(name)[suite].fails
        assert tests[suite] == expected or ("*" in expected and len(tests[suite]) > 5), "\n".join(messages[suite])[
            :2000
        ]
    if "TestNoFixture" in QUICK[name]:
        said = f"TestNoFixture needs a fixture '{name.removesuffix('s')}'"
        assert any(said in text for text in messages["TestNoFixture"])
