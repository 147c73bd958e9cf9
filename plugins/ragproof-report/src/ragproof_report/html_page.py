"""The report as one HTML file that needs nothing else: no network, no other file, scripts optional."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup

from ragproof_core.models.run import RunRecord, Summary
from ragproof_core.reporting.headline import configuration, golden_set, judge_name
from ragproof_core.reporting.metric_names import FAMILIES, family, short_name
from ragproof_core.reporting.numbers import amount, counted, number
from ragproof_report.case_lines import cut
from ragproof_report.gathering import RunReport
from ragproof_report.page_text import page_text

MOST_DOCUMENTS = 50


def html_page(report: RunReport) -> str:
    """Return the page. Whatever text the run holds is data in it: escaped, isolated, and never part of a script."""
    style, script = _asset("report.css"), _asset("report.js")
    run = report.run
    return (
        _environment()
        .get_template("report.html")
        .render(
            report=report,
            run=run,
            style=Markup(style),  # noqa: S704 - the package's own file
            script=Markup(script),  # noqa: S704
            style_hash=_csp_hash(style),
            script_hash=_csp_hash(script),
            configuration=configuration(run),
            golden_set=golden_set(run),
            judge=None if run.judge is None else judge_name(run.judge),
            families=_families(report.summaries),
            idle=[summary for summary in report.summaries if not summary.scored and not summary.errors],
            total=run.cases.get("total", run.dataset.cases),
            failed=run.cases.get("error", 0) + run.cases.get("timeout", 0),
            operational=[s for s in report.summaries if family(s.metric) == "operational" and s.scored],
            summary_of={summary.metric: summary for summary in report.summaries},
            units={summary.metric: summary.unit for summary in report.summaries},
            tags=sorted({tag for line in report.lines for tag in line.tags}),
            kinds=sorted({line.kind for line in report.lines}),
            documents=report.documents.rows[:MOST_DOCUMENTS],
            documents_left_out=max(len(report.documents.rows) - MOST_DOCUMENTS, 0),
            worst_indexes=frozenset(case.index for case in report.worst),
            named=[
                (summary, [(name, value) for name, value in summary.values.items() if value is not None])
                for summary in report.summaries
                if any(value is not None for value in summary.values.values())
            ],
            started=run.started_at[:16].replace("T", " "),
        )
    )


def _families(summaries: Sequence[Summary]) -> list[tuple[str, list[Summary]]]:
    """Summaries with a score or an error, by family in reading order."""
    found: dict[str, list[Summary]] = {}
    for summary in summaries:
        if summary.scored or summary.errors:
            found.setdefault(family(summary.metric), []).append(summary)
    order = [name for name in FAMILIES if name in found] + [name for name in found if name not in FAMILIES]
    return [(name, found[name]) for name in order]


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("ragproof_report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_fit,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        amount=amount,
        number=number,
        counted=counted,
        cut=cut,
        short=lambda metric, run: short_name(metric, _k(run)),
        percent=lambda value: "-" if value is None else f"{value:.0%}",
    )
    environment.tests["share"] = lambda summary: summary.unit in ("", "share")
    return environment


def _k(run: RunRecord) -> int:
    return run.settings.k


def _fit(value: Any) -> Any:
    if isinstance(value, str) and not isinstance(value, Markup):
        return page_text(value)
    return value


@cache
def _asset(name: str) -> str:
    return (files("ragproof_report") / "assets" / name).read_text(encoding="utf-8").replace("\r\n", "\n")


def _csp_hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
