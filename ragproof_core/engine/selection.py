"""The metrics of a run: chosen by name or pattern, built, checked, and put in order."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from ragproof_core.config.schema import MetricChoice
from ragproof_core.engine.needs import EXPECTED_NEEDS, is_need
from ragproof_core.errors import ConfigError, PluginError, PluginNotFoundError, PluginRefusedError
from ragproof_core.models.case import CaseKind
from ragproof_core.models.judging import Prompt
from ragproof_core.plugins.catalog import Entry, find, select
from ragproof_core.plugins.component import Component, build
from ragproof_core.plugins.contract import hook_arguments

DIRECTIONS = ("higher", "lower", "none")
KINDS = get_args(CaseKind)
LARGEST = sys.float_info.max
SCORE_ARGUMENTS = hook_arguments("metric")["score"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A built metric with its declarations, checked."""

    name: str
    component: Component
    direction: str
    low: float | None
    high: float | None
    unit: str
    description: str
    source: str
    kinds: frozenset[str]
    needs: tuple[str, ...]
    wants: tuple[str, ...]
    after: tuple[str, ...]
    prompts: tuple[Prompt, ...]
    score: Callable[..., Any]
    """The ``score`` hook as a function of :data:`SCORE_ARGUMENTS`, in that order."""
    least: float = field(init=False)
    most: float = field(init=False)
    """The range as finite numbers, so that one comparison also finds NaN and infinities."""

    def __post_init__(self) -> None:
        """Derive the finite range."""
        object.__setattr__(self, "least", -LARGEST if self.low is None else float(self.low))
        object.__setattr__(self, "most", LARGEST if self.high is None else float(self.high))

    def uses_judge(self, *, configured: bool) -> bool:
        """Whether the metric will ask the judge in a run that has one, or has none."""
        return configured and "judge" in (*self.needs, *self.wants)


def declare(name: str, component: Component) -> Metric:
    """Read a metric's declarations. Raises :class:`PluginRefusedError` naming a wrong one."""
    declared = declarations(component.instance, component.who)
    return Metric(name=name, component=component, score=component.direct("score", SCORE_ARGUMENTS), **declared)


def declarations(found: object, who: str) -> dict[str, Any]:
    """Return what a metric, or its class, declares. Raises :class:`PluginRefusedError` naming what is wrong."""

    def refuse(attribute: str, expected: str) -> PluginRefusedError:
        value = getattr(found, attribute, None)
        return PluginRefusedError(f"{who}: {attribute} is {value!r}; expected {expected}")

    direction = getattr(found, "direction", None)
    if direction not in DIRECTIONS:
        raise refuse("direction", f"one of {', '.join(DIRECTIONS)}")
    kinds = _strings(found, "kinds", KINDS)
    if not kinds or not set(kinds) <= set(KINDS):
        raise refuse("kinds", f"a tuple of {', '.join(KINDS)}")
    lists = {attribute: _strings(found, attribute) for attribute in ("needs", "wants", "after")}
    for attribute, values in lists.items():
        if values is None or (attribute != "after" and not all(map(is_need, values))):
            expected = "metric names" if attribute == "after" else EXPECTED_NEEDS
            raise refuse(attribute, f"a tuple of {expected}")
    texts = {attribute: getattr(found, attribute, "") for attribute in ("unit", "description", "source")}
    for attribute, text in texts.items():
        if not isinstance(text, str):
            raise refuse(attribute, "a text")
    low, high = _range(found, refuse)
    prompts = getattr(found, "prompts", ())
    if not (isinstance(prompts, (tuple, list)) and all(isinstance(prompt, Prompt) for prompt in prompts)):
        raise refuse("prompts", "a tuple of Prompt objects")
    return {
        "direction": direction,
        "low": low,
        "high": high,
        "kinds": frozenset(kinds),
        "prompts": tuple(prompts),
        **lists,
        **texts,
    }


def _strings(found: object, attribute: str, default: Sequence[str] = ()) -> tuple[str, ...] | None:
    value = getattr(found, attribute, default)
    if isinstance(value, (tuple, list, frozenset, set)) and all(isinstance(item, str) for item in value):
        return tuple(value)
    return None


def _range(found: object, refuse: Callable[[str, str], Exception]) -> tuple[float | None, float | None]:
    value = getattr(found, "range", (None, None))
    if not (isinstance(value, tuple) and len(value) == len(("low", "high"))):
        raise refuse("range", "(low, high), None for no bound")
    for bound in value:
        if bound is not None and (isinstance(bound, bool) or not isinstance(bound, (int, float))):
            raise refuse("range", "(low, high), None for no bound")
    low, high = value
    if low is not None and high is not None and low >= high:
        raise refuse("range", "(low, high) with low below high")
    return low, high


