"""The lines of the one-screen report: what was run, a line a family of metrics, where it is weakest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from ragproof_core.models.run import Calibration, RunRecord, Summary
from ragproof_core.reporting.judge_check import judge_checks
from ragproof_core.reporting.metric_names import family, reading_order, short_name
from ragproof_core.reporting.numbers import amount, count, counted, dollars, duration, number
from ragproof_core.reporting.printable import printable

_KIND_NAMES = {"qa": "answerable", "unanswerable": "unanswerable", "injection": "injection"}
_QUALITY = frozenset({"Retrieval", "Context", "Generation", "Echo", "Funnel"})
_WORST_TAGS = 3
_GAP = "   "
_NEVER_CALIBRATED = "none of this judge; make one with 'ragproof calibrate'"

Found = dict[str, Summary]


def headline(run: RunRecord, calibrations: Iterable[Calibration] | None = None) -> Iterator[str]:
    """Yield the lines above the table.

    ``calibrations`` come newest first; those of other judges are ignored. ``None`` means that nobody looked, an empty
    list that there are none.
    """
    yield _line("Config", configuration(run))
    judge = "" if run.judge is None else f"{_GAP}Judge: {judge_name(run.judge)}"
    yield _line("Golden", golden_set(run) + judge)
    found = {summary.metric: summary for summary in run.summaries if summary.scored}
    families = list(_families(found, run.settings.k))
    refusal_and_cost = [("Refusal", _refusal(found)), ("Cost/latency", _cost_and_latency(found))]
    after = next((place for place, (name, _) in enumerate(families) if name not in _QUALITY), len(families))
    for name, text in [*families[:after], *refusal_and_cost, *families[after:]]:
        if text:
            yield _line(name, text)
    named = list(_named(run))
    if named:
        yield _line("Named", _GAP.join(named))
    yield _line("Time", _time(run))
    worst = worst_tags(run.summaries, run.settings.k)
    if worst:
        yield _line("Worst tags", _GAP.join(worst[:_WORST_TAGS]))
    if run.judge is not None and calibrations is not None:
        yield _line("Judge check", _judge_check(run, calibrations))
    for note in run.notes:
        yield _line("Note", note)


def _line(name: str, text: str) -> str:
    return f"{name:<14} {printable(text)}"


def configuration(run: RunRecord) -> str:
    """Return what the config says of the pipeline, k, and what the labels name."""
    described = [f"{key}={value}" for key, value in run.describe.items()]
    return "  ".join([*described, f"k={run.settings.k}", f"labels: {run.settings.source_match}"])


def golden_set(run: RunRecord) -> str:
    """Return the dataset's name and how many questions of each kind it has, and how many failed."""
    kinds = run.dataset.kinds
    ordered = [*(kind for kind in _KIND_NAMES if kind in kinds), *(kind for kind in kinds if kind not in _KIND_NAMES)]
    parts = ", ".join(f"{kinds[kind]} {_KIND_NAMES.get(kind, kind)}" for kind in ordered)
    failed = run.cases.get("error", 0) + run.cases.get("timeout", 0)
    tail = f"; {failed} failed" if failed else ""
    return f"{run.dataset.name}: {counted(run.dataset.cases, 'question')}{f' ({parts})' if parts else ''}{tail}"


def judge_name(judge: Mapping[str, object]) -> str:
    """Return type and model, and the version of the templates: a digest that changes when any of them does."""
    name = "/".join(str(judge[key]) for key in ("type", "model") if judge.get(key))
    prompts = judge.get("prompts")
    if not isinstance(prompts, Mapping) or not prompts:
        return name
    if len(prompts) == 1:
        [(prompt, digest)] = prompts.items()
        return f"{name}, {prompt} @{str(digest)[:8]}"
    together = "\n".join(f"{prompt} {digest}" for prompt, digest in sorted(prompts.items()))
    return f"{name}, {len(prompts)} templates @{hashlib.sha256(together.encode()).hexdigest()[:8]}"


def _families(found: Found, k: int) -> Iterator[tuple[str, str]]:
    """A line a family; what has a line of its own (refusals, cost, latency) is left out."""
    shown = sorted((metric for metric in found if metric not in _ELSEWHERE), key=reading_order)
    for name, metrics in groupby(shown, key=family):
        parts = [_part(found[metric], k) for metric in metrics]
        yield name.capitalize(), (" → " if name == "funnel" else _GAP).join(parts)


