"""Writes the report of the handbook example, and the picture of it that the page on reports shows.

usage: python docs/examples/report_handbook.py [--html FILE] [--screenshot FILE]
Needs ragproof-report, ragproof-store-sqlite, ragproof-adapter-python, the metric packages whose sections the report is
to have, and the example's own requirements; the picture needs Chromium, ChromeDriver and selenium. Works in a copy of
the example; nothing beside the files named changes.

Three runs are made, so that there is a trend: character n-grams alone, BM25 alone, and the two fused.
"""

from __future__ import annotations

import argparse
import base64
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HANDBOOK = Path(__file__).parent / "handbook"
RANKINGS = ("chargram", "bm25", "fused")
CONFIG = """\
project: handbook
dataset: cases.jsonl
adapter:
  type: python
  target: "pipeline:build"
  options: {{ranking: {ranking}}}
describe: {{retriever: {ranking}, chunk: heading/900}}
run: {{k: 5, retrieve_k: 10}}
"""
WIDTH, HEIGHT = 1100, 700


def ragproof(folder: Path, *arguments: str) -> None:
    """Run one command in the folder; its output is shown when it fails."""
    done = subprocess.run(  # noqa: S603 - our own command line
        [sys.executable, "-m", "ragproof_core", *arguments], cwd=folder, env={**os.environ, "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    if done.returncode:
        sys.exit(done.stdout)


def make_report(folder: Path, html: Path) -> None:
    """Make the runs and write the report of the last one."""
    for ranking in RANKINGS:
        (folder / f"{ranking}.yaml").write_text(CONFIG.format(ranking=ranking), encoding="utf-8")
        ragproof(folder, "run", "-c", f"{ranking}.yaml", "--label", ranking)
    ragproof(folder, "report", "fused", "-c", "fused.yaml", "--html", str(html))


def take_picture(page: Path, image: Path) -> None:
    """Let a headless Chromium draw the page from its readings on."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for flag in ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync"):  # fmt: skip
        options.add_argument(flag)
    options.binary_location = shutil.which("chromium") or ""
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.get(page.as_uri())
        top = driver.execute_script("return document.getElementById('readings').getBoundingClientRect().top")
        clip = {"x": 0, "y": top - 12, "width": WIDTH, "height": HEIGHT, "scale": 1}
        taken = driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
    finally:
        driver.quit()
    image.write_bytes(base64.b64decode(taken["data"]))


def main() -> None:
    """Write what was asked for; without an option, the report beside the caller."""
    parser = argparse.ArgumentParser(description="Write the report of the handbook example.")
    parser.add_argument("--html", type=Path, help="write the report to this file (default handbook-report.html)")
    parser.add_argument("--screenshot", type=Path, help="draw a part of the report as a PNG")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "handbook"
        shutil.copytree(HANDBOOK, folder, ignore=shutil.ignore_patterns(".ragproof", "__pycache__"))
        html = options.html or (folder / "report.html" if options.screenshot else Path("handbook-report.html"))
        html = html.absolute()
        make_report(folder, html)
        if options.screenshot:
            take_picture(html, options.screenshot.absolute())


if __name__ == "__main__":
    main()
