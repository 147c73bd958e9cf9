"""A baked project is built, installed beside the checkout's packages in a fresh environment, tested and run."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("cookiecutter", reason="the template is baked with cookiecutter, which is not installed")

from cookiecutter.main import cookiecutter

ROOT = Path(__file__).parents[2]
PACKAGES = (".", "plugins/ragproof-metrics-retrieval")
SCRIPTS = "Scripts" if os.name == "nt" else "bin"
UV = shutil.which("uv")

pytestmark = pytest.mark.slow


def call(*command, cwd, status=0):
    """Run a command outside any environment of ours; return what it printed."""
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL", "RAGPROOF"))
    }
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == status, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """The folder of a project that was baked and installed, and the environment's folder of programs."""
    home = tmp_path_factory.mktemp("template")
    config = home / "cookiecutter.yaml"
    config.write_text(f"cookiecutters_dir: '{home / 'kept'}'\nreplay_dir: '{home / 'replay'}'\n")
    answers = {"name": "Größe & Suche v2", "author_name": "Zoë O'Neil", "license": "BSD-3-Clause"}
    template = str(ROOT / "cookiecutter-adapter")
    folder = Path(cookiecutter(template, no_input=True, extra_context=answers, output_dir=home, config_file=config))
    environment = home / "venv"
    python = environment / SCRIPTS / "python"
    local = [ROOT / package for package in PACKAGES]
    if UV:
        call(UV, "venv", "--python", sys.executable, environment, cwd=home)
        call(UV, "build", "--wheel", "--out-dir", home / "dist", folder, cwd=home)
        install = (UV, "pip", "install", "--python", python)
    else:
        call(sys.executable, "-m", "venv", environment, cwd=home)
        call(python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", home / "dist", folder, cwd=home)
        install = (python, "-m", "pip", "install")
    (wheel,) = (home / "dist").glob("*.whl")
    call(*install, *local, f"{wheel}[test]", cwd=home)
    return folder, environment / SCRIPTS


def test_its_own_tests_pass(project):
    folder, programs = project
    said = call(programs / "python", "-m", "pytest", "-v", cwd=folder)
    assert "TestConformance::test_it_finds_chunks[retrieve] PASSED" in said
    assert "TestConformance::test_the_entry_point_is_found PASSED" in said


def test_it_is_among_the_plugins(project):
    folder, programs = project
    listed = json.loads(call(programs / "ragproof", "plugins", "--json", cwd=folder))["plugins"]
    (mine,) = (plugin for plugin in listed if plugin["role"] == "adapter")
    assert (mine["name"], mine["distribution"]) == ("grosse-suche-v2", "ragproof-adapter-grosse-suche-v2")
    call(programs / "ragproof", "plugins", "--check", cwd=folder)
    assert "min_shared_words" in call(programs / "ragproof", "plugins", "show", "grosse-suche-v2", cwd=folder)


def test_a_real_run(project):
    folder, programs = project
    result = json.loads(call(programs / "ragproof", "run", "--json", cwd=folder))
    assert result["status"] == "completed"
    assert result["cases"] == {"total": 3, "ok": 3, "error": 0, "timeout": 0}
    means = {metric["metric"]: metric["mean"] for metric in result["metrics"]}
    # both labelled questions find their passage first; precision is 1 of k = 2
    assert means["retrieval.recall_at_k"] == means["retrieval.mrr"] == 1.0
    assert means["retrieval.precision_at_k"] == 0.5
