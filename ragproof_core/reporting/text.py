"""The one-screen text of a run: what was run, a line a family of metrics, and a table of them all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from ragproof_core.models.run import Calibration, RunRecord, Summary
from ragproof_core.reporting.printable import one_line, printable

_KIND_NAMES = {"qa": "answerable", "unanswerable": "unanswerable", "injection": "injection"}
_WORST_TAGS = 3


def headline(run: RunRecord, calibrations: Iterable[Calibration] = ()) -> Iterator[str]:
    """Yield the lines of the one-screen report above the table."""
    describe = "  ".join(f"{key}={value}" for key, value in run.describe.items())
    config = f"{describe}  k={run.settings.k}  labels: {run.settings.source_match}".strip()
    yield _line("Config", config)
    yield _line("Golden", _golden(run))
    if run.judge is not None:
        yield _line("Judge", _judge(run.judge))
    for family, summaries in groupby(run.summaries, key=lambda summary: summary.metric.partition(".")[0]):
        text = "  ".join(_short(summary, run.settings.k) for summary in summaries if summary.scored)
        if text:
            yield _line(family.capitalize(), text)
    named = [f"{name} {_number(value)}" for s in run.summaries for name, value in s.values.items()]
    if named:
        yield _line("Named", "  ".join(named))
    cost = f"  judge ${run.cost_usd:.4f}" if run.judge is not None else ""
    yield _line("Time", f"{run.duration_s:.1f} s{cost}")
    worst = list(_worst_tags(run.summaries))
    if worst:
        yield _line("Worst tags", "  ".join(worst[:_WORST_TAGS]))
    for calibration in calibrations:
        yield _line("Judge check", _calibration(calibration))
    for note in run.notes:
        yield _line("Note", note)


def _line(name: str, text: str) -> str:
    return f"{name:<12} {printable(text)}"


def _golden(run: RunRecord) -> str:
    kinds = ", ".join(f"{count} {_KIND_NAMES.get(kind, kind)}" for kind, count in run.dataset.kinds.items())
    failed = run.cases.get("error", 0) + run.cases.get("timeout", 0)
    tail = f"; {failed} failed" if failed else ""
    return f"{run.dataset.name}: {run.dataset.cases} questions ({kinds}){tail}"


def _judge(judge: Mapping[str, object]) -> str:
    prompts = judge.get("prompts")
    digests = [f"{name}@{str(digest)[:8]}" for name, digest in prompts.items()] if isinstance(prompts, Mapping) else []
    calls = f"{judge.get('calls', 0)} calls, {judge.get('cache_hits', 0)} from the cache"
    return "  ".join([f"{judge.get('type')}/{judge.get('model')}", calls, *digests])


def _short(summary: Summary, k: int) -> str:
    name = summary.metric.partition(".")[2].replace("_at_k", f"@{k}")
    return f"{name} {_number(summary.mean)}"


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if abs(value) < 100 else f"{value:,.1f}"  # noqa: PLR2004


def _worst_tags(summaries: Iterable[Summary]) -> list[str]:
    """The tags farthest on the wrong side of a metric's mean, for metrics between 0 and 1."""
    found = []
    for summary in summaries:
        if summary.mean is None or summary.direction == "none" or summary.unit not in ("", "share"):
            continue
        sign = 1 if summary.direction == "higher" else -1
        for tag, part in summary.tags.items():
            if part.mean is not None and part.scored > 1:
                found.append((sign * (part.mean - summary.mean), f"{tag}: {summary.metric} {part.mean:.2f}"))
    return [text for gap, text in sorted(found) if gap < 0]


def calibrations_of(run: RunRecord, calibrations: Iterable[Calibration]) -> list[Calibration]:
    """Return the newest calibration of exactly the run's judge, if there is one."""
    wanted = None if run.judge is None else run.judge.get("identity")
    return [found for found in calibrations if wanted and found.judge.get("identity") == wanted][:1]


def _calibration(calibration: Calibration) -> str:
    parts = []
    for prompt in calibration.prompts:
        kappa = prompt.get("kappa")
        parts.append(f"{prompt.get('prompt')} {_number(prompt.get('exact'))} (n={prompt.get('n')}, κ {_number(kappa)})")
    return "  ".join(parts)


def rows(run: RunRecord) -> Iterator[tuple[str, ...]]:
    """Yield a row a metric: name, mean, interval, p50, p95, scored of total, skipped, errors."""
    total = run.cases.get("total", run.dataset.cases)
    for summary in run.summaries:
        interval = "" if summary.ci95 is None else f"{_number(summary.ci95[0])} to {_number(summary.ci95[1])}"
        yield (
            f"{summary.metric}{' ↓' if summary.direction == 'lower' else ''}",
            _number(summary.mean),
            interval,
            _number(summary.p50),
            _number(summary.p95),
            f"{summary.scored}/{total}",
            str(summary.skipped + summary.not_applicable),
            str(summary.errors),
        )


HEADERS = ("metric", "mean", "95 % interval", "p50", "p95", "scored", "skipped", "errors")


def plain_text(run: RunRecord) -> str:
    """Return the whole report as plain text, for notebooks and pipes."""
    table = [HEADERS, *rows(run)]
    widths = [max(len(row[column]) for row in table) for column in range(len(HEADERS))]
    lines = [
        f"{run.project} · run {run.run_id}{f' ({one_line(run.label)})' if run.label else ''} · {run.status}",
        *headline(run),
        "",
    ]
    for row in table:
        first, *rest = row
        cells = [f"{first:<{widths[0]}}", *(f"{c:>{w}}" for c, w in zip(rest, widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
