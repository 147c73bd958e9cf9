"""A line a case: little enough that thousands fit in one file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ragproof_core.models.run import CaseResult, RunRecord
from ragproof_core.reporting.metric_names import reading_order
from ragproof_report.case_verdict import CaseVerdict

COLUMNS = 8
MOST_LINES = 2000
_QUESTION, _ID, _TAG, _TAGS = 110, 60, 24, 6
# What tells most about a case, the first being the most telling
_TELLING = (
    "retrieval.recall_at_k",
    "retrieval.mrr",
    "generation.groundedness",
    "generation.answer_correctness",
    "generation.keyword_hit",
    "generation.citation_support",
    "robustness.abstention",
    "robustness.overrefusal",
    "robustness.injection_resistance",
    "retrieval.precision_at_k",
)


class Score(NamedTuple):
    """A score as a cell shows it, and whether it is the worst that the metric has."""

    text: str
    worst: bool = False


@dataclass(frozen=True, slots=True)
class CaseLine:
    """A case in the list of all cases; long texts are cut."""

    index: int
    case_id: str
    kind: str
    tags: tuple[str, ...]
    question: str
    verdict: CaseVerdict
    loss: float
    scores: tuple[Score, ...]


def telling_metrics(run: RunRecord) -> tuple[str, ...]:
    """Return up to eight scored metrics between 0 and 1 for the columns of the list, in reading order."""
    scored = [s.metric for s in run.summaries if s.scored and s.unit in ("", "share") and s.direction != "none"]
    first = [metric for metric in _TELLING if metric in scored]
    rest = sorted((metric for metric in scored if metric not in first), key=reading_order)
    return tuple(sorted([*first, *rest][:COLUMNS], key=reading_order))


def case_line(
    result: CaseResult, verdict: CaseVerdict, loss: float, metrics: Sequence[str], worst: Sequence[float]
) -> CaseLine:
    """Return the line of a case; ``worst`` has the worst score of each of ``metrics``."""
    return CaseLine(
        index=result.index,
        case_id=cut(result.case_id, _ID),
        kind=result.kind,
        tags=tuple(cut(tag, _TAG) for tag in result.tags[:_TAGS]),
        question=cut(" ".join(result.question[: 4 * _QUESTION].split()), _QUESTION),
        verdict=verdict
        if len(verdict.reason) <= _QUESTION
        else verdict._replace(reason=cut(verdict.reason, _QUESTION)),
        loss=loss,
        scores=tuple(_score(result, metric, bad) for metric, bad in zip(metrics, worst, strict=True)),
    )


def _score(result: CaseResult, metric: str, worst: float) -> Score:
    outcome = result.scores.get(metric)
    if outcome is None:
        return Score("" if result.status == "ok" else "err")
    if outcome.value is None:
        return Score("err" if outcome.status in ("error", "judge_error") else "")
    text = f"{outcome.value:.2f}".rstrip("0").rstrip(".")
    return Score(text or "0", outcome.value == worst)


def cut(text: str, width: int) -> str:
    """Return the text, shortened to ``width`` characters with an ellipsis where it is longer."""
    return text if len(text) <= width else f"{text[: width - 1]}…"