def _part(summary: Summary, k: int) -> str:
    return f"{short_name(summary.metric, k)} {amount(summary.mean, summary.unit)}"


_REFUSAL = {
    "robustness.refusal_precision": "precision",
    "robustness.abstention": "recall",
    "robustness.overrefusal": "overrefusal",
}
_INPUT, _OUTPUT = "operational.input_tokens", "operational.output_tokens"
_COST, _LATENCY = "operational.cost_usd", "operational.latency_ms"
_ELSEWHERE = frozenset({*_REFUSAL, _INPUT, _OUTPUT, _COST, _LATENCY})


def _refusal(found: Found) -> str:
    return _GAP.join(f"{name} {number(found[metric].mean)}" for metric, name in _REFUSAL.items() if metric in found)


def _cost_and_latency(found: Found) -> str:
    means = {metric: found[metric].mean for metric in (_INPUT, _OUTPUT, _COST) if metric in found}
    tokens = [
        f"{count(mean)} {name}"
        for metric, name in ((_INPUT, "in"), (_OUTPUT, "out"))
        if (mean := means.get(metric)) is not None
    ]
    parts = [f"{' / '.join(tokens)} tokens"] if tokens else []
    if (cost := means.get(_COST)) is not None:
        parts.append(f"{dollars(cost)}/q")
    latency = found.get(_LATENCY)
    if latency is not None and latency.p50 is not None and latency.p95 is not None:
        parts += [f"p50 {duration(latency.p50)}", f"p95 {duration(latency.p95)}"]
    return _GAP.join(parts)


def _named(run: RunRecord) -> Iterator[str]:
    """The run-level values that metrics name themselves, a group a metric."""
    for summary in run.summaries:
        values = [f"{name} {number(value)}" for name, value in summary.values.items() if value is not None]
        if values:
            yield f"{short_name(summary.metric, run.settings.k)}: {', '.join(values)}"


def _time(run: RunRecord) -> str:
    parts = [f"{run.duration_s:.1f} s"]
    if run.judge is not None:
        calls, cached = run.judge.get("calls", 0), run.judge.get("cache_hits", 0)
        parts.append(f"judge {counted(calls, 'call')}, {cached} from the cache, {_cost(run)}")
    return _GAP.join(parts)


# 0 for every answerable case and 1 for every unanswerable one: a tag's mean tells which kinds of cases it holds.
_TOLD_BY_KIND = frozenset({"robustness.refusal_precision"})


def worst_tags(summaries: Iterable[Summary], k: int) -> list[str]:
    """Return the tags farthest on the wrong side of a mean, the worst first, each with its worst metric.

    Only metrics between 0 and 1 are looked at, and tags of at least two scored cases.
    """
    gaps: dict[str, tuple[float, str]] = {}
    for summary in summaries:
        if summary.mean is None or summary.direction == "none" or summary.unit not in ("", "share"):
            continue
        if summary.metric in _TOLD_BY_KIND:
            continue
        sign = 1 if summary.direction == "higher" else -1
        for tag, part in summary.tags.items():
            if part.mean is None or part.scored < 2:  # noqa: PLR2004
                continue
            text = f"{tag}: {short_name(summary.metric, k)} {number(part.mean)}"
            gaps[tag] = min(gaps.get(tag, (0.0, "")), (sign * (part.mean - summary.mean), text))
    return [text for gap, text in sorted(gaps.values()) if gap < 0]


def _judge_check(run: RunRecord, calibrations: Iterable[Calibration]) -> str:
    checks = judge_checks(run, calibrations)
    parts = []
    for check in checks:
        name = f"{check.prompt} " if len(checks) > 1 else ""
        other = "" if check.same_template else " (another template)"
        parts.append(f"{name}agreement {number(check.exact)} (n={check.n}) κ {number(check.kappa)}{other}")
    return _GAP.join(parts) or _NEVER_CALIBRATED


def _cost(run: RunRecord) -> str:
    """What the judge cost; unknown without prices, which is not the same as nothing."""
    if run.judge is not None and run.judge.get("calls") and not run.judge.get("priced"):
        return "cost unknown (no prices given)"
    return f"${run.cost_usd:.4f}"
