"""The packages that third parties would write pass the conformance suites with their own tests."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PACKAGES = Path(__file__).parents[1] / "distributions"


def installed(package, folder):
    """Return the import path with the package's sources and its metadata, written as an installer writes it."""
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    metadata = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata.mkdir()
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (metadata / "METADATA").write_text(head, encoding="utf-8")
    groups = (
        "\n".join([f"[{group}]", *(f"{name} = {target}" for name, target in names.items())])
        for group, names in project["entry-points"].items()
    )
    (metadata / "entry_points.txt").write_text("\n".join(groups), encoding="utf-8")
    return os.pathsep.join(map(str, [package / "src", folder]))


@pytest.mark.parametrize("name", ["third_party_metric", "third_party_judge"])
def test_its_own_tests_pass(name, tmp_path):
    package = PACKAGES / name
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n", encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "--import-mode=importlib",
            "-c", str(tmp_path / "pytest.ini"), str(package / "tests"),
        ],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": installed(package, tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    assert "entry_point" not in done.stdout  # the installed entry point was checked, not skipped
