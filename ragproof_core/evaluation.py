"""Running an evaluation from Python: scripts, notebooks, tests."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragproof_core.config.loading import parse_config
from ragproof_core.dataset.loading import Dataset, dataset_from_cases, load_dataset
from ragproof_core.engine.selection import Metric
from ragproof_core.errors import ConfigError
from ragproof_core.execution import Finished, Inputs, JudgeInUse, Progress, execute
from ragproof_core.models.case import Case
from ragproof_core.models.run import CaseResult, RunRecord, Summary
from ragproof_core.plugins.component import Component, from_object
from ragproof_core.plugins.plain import PlainAdapter
from ragproof_core.project import Project, open_project
from ragproof_core.reporting.json_shapes import run_to_dict, with_results
from ragproof_core.reporting.numbers import counted
from ragproof_core.reporting.text import plain_text


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of :func:`evaluate`: print it, index it by metric, or take its rows.

    ``rows`` are the cases' results in dataset order; ``run`` is the run's record, ``run.summaries`` a row a metric.
    """

    run: RunRecord
    rows: tuple[CaseResult, ...]

    def __str__(self) -> str:
        return plain_text(self.run)

    def __repr__(self) -> str:
        return f"<Report of run {self.run.run_id}: {self.run.status}, {counted(len(self.rows), 'row')}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: FBT001 - IPython's own signature
        printer.text(repr(self) if cycle else str(self))

    def __getitem__(self, metric: str) -> Summary:
        """Return one metric's summary. Raises :class:`KeyError` naming the metrics that there are."""
        for summary in self.run.summaries:
            if summary.metric == metric:
                return summary
        raise KeyError(f"{metric}; this run has: {', '.join(s.metric for s in self.run.summaries)}")

    def __iter__(self) -> Iterator[CaseResult]:
        return iter(self.rows)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data of the shape of ``ragproof show RUN --json``."""
        return with_results(self.run, self.rows) if self.rows else run_to_dict(self.run)


def evaluate(
    config: str | Path | Mapping[str, Any] | None = None,
    *,
    cases: Iterable[Case | Mapping[str, Any]] | str | Path | None = None,
    adapter: object | None = None,
    metrics: Sequence[str] | str = (),
    store: object | None = None,
    label: str | None = None,
    limit: int | None = None,
    progress: Progress | None = None,
) -> Report:
    """Run an evaluation and return its report.

    ``config`` is the path of a ``ragproof.yaml``, or a mapping with its keys (paths relative to the working
    directory). ``cases`` (cases, dicts, or a dataset's path), ``adapter`` (any object with ``retrieve`` or ``answer``,
    sync or async; it stays yours to close), ``metrics`` (names and patterns) and ``label`` override it. Nothing is kept
    on disk unless ``store`` is given: ``True`` for the config's, or the path of an SQLite file. Works where an event
    loop already runs: it has threads of its own and blocks its caller.

    Raises :class:`ConfigError` before anything is run, :class:`ExecutionError` when the store fails. Failed cases and
    metrics are in the report, not raised.
    """
    with _project(config, store) as project:
        dataset = _dataset(project, cases, limit)
        target = project.adapter if adapter is None else project.keep(_plain(adapter))
        patterns = (metrics,) if isinstance(metrics, str) else tuple(metrics)
        finished = run_project(
            project,
            dataset,
            adapter=target,
            patterns=patterns,
            label=label,
            progress=progress,
            keep_rows=True,
            use_store=store not in (None, False),
        )
    return Report(finished.record, finished.rows)


def run_project(
    project: Project,
    dataset: Dataset,
    *,
    adapter: Component | None = None,
    patterns: Sequence[str] = (),
    label: str | None = None,
    progress: Progress | None = None,
    resume: RunRecord | None = None,
    bypass_cache: bool = False,
    keep_rows: bool = False,
    use_store: bool = True,
) -> Finished:
    """Run a dataset with a project's components; the shared way of ``evaluate()`` and ``ragproof run``."""
    section = project.config.adapter
    given = adapter is not None and adapter.settings is None and adapter.distribution == ""
    chosen = project.metrics(patterns)
    inputs = Inputs(
        project=project.config.project,
        label=label,
        dataset=dataset,
        adapter=adapter or project.adapter,
        adapter_identity=adapter.name if given and adapter else section and section.model_dump(),
        metrics=chosen,
        settings=project.settings,
        judge=_judge(project, chosen, bypass_cache=bypass_cache),
        store=project.store if use_store else None,
        describe=project.config.describe,
        redact=project.redact,
        warn=project.warn,
        progress=progress,
        keep_rows=keep_rows,
    )
    return execute(inputs, resume)


def _judge(project: Project, metrics: Sequence[Metric], *, bypass_cache: bool) -> JudgeInUse | None:
    if not any(metric.uses_judge(configured=True) for metric in metrics):
        return None
    if project.config.judge is None and not os.environ.get("RAGPROOF_JUDGE_MODEL", "").strip():
        return None
    from ragproof_core.judge_setup import judge_in_use

    return judge_in_use(project, bypass_cache=bypass_cache)


def _project(config: str | Path | Mapping[str, Any] | None, store: object | None) -> Project:
    if isinstance(config, (str, Path)):
        project = open_project(config)
    else:
        project = Project(parse_config(config or {}, "config", folder=Path.cwd()))
    if isinstance(store, (str, Path)):
        path = str(Path(store).expanduser().absolute())
        changed = parse_config({"store": path}, "store", folder=project.config.folder).store
        project.config = project.config.model_copy(update={"store": changed})
    elif store not in (None, True, False):
        raise ConfigError(f"store: expected True or a path, found {type(store).__name__}")
    return project


def _dataset(
    project: Project, cases: Iterable[Case | Mapping[str, Any]] | str | Path | None, limit: int | None
) -> Dataset:
    if cases is None:
        return load_dataset(project.dataset_path, limit)
    if isinstance(cases, (str, Path)):
        return load_dataset(Path(cases), limit)
    return dataset_from_cases(list(cases)[:limit])


def _plain(target: object) -> Component:
    name = f"{type(target).__module__}.{type(target).__qualname__}"
    return from_object("adapter", PlainAdapter(target, closes=False), name)
