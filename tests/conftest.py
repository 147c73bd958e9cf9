"""What the kernel's tests share: projects in a temporary folder, the command line in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

_DISTRIBUTIONS = Path(__file__).parent / "distributions"


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document that stdout holds; fails when there is anything else."""
        return json.loads(self.out)


def plain(environ: dict[str, str]) -> dict[str, str]:
    """Leave out what would change RAGProof's behaviour, or make every start compile all modules anew."""
    return {
        name: value
        for name, value in environ.items()
        if not name.startswith("RAGPROOF_") and name != "PYTHONDONTWRITEBYTECODE"
    }


@pytest.fixture
def environment(tmp_path) -> Callable[..., dict[str, str]]:
    """Make the environment of a subprocess: distributions on its path, a HOME of its own."""

    def make(*distributions: str, **variables: str) -> dict[str, str]:
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        path = os.pathsep.join(str(_DISTRIBUTIONS / name) for name in distributions)
        return {**plain(dict(os.environ)), "HOME": str(home), "PYTHONPATH": path, **variables}

    return make


@pytest.fixture
def ragproof(tmp_path, environment) -> Callable[..., Ended]:
    """Run ``ragproof`` in the project folder, in a process of its own; no traceback may ever show."""

    def run(*arguments: str, with_: Iterable[str] = (), timeout: float = 60, **variables: str) -> Ended:
        done = subprocess.run(
            [sys.executable, "-m", "ragproof_core", *arguments],
            cwd=tmp_path,
            env=environment(*with_, **variables),
            capture_output=True,
            timeout=timeout,
            check=False,
        )
        ended = Ended(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))
        assert "Traceback" not in ended.out + ended.err
        return ended

    return run


@pytest.fixture
def ragproof_here(tmp_path, distributions, monkeypatch, capfd) -> Callable[..., Ended]:
    """Run ``ragproof`` in this process: faster, where no process of its own is needed."""
    from ragproof_core.cli import run_line

    def run(*arguments: str, with_: Iterable[str] = ()) -> Ended:
        distributions(*with_)
        monkeypatch.chdir(tmp_path)
        capfd.readouterr()
        code = run_line(list(arguments))
        ended = Ended(code, *capfd.readouterr())
        assert "Traceback" not in ended.out + ended.err
        return ended

    return run


@pytest.fixture
def project(tmp_path) -> Callable[..., Path]:
    """Write a project: its config over useful defaults, its cases, and modules beside them."""

    def write(config: dict[str, Any] | None = None, cases: list[dict[str, Any]] | None = None, **modules: str) -> Path:
        whole = {"project": "test", "dataset": "cases.jsonl", "adapter": {"type": "ok"}, "metrics": ["ok.half"]}
        whole |= config or {}
        content = {key: value for key, value in whole.items() if value is not None}
        (tmp_path / "ragproof.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        lines = [json.dumps(case) for case in (cases if cases is not None else numbered(3))]
        (tmp_path / "cases.jsonl").write_text("\n".join([*lines, ""]), encoding="utf-8")
        for name, text in modules.items():
            (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        return tmp_path

    return write


def numbered(count: int) -> list[dict[str, Any]]:
    """Cases c1, c2 … whose question is their expected source."""
    return [
        {"id": f"c{n}", "question": f"q{n}", "expected_source_ids": [f"q{n}"], "expected_answer": f"q{n}"}
        for n in range(1, count + 1)
    ]


@pytest.fixture
def cases() -> Callable[[int], list[dict[str, Any]]]:
    """Make numbered cases."""
    return numbered


@pytest.fixture
def distributions(monkeypatch) -> Callable[..., None]:
    """Put distributions on this process's path."""
    for name in [name for name in os.environ if name.startswith("RAGPROOF_")]:
        monkeypatch.delenv(name)

    def put(*names: str) -> None:
        for name in names:
            monkeypatch.syspath_prepend(str(_DISTRIBUTIONS / name))

    return put
