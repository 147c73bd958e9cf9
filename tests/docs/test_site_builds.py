"""The site builds without a warning, loads nothing from elsewhere, and its generated parts are current."""

import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    if find_spec("mkdocs") is None:
        pytest.skip("mkdocs is not installed (dependency group 'docs')")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    return folder


def test_every_page_is_built(site):
    pages = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md") if "corpus" not in path.parts]
    built = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    for page in pages:
        name = page.with_name("index.md") if page.name == "README.md" else page
        assert name.with_suffix(".html").as_posix() in built


def test_pages_load_nothing_from_elsewhere(site):
    for path in site.rglob("*.html"):
        loaded = re.findall(
            r"<(?:script|link|img|iframe)[^>]*?(?:src|href)=\"([^\"]+)\"", path.read_text(encoding="utf-8")
        )
        assert loaded
        assert not [address for address in loaded if re.match(r"(?:https?:)?//", address)], path.name


def generate(*arguments):
    return subprocess.run(
        [sys.executable, str(ROOT / "docs" / "generate"), *arguments], capture_output=True, text=True, check=False
    )


def test_generated_parts_are_current():
    done = generate("--check")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_stale_page_is_told_and_written_anew(tmp_path):
    docs = tmp_path / "docs"
    shutil.copytree(ROOT / "docs", docs, ignore=shutil.ignore_patterns("examples", "images"))
    page = docs / "metrics.md"
    current = page.read_text(encoding="utf-8")
    page.write_text(current.replace("`retrieval.mrr`", "`retrieval.rrm`"), encoding="utf-8")
    told = generate("--check", "--docs", str(docs))
    assert (told.returncode, told.stdout) == (1, "metrics.md: stale; run 'python docs/generate'\n")
    assert generate("--docs", str(docs)).stdout == "metrics.md: written\n"
    assert page.read_text(encoding="utf-8") == current
