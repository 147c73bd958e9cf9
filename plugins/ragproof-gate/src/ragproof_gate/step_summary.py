"""A gate's result as Markdown, for the summary page of a GitHub Actions job."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ragproof_core.reporting.markdown_text import markdown_text
from ragproof_gate.gate_checks import GateResult, Status
from ragproof_gate.gate_text import decision, describe_run

VARIABLE = "GITHUB_STEP_SUMMARY"
_WIDTH = 400

_MARKS: Mapping[Status, str] = {
    "pass": "✅ pass",
    "fail": "❌ fail",
    "error": "❌ error",
    "warn": "⚠️ warn",
    "inconclusive": "❔ inconclusive",
    "skip": "⏭️ skip",
}


def step_summary(result: GateResult) -> str:
    """Return the Markdown: the decision, what was gated, and a table of the checks."""
    lines = [f"### RAGProof {decision(result)}", "", f"run {markdown_text(describe_run(result.run))}"]
    if result.baseline is not None:
        lines.append(f"<br>baseline {markdown_text(describe_run(result.baseline))}")
    lines += ["", "| status | check | finding |", "|---|---|---|"]
    lines += [
        f"| {_MARKS[c.status]} | {markdown_text(c.title)} | {markdown_text(c.detail)} |" for c in result.by_severity()
    ]
    lines += [f"\n{markdown_text(remark)}" for remark in result.remarks]
    return "\n".join(lines) + "\n\n"


def append_step_summary(result: GateResult) -> None:
    """Append the Markdown to the file that ``GITHUB_STEP_SUMMARY`` names, if it is set. Raises :class:`OSError`."""
    path = os.environ.get(VARIABLE)
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(step_summary(result))
