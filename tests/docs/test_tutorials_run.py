"""The tutorials, block by block: files are written, commands are run, and what the page says they print is printed."""

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


class Shell:
    """Runs a page's blocks in a folder, with ``ragproof`` and ``pytest`` of this environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.printed = ""
        self.places: dict[str, Path] = {}
        programs = folder.parent / "programs"
        programs.mkdir()
        for name, module in {"ragproof": "ragproof_core", "pytest": "pytest"}.items():
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n')
            program.chmod(0o755)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("RAGPROOF_", "PYTEST_"))}
        kept.pop("PYTHONDONTWRITEBYTECODE", None)
        home = folder.parent / "home"
        home.mkdir()
        path = f"{programs}{os.pathsep}{kept['PATH']}"
        self.environment = {**kept, "PATH": path, "HOME": str(home), "PYTHONPATH": ""}

    def play(self, blocks) -> None:
        for block in blocks:
            if block.kind == "file":
                path = self.folder / block.name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text, encoding="utf-8")
            elif block.kind == "run":
                self.run(block)
            elif block.kind == "output":
                self.expect(block.text)

    def run(self, block) -> None:
        if block.name == "install":
            self.install()
            return
        here = self.places.get(block.name, self.folder)
        done = subprocess.run(
            ["bash", "-euc", f'{block.text}\npwd > "$PLACE"'],
            cwd=here,
            env={**self.environment, "PLACE": str(self.folder.parent / "place")},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, f"{block.text}\n{done.stdout}\n{done.stderr}"
        self.places[block.name] = Path((self.folder.parent / "place").read_text().strip())
        self.printed = done.stdout

    def install(self) -> None:
        """Install the folder's package into a folder of its own, so that this environment stays as it is."""
        target = self.folder.parent / "installed"
        isolation = ["--no-build-isolation"] if find_spec("hatchling") else []
        uv = shutil.which("uv")
        pip = [uv, "pip", "install", "--python", sys.executable] if uv else [sys.executable, "-m", "pip", "install"]
        done = subprocess.run(
            [*pip, "--no-deps", *isolation, "--target", str(target), "."],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        self.environment["PYTHONPATH"] = str(target)

    def expect(self, text: str) -> None:
        """Every line of the page is in what was printed last; runs of spaces are as good as one."""
        printed = [" ".join(line.split()) for line in self.printed.splitlines()]
        for line in text.splitlines():
            wanted = " ".join(line.split())
            assert any(wanted in found for found in printed), f"{wanted!r} is not in:\n{self.printed}"


@pytest.fixture
def shell(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    return Shell(folder)


def test_an_adapter_in_ten_minutes(page, shell):
    pytest.importorskip("ragproof_metrics_retrieval", reason="the page evaluates with them")
    shell.play(page("authors/adapter-in-ten-minutes.md").blocks)
    listed = [line.split()[:3] for line in shell.printed.splitlines()]
    assert ["adapter", "notes", "ragproof-adapter-notes"] in listed


def test_the_tutorial(page, shell):
    for needed in ("bm25s", "numpy", "ragproof_gate", "ragproof_store_sqlite"):
        if find_spec(needed) is None:
            pytest.skip(f"the tutorial needs {needed}, which is not installed")
    handbook = shell.folder / "docs" / "examples" / "handbook"
    shutil.copytree(
        ROOT / "docs/examples/handbook", handbook, ignore=shutil.ignore_patterns(".ragproof", "__pycache__")
    )
    shell.play(page("tutorial.md").blocks)
    assert (shell.folder / "my-rag" / "ragproof.yaml").exists()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("    @hookimpl\n    def retrieve(self, question: str, k: int)", "    def retrieve(self, question: str, k: int)"),
         "retrieve is not marked as a hook"),
        (("question: str, k: int)", "question: str, top_k: int)"),
         "retrieve has a parameter 'top_k' that the kernel does not know"),
        (("question: str, k: int)", "question: str, k: int = 5)"),
         "retrieve has a default for 'k', so it is never filled"),
    ],
)  # fmt: skip
def test_what_is_told_when_something_is_wrong(page, change, told):
    from ragproof_core import RAGProofError
    from ragproof_core.plugins.contract import check_class

    text = page("authors/adapter-in-ten-minutes.md").text
    assert f"| `{told}` |" in text
    (source,) = [
        block.text for block in page("authors/adapter-in-ten-minutes.md").blocks if block.name.endswith("__init__.py")
    ]
    assert source.count(change[0]) == 1
    names = {"__name__": "documentation"}
    exec(compile(source.replace(*change), "page", "exec"), names)
    with pytest.raises(RAGProofError, match=re.escape(told)):
        check_class("adapter", names["Notes"], "adapter 'notes'")
