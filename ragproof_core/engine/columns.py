"""Every outcome of a run in columns: eight bytes a metric and case, so that memory stays small and sums exact."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan, nan
from typing import Any

from ragproof_core.models.case import Case
from ragproof_core.models.outcome import Outcome, Scores
from ragproof_core.models.run import CaseResult, CaseStatus, ScoreRow

_MOST_REASONS = 100
_OTHER_REASONS = "other reasons"
_ENOUGH_TO_COMPARE = 3


class Column:
    """One metric's outcomes: its values by case index (NaN where there is none), and how often each other one.

    ``values`` is ``None`` while there is no value at all.
    """

    __slots__ = ("_cases", "others", "values")

    def __init__(self, cases: int) -> None:
        self._cases = cases
        self.values: array[float] | None = None
        self.others: dict[Outcome, int] = {}

    def note(self, outcome: Outcome, times: int = 1) -> None:
        """Count an outcome without a value; beyond so many different reasons, they are summed."""
        if outcome not in self.others and len(self.others) >= _MOST_REASONS:
            outcome = outcome._replace(reason=_OTHER_REASONS)
        self.others[outcome] = self.others.get(outcome, 0) + times

    def scored(self) -> list[float]:
        """Return the scored values in dataset order."""
        return [value for value in self.values or () if value == value]  # noqa: PLR0124 - NaN alone differs from itself

    def first_value(self) -> array[float]:
        """Make room for values."""
        self.values = array("d", [nan]) * self._cases
        return self.values

    def count(self, *statuses: str) -> int:
        """Return how many cases have an outcome of one of these statuses."""
        return sum(times for outcome, times in self.others.items() if outcome.status in statuses)

    def reasons(self, *statuses: str) -> dict[str, int]:
        """Return how often each reason was given with these statuses, the most frequent first."""
        found: Counter[str] = Counter()
        for outcome, times in self.others.items():
            if outcome.status in statuses:
                found[outcome.reason or ""] += times
        return dict(found.most_common())


class _Shared:
    """Outcomes without values that many cases have alike, and how many of these are not yet in the columns."""

    __slots__ = ("outcomes", "times")

    def __init__(self, outcomes: Mapping[str, Outcome]) -> None:
        self.outcomes = outcomes
        self.times = 0


class Columns:
    """The outcomes of all cases of a run, filled in any order, read in dataset order."""

    def __init__(self, metrics: Sequence[str], cases: Sequence[Case], *, by_document: bool = False) -> None:
        self.cases = cases
        self._by_document = by_document
        self._columns = {name: Column(len(cases)) for name in metrics}
        self._shared: dict[int, _Shared] = {}
        self.statuses: dict[str, int] = {"ok": 0, "error": 0, "timeout": 0}
        self._failed: dict[int, CaseStatus] = {}
        self._seen = bytearray(len(cases))
        self._comparable = 0
        self._overlapping = 0

    def add(self, result: CaseResult) -> bool:
        """Take in one case's result; returns whether it is new."""
        index = result.index
        if self._seen[index]:
            return False
        self._seen[index] = 1
        self.statuses[result.status] += 1
        if result.status != "ok":
            self._failed[index] = result.status
            return True
        if result.expected_source_ids and result.retrieved:
            self._compare_ids(result)
        columns = self._columns
        for name, outcome in self._own(result.scores):
            column = columns.get(name)
            if column is None:
                continue
            value = outcome[1]
            if value is None:
                column.note(outcome)
                continue
            values = column.values
            if values is None:
                values = column.first_value()
            values[index] = value
        return True

    def _own(self, scores: Mapping[str, Outcome]) -> Iterable[tuple[str, Outcome]]:
        """Count the shared outcomes together, and return the others."""
        if not isinstance(scores, Scores):
            return scores.items()
        key = id(scores.shared)
        shared = self._shared.get(key)
        if shared is None:
            shared = self._shared[key] = _Shared(scores.shared)
            for name, outcome in scores.shared.items():  # now, while there is room for its reason
                if name in self._columns:
                    self._columns[name].others.setdefault(outcome, 0)
        shared.times += 1
        return scores.own()

    @property
    def metrics(self) -> Mapping[str, Column]:
        """The columns by metric."""
        for shared in self._shared.values():
            for name, outcome in shared.outcomes.items():
                if name in self._columns and shared.times:
                    self._columns[name].note(outcome, shared.times)
            shared.times = 0
        return self._columns

    def _compare_ids(self, result: CaseResult) -> None:
        self._comparable += 1
        if self._overlapping:
            return
        expected = set(result.expected_source_ids)
        retrieved = result.retrieved or ()
        ids = (chunk.document_id if self._by_document else chunk.id for chunk in retrieved)
        self._overlapping += not expected.isdisjoint(ids)

    @property
    def looks_like_other_ids(self) -> bool:
        """Whether several cases retrieved something, and never any id that was expected."""
        return self._comparable >= _ENOUGH_TO_COMPARE and not self._overlapping

    def missing(self) -> list[int]:
        """Return the indexes of the cases without a result, in dataset order."""
        return [index for index, seen in enumerate(self._seen) if not seen]

    @property
    def done(self) -> int:
        """How many cases have a result."""
        return sum(self.statuses.values())

    @property
    def failed(self) -> int:
        """How many cases failed or timed out."""
        return len(self._failed)

    def rows(self) -> list[ScoreRow]:
        """Return the finished cases in dataset order, for ``summarize`` hooks; their values are views, not copies."""
        values = {name: column.values for name, column in self._columns.items() if column.values is not None}
        return [self._row(index, values) for index, seen in enumerate(self._seen) if seen]

    def _row(self, index: int, values: Mapping[str, array[float]]) -> ScoreRow:
        case = self.cases[index]
        return ScoreRow(case.id, case.kind, case.tags, self._failed.get(index, "ok"), _Values(values, index))


class _Values(Mapping[str, float]):
    """One row across the columns, without copying them."""

    __slots__ = ("_columns", "_index")

    def __init__(self, columns: Mapping[str, array[float]], index: int) -> None:
        self._columns = columns
        self._index = index

    def __getitem__(self, name: str) -> float:
        value = self._columns[name][self._index]
        if isnan(value):
            raise KeyError(name)
        return value

    def __contains__(self, name: object) -> bool:  # this and get() without raising: a summary asks for every case
        column = self._columns.get(name)  # type: ignore[call-overload]
        return column is not None and not isnan(column[self._index])

    def get(self, name: str, default: Any = None) -> Any:
        column = self._columns.get(name)
        if column is None:
            return default
        value = column[self._index]
        return default if isnan(value) else value

    def __iter__(self) -> Iterator[str]:
        return (name for name, column in self._columns.items() if not isnan(column[self._index]))

    def __len__(self) -> int:
        return sum(1 for _ in self)
