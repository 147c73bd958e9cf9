"""The public API is pinned, and what type checkers see is what one gets."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import ragproof_core

NAMES = [
    "API_VERSION", "AdapterError", "Answer", "CacheEntry", "Calibration", "Case", "CaseResult", "Chunk", "Citation",
    "ConfigError", "ExecutionError", "Judge", "JudgeError", "JudgeReply", "JudgeRequest", "Outcome", "Prompt",
    "RAGProofError", "Reply", "Report", "Response", "RunRecord", "RunSettings", "ScoreRow", "StoreError", "Summary",
    "TokenUsage", "Turn", "Usage", "error", "evaluate", "hookimpl", "judge_error", "not_applicable", "scored", "skipped",
]  # fmt: skip


def test_the_names_are_these():
    assert ragproof_core.__all__ == NAMES
    assert set(NAMES) <= set(dir(ragproof_core))


def test_type_checkers_see_the_same_names_in_the_same_modules():
    tree = ast.parse(Path(ragproof_core.__file__).read_text(encoding="utf-8"))
    (guarded,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {
        alias.asname: (node.module, alias.name)
        for node in guarded.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    homes = {name: (module, name) for module, names in ragproof_core._HOMES.items() for name in names}
    assert seen == homes


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_the_one_of_its_home(name):
    assert getattr(ragproof_core, name) is getattr(import_module(ragproof_core._HOME_OF[name]), name)


def test_an_unknown_name():
    with pytest.raises(AttributeError, match=r"^module 'ragproof_core' has no attribute 'nothing'$"):
        _ = ragproof_core.nothing


def test_importing_the_package_imports_nothing_heavy():
    code = "import sys, ragproof_core; print(sorted(m for m in sys.modules if m.startswith(('ragproof', 'pydantic'))))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['ragproof_core']"


def test_exit_codes_of_the_error_tree():
    from ragproof_core import errors

    codes = {
        name: found.exit_code
        for name, found in vars(errors).items()
        if isinstance(found, type) and issubclass(found, errors.RAGProofError)
    }
    assert codes == {
        "RAGProofError": 2, "ConfigError": 3, "DatasetError": 3, "PluginError": 3, "PluginNotFoundError": 3,
        "PluginBrokenError": 3, "PluginRefusedError": 3, "ExecutionError": 2, "AdapterError": 2, "JudgeError": 2,
        "BudgetExceededError": 2, "StoreError": 2, "RunNotFoundError": 3,
    }  # fmt: skip
