"""Compares runs of the handbook example: prints the transcripts that the page on gates shows.

usage: python docs/examples/compare_runs.py [--only NAME]
Needs ragproof-gate, ragproof-store-sqlite, ragproof-adapter-python, the retrieval and generation metrics, and the
example's own requirements. Works in a copy of the example; nothing beside this file changes.

Three runs measure at the same k = 6 and differ in the pipeline: it hands on its best 3 chunks (label top3), its best 6
(top6), or its best 6 in reverse order, as a broken re-ranker would (worse). A fourth measures at k = 3 and is refused.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HANDBOOK = Path(__file__).parent / "handbook"
# What is compared: the example's pipeline behind a cut-off, and a re-ranker that can be broken.
PIPELINE = """\
import pipeline


class Variant:
    def __init__(self, top, reverse):
        self._pipeline, self._top, self._reverse = pipeline.build(answer_k=top), top, reverse

    def retrieve(self, question, k, history):
        found = self._pipeline.retrieve(question, min(k, self._top), history)
        return found[::-1] if self._reverse else found

    def answer(self, question, history):
        return self._pipeline.answer(question, history)


def build(top, reverse=False):
    return Variant(top, reverse)
"""
CONFIG = """\
project: handbook
dataset: cases.jsonl
adapter:
  type: python
  target: "variant:build"
  options: {options}
metrics: [retrieval.hit_rate_at_k, retrieval.mrr, retrieval.ndcg_at_k, retrieval.precision_at_k,
          retrieval.recall_at_k, generation.keyword_hit]
describe: {options}
run: {{k: {k}}}
gate:
  baseline: top6
  thresholds:
    retrieval.mrr: {{min: 0.7, max_drop: 0.03}}
    retrieval.recall_at_k: {{max_drop: 0.03, tags: {{numeric: {{min: 0.85}}}}}}
    generation.keyword_hit: {{max_drop: 0.05, min_scored: 50}}
"""
RUNS = {
    "top3": ("{top: 3}", 6),
    "top6": ("{top: 6}", 6),
    "worse": ("{top: 6, reverse: true}", 6),
    "at3": ("{top: 6}", 3),
}
MOST_LINES = 34
TRANSCRIPTS = {
    "top": ["compare", "top3", "top6", "-c", "top6.yaml", "--cases"],
    "ranker": ["compare", "top6", "worse", "-c", "top6.yaml"],
    "refused": ["compare", "at3", "top6", "-c", "top6.yaml"],
    "failed": ["gate", "--run", "worse", "-c", "top6.yaml"],
    "passed": ["gate", "--run", "top6", "--baseline", "top3", "-c", "top6.yaml"],
}


def ragproof(folder: Path, *arguments: str) -> tuple[int, str]:
    """Run one command in the folder; its exit code and all that it printed."""
    command = [sys.executable, "-m", "ragproof_core", *arguments]
    environment = {**os.environ, "COLUMNS": "110", "PYTHONUTF8": "1"}
    done = subprocess.run(  # noqa: S603 - our own command line
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        encoding="utf-8", check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


def make_runs(folder: Path) -> None:
    """Evaluate every variant of the pipeline, each with a config of its own and all in one store."""
    (folder / "variant.py").write_text(PIPELINE, encoding="utf-8")
    for label, (options, k) in RUNS.items():
        config = CONFIG.format(options=options, k=k)
        (folder / f"{label}.yaml").write_text(config, encoding="utf-8")
        code, printed = ragproof(folder, "run", "-c", f"{label}.yaml", "--label", label)
        if code != 0:
            sys.exit(printed)


def main() -> None:
    """Print the transcripts, each with its command line and exit code."""
    parser = argparse.ArgumentParser(description="Compare runs of the handbook example.")
    parser.add_argument("--only", choices=TRANSCRIPTS, help="print this transcript alone")
    only = parser.parse_args().only
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "handbook"
        shutil.copytree(HANDBOOK, folder, ignore=shutil.ignore_patterns(".ragproof", "__pycache__"))
        make_runs(folder)
        for name, arguments in TRANSCRIPTS.items():
            if only in (None, name):
                code, printed = ragproof(folder, *arguments)
                lines = printed.rstrip().splitlines()
                shown = lines if len(lines) <= MOST_LINES else [*lines[:MOST_LINES], "…"]
                print("\n".join([f"$ ragproof {' '.join(arguments)}", *shown, f"(exit code {code})\n"]))


if __name__ == "__main__":
    main()