def choose(
    choices: Sequence[MetricChoice] | None, entries: list[Entry], base_dir: Path, warn: Callable[[str], None]
) -> list[Metric]:
    """Build the metrics that the choices name; all installed ones when there are no choices.

    Only an exact name counts as naming a metric: what a pattern matches but cannot be used is left out with a
    warning. Raises :class:`PluginError` or :class:`ConfigError` for a metric that is named and cannot be used, and
    when nothing is left.
    """
    metrics: dict[str, Metric] = {}
    named: set[str] = set()
    renamed: set[str] = set()
    for choice in choices if choices is not None else (MetricChoice(use="*"),):
        for metric in _chosen(choice, entries, base_dir, warn):
            if metric.name in metrics and (choice.alias is not None or metric.name in renamed):
                raise ConfigError(f"metrics: the name {metric.name!r} is used twice")
            if choice.alias is not None:
                renamed.add(metric.name)
            if not _is_pattern(choice.use):
                named.add(metric.name)
            if metric.name not in metrics or choice.settings:
                metrics[metric.name] = metric
    ordered = _without_circles(metrics, named, warn)
    if not ordered:
        raise PluginNotFoundError(_nothing_left(choices, entries))
    return ordered


def _without_circles(metrics: dict[str, Metric], named: set[str], warn: Callable[[str], None]) -> list[Metric]:
    """Put the metrics in order; those that wait for each other are left out, unless one of them is named."""
    try:
        return in_order(list(metrics.values()))
    except _CircleError as problem:
        if not named.isdisjoint(problem.names):
            raise
        warn(f"left out: {problem}")
        left = {name: metric for name, metric in metrics.items() if name not in problem.names}
        return _without_circles(left, named, warn)


def _is_pattern(name: str) -> bool:
    return any(wildcard in name for wildcard in "*?[")


def _nothing_left(choices: Sequence[MetricChoice] | None, entries: list[Entry]) -> str:
    if any(entry.role == "metric" for entry in entries):
        named = ", ".join(choice.use for choice in choices) if choices else "all installed metrics"
        return f"no metric to run: of {named} none can be used; 'ragproof plugins --check' says why"
    return "no metric to run; install some, such as: pip install 'ragproof-core[default]'"


def _chosen(
    choice: MetricChoice, entries: list[Entry], base_dir: Path, warn: Callable[[str], None]
) -> Iterable[Metric]:
    where = f"metrics.{choice.use}"
    if not _is_pattern(choice.use):
        entry = find(entries, "metric", choice.use)
        name = choice.alias or entry.name
        yield declare(name, build(entry, choice.settings, where, base_dir))
        return
    if choice.alias is not None:
        raise ConfigError(f"{where}: 'as' renames one metric, a pattern may be many")
    matching = select(entries, "metric", choice.use)
    if not matching and choice.use != "*":
        raise PluginNotFoundError(str(_no_match(choice.use, entries)))
    for entry in matching:
        if entry.state == "blocked":
            continue
        if entry.state == "duplicate":
            warn(f"metric {entry.name!r} is left out: {entry.reason}")
            continue
        try:
            yield declare(entry.name, build(entry, choice.settings, where, base_dir))
        except ConfigError as problem:
            if choice.settings and not isinstance(problem, PluginError):
                raise
            who = "" if isinstance(problem, PluginError) else f"metric {entry.name!r}: "
            warn(f"left out: {who}{problem}")


def _no_match(pattern: str, entries: list[Entry]) -> str:
    names = sorted({entry.name for entry in entries if entry.role == "metric"})
    return f"metrics: no installed metric matches {pattern!r}; installed: {', '.join(names) or 'none'}"


class _CircleError(PluginError):
    """Metrics wait for each other; ``names`` are theirs, the first again at the end."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"metrics wait for each other: {' → '.join(names)}; block one of them")
        self.names = names


def in_order(metrics: list[Metric]) -> list[Metric]:
    """Sort by name, each metric behind those it names in ``after``. Raises :class:`PluginError` for a circle."""
    by_name: Mapping[str, Metric] = {metric.name: metric for metric in sorted(metrics, key=lambda m: m.name)}
    ordered: dict[str, Metric] = {}
    open_names: list[str] = []

    def visit(name: str) -> None:
        if name in ordered or name not in by_name:
            return
        if name in open_names:
            raise _CircleError([*open_names[open_names.index(name) :], name])
        open_names.append(name)
        for earlier in by_name[name].after:
            visit(earlier)
        open_names.pop()
        ordered[name] = by_name[name]

    for name in by_name:
        visit(name)
    return list(ordered.values())


def levels(metrics: Sequence[Metric]) -> dict[str, int]:
    """Map each metric to its round: 0, or one more than the latest of those it comes after."""
    found: dict[str, int] = {}
    for metric in metrics:
        found[metric.name] = max((found[name] + 1 for name in metric.after if name in found), default=0)
    return found


def settings_of(metric: Metric) -> Any:
    """Return what identifies the metric's configuration, for fingerprints."""
    return {"version": metric.component.version, "settings": metric.component.identity}
