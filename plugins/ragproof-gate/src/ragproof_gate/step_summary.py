"""A gate's result as Markdown, for the summary page of a GitHub Actions job."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Mapping
from pathlib import Path

from ragproof_core.reporting.printable import one_line
from ragproof_gate.gate_checks import GateResult, Status
from ragproof_gate.gate_text import decision, describe_run

VARIABLE = "GITHUB_STEP_SUMMARY"

_MARKUP = re.compile(r"([\\`*_{}\[\]()#+\-.!|~@:$^=])")
_MARKS: Mapping[Status, str] = {
    "pass": "✅ pass",
    "fail": "❌ fail",
    "error": "❌ error",
    "warn": "⚠️ warn",
    "inconclusive": "❔ inconclusive",
    "skip": "⏭️ skip",
}


def markdown(text: str, width: int = 400) -> str:
    """The text as one line of data: no character of it is markup, HTML, a mention or the end of a table cell."""
    return html.escape(_MARKUP.sub(r"\\\1", one_line(text, width)), quote=False)


def step_summary(result: GateResult) -> str:
    """Return the Markdown: the decision, what was gated, and a table of the checks."""
    lines = [f"### RAGProof {decision(result)}", "", f"run {markdown(describe_run(result.run))}"]
    if result.baseline is not None:
        lines.append(f"<br>baseline {markdown(describe_run(result.baseline))}")
    lines += ["", "| status | check | finding |", "|---|---|---|"]
    lines += [f"| {_MARKS[c.status]} | {markdown(c.title)} | {markdown(c.detail)} |" for c in result.by_severity()]
    lines += [f"\n{markdown(remark)}" for remark in result.remarks]
    return "\n".join(lines) + "\n\n"


def append_step_summary(result: GateResult) -> None:
    """Append the Markdown to the file that ``GITHUB_STEP_SUMMARY`` names, if it is set. Raises :class:`OSError`."""
    path = os.environ.get(VARIABLE)
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(step_summary(result))
