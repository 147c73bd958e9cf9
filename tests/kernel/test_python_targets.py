"""Importing the object that a config names."""

from __future__ import annotations

import sys

import pytest

from ragproof_core.errors import ConfigError
from ragproof_core.targets import load_target


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "target_fine.py").write_text("print('loud')\nclass A:\n    class B:\n        c = 5\n")
    (tmp_path / "target_missing.py").write_text("import target\n")
    (tmp_path / "target_raises.py").write_text("raise ValueError('no model')\n")
    (tmp_path / "target_exits.py").write_text("raise SystemExit(0)\n")
    package = tmp_path / "target_package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "inside.py").write_text("value = 7\n")
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("target_"):
            del sys.modules[name]


@pytest.mark.parametrize(
    ("target", "value"), [("target_fine:A.B.c", 5), ("target_package.inside:value", 7), ("sys:path", None)]
)
def test_a_target_is_imported(folder, capsys, target, value):
    assert load_target(target, folder) == (sys.path if value is None else value)
    assert sys.path[0] == str(folder)
    assert capsys.readouterr().out == ""


SHAPE = "expected 'package.module:attribute', such as 'my_pipeline:build'"


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("target_fine", f"target 'target_fine': {SHAPE}"),
        (":x", f"target ':x': {SHAPE}"),
        ("target_fine:", f"target 'target_fine:': {SHAPE}"),
        ("target_none:x", "target 'target_none:x': there is no module 'target_none' in FOLDER"),
        ("target_package.none:x", "target 'target_package.none:x': there is no module 'target_package.none' in FOLDER"),
        ("target_fine:b", "target 'target_fine:b': target_fine has no attribute 'b'"),
        ("target_fine:A.x", "target 'target_fine:A.x': target_fine has no attribute 'A.x'"),
        (
            "target_missing:x",
            "target 'target_missing:x': importing target_missing failed: ModuleNotFoundError: No module named 'target'",
        ),
        ("target_raises:x", "target 'target_raises:x': importing target_raises failed: ValueError: no model"),
        ("target_exits:x", "target 'target_exits:x': importing target_exits failed: SystemExit: 0"),
    ],
)
def test_a_target_that_cannot_be_had(folder, target, message):
    with pytest.raises(ConfigError) as caught:
        load_target(target, folder)
    assert str(caught.value) == message.replace("FOLDER", str(folder))
