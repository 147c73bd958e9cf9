"""A run, what it recorded for each case, and its summary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ragproof_core.models.outcome import Outcome
from ragproof_core.models.response import Chunk

CaseStatus = Literal["ok", "error", "timeout"]
SourceMatch = Literal["chunk", "document"]


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The ``run:`` section as metrics see it."""

    k: int = 5
    retrieve_k: int = 5
    source_match: SourceMatch = "chunk"
    concurrency: int = 8
    case_timeout_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class DatasetInfo:
    """Which dataset: its name, the sha256 of its cases, and how many of each kind there are."""

    name: str
    sha256: str
    cases: int
    kinds: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run as a store keeps it. Times are ISO 8601 in UTC; ``status`` is ``running`` until it is finished.

    ``fingerprint`` holds what must be unchanged for ``--resume`` and comparisons: section name to digest or value.
    """

    run_id: str
    project: str
    label: str | None
    status: str
    started_at: str
    dataset: DatasetInfo
    settings: RunSettings
    describe: Mapping[str, Any]
    judge: Mapping[str, Any] | None
    plugins: Mapping[str, str]
    metrics: tuple[str, ...]
    fingerprint: Mapping[str, str]
    ended_at: str | None = None
    duration_s: float = 0.0
    cost_usd: float = 0.0
    summaries: tuple[Summary, ...] = ()
    cases: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class CaseResult:
    """Everything recorded for one case; not changed once made (frozen would double what making one costs).

    ``index`` is the case's place in the dataset. ``retrieved`` is what the adapter retrieved, best first, and
    ``context`` what the generator saw where that differs. ``judge_raw`` holds the judge's replies by metric, word for
    word with secrets redacted.
    """

    index: int
    case_id: str
    kind: str
    status: CaseStatus
    scores: Mapping[str, Outcome]
    question: str = ""
    expected_answer: str | None = None
    expected_source_ids: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    error: str | None = None
    answer_text: str | None = None
    retrieved: tuple[Chunk, ...] | None = None
    context: tuple[Chunk, ...] | None = None
    citations: tuple[str, ...] = ()
    duration_ms: float = 0.0
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    judge_raw: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TagSummary:
    """A metric's mean over the cases with one tag."""

    mean: float | None
    scored: int


@dataclass(frozen=True, slots=True)
class Summary:
    """A metric over a whole run. Numbers are ``None`` when nothing was scored; percentiles are nearest-rank.

    ``values`` are the named run-level values of the metric's ``summarize`` hook. ``errors`` counts errored metrics,
    judge errors, and every case whose adapter call failed.
    """

    metric: str
    direction: str
    unit: str
    mean: float | None
    p50: float | None
    p95: float | None
    p99: float | None
    ci95: tuple[float, float] | None
    scored: int
    skipped: int
    not_applicable: int
    errors: int
    values: Mapping[str, float | None] = field(default_factory=dict)
    skip_reasons: Mapping[str, int] = field(default_factory=dict)
    error_reasons: Mapping[str, int] = field(default_factory=dict)
    tags: Mapping[str, TagSummary] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One case's outcomes, as ``MetricSpec.summarize`` gets them; ``values`` has the scored metrics only."""

    case_id: str
    kind: str
    tags: tuple[str, ...]
    status: CaseStatus
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """A judge's verdict kept for another run: the usable raw reply under the sha256 of all that it depends on."""

    key: str
    reply: str
    judge: str
    prompt: str
    created_at: str


@dataclass(frozen=True, slots=True)
class Calibration:
    """One calibration of a judge: its identity, when, and the report per prompt (plain JSON values)."""

    judge: Mapping[str, Any]
    created_at: str
    prompts: tuple[Mapping[str, Any], ...]
