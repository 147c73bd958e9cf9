"""How often the refusal heuristic is right on labelled answers.

``python -m ragproof_metrics_robustness.measure_refusals FILE``. The file is JSON Lines with ``text``, ``refused``
(true, false, or null for borderline) and optionally ``lang`` and ``selected_by_phrase``. Rows that were picked by
their wording (``selected_by_phrase: true``) say nothing about recall and are left out; borderline rows are counted
apart. ``--errors`` prints what was decided wrongly.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ragproof_metrics_robustness.refusals import refusal_verdict


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled answer; ``refused`` is ``None`` for a borderline one."""

    text: str
    refused: bool | None
    language: str


@dataclass(slots=True)
class Tally:
    """Counts of one language."""

    hits: int = 0
    misses: int = 0
    false_alarms: int = 0
    rightly_quiet: int = 0
    borderline: int = 0
    borderline_refused: int = 0

    @property
    def n(self) -> int:
        """Labelled answers, borderline ones left out."""
        return self.hits + self.misses + self.false_alarms + self.rightly_quiet

    @property
    def recall(self) -> float | None:
        """Declining answers found / declining answers."""
        return _share(self.hits, self.hits + self.misses)

    @property
    def precision(self) -> float | None:
        """Declining answers among those called declining."""
        return _share(self.hits, self.hits + self.false_alarms)

    @property
    def false_positive_rate(self) -> float | None:
        """Answering answers called declining / answering answers."""
        return _share(self.false_alarms, self.false_alarms + self.rightly_quiet)

    @property
    def f1(self) -> float | None:
        """2·hits / (2·hits + misses + false alarms)."""
        return _share(2 * self.hits, 2 * self.hits + self.misses + self.false_alarms)

    def add(self, row: Row, *, refused: bool) -> None:
        """Count one answer and what the heuristic said of it."""
        if row.refused is None:
            self.borderline += 1
            self.borderline_refused += refused
        elif row.refused:
            self.hits += refused
            self.misses += not refused
        else:
            self.false_alarms += refused
            self.rightly_quiet += not refused


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def read_rows(lines: Iterable[str]) -> list[Row]:
    """Parse labelled lines.

    Raises:
        ValueError: a line is not JSON, or lacks ``text`` or ``refused``; the message has its number.
    """
    rows: list[Row] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            raw = json.loads(line)
            row = Row(str(raw["text"]), _label(raw["refused"]), str(raw.get("lang", "?")))
        except (ValueError, KeyError, TypeError, AttributeError) as problem:
            raise ValueError(f"line {number}: expected an object with 'text' and 'refused': {problem!r}") from None
        if not raw.get("selected_by_phrase"):
            rows.append(row)
    return rows


def _label(value: object) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    raise ValueError(f"'refused' is {value!r}; expected true, false or null")


def measure(rows: Iterable[Row]) -> Mapping[str, Tally]:
    """Count by language, English first, then ``others`` (all but English) and ``all`` together."""
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    groups = {"others": Tally(), "all": Tally()}
    for row in rows:
        refused = refusal_verdict(row.text).refused
        tallies[row.language].add(row, refused=refused)
        groups["all"].add(row, refused=refused)
        if row.language != "en":
            groups["others"].add(row, refused=refused)
    ordered = dict(sorted(tallies.items(), key=lambda item: (item[0] != "en", item[0])))
    return ordered | groups


def table(tallies: Mapping[str, Tally]) -> list[str]:
    """The lines of the table that is printed."""
    lines = [
        f"{'language':<9}{'n':>5}{'recall':>18}{'precision':>11}{'FPR':>16}{'F1':>7}  borderline (called declining)"
    ]
    for language, tally in tallies.items():
        recall = f"{_number(tally.recall)} ({tally.hits}/{tally.hits + tally.misses})"
        wrong = (
            f"{_number(tally.false_positive_rate)} ({tally.false_alarms}/{tally.false_alarms + tally.rightly_quiet})"
        )
        lines.append(
            f"{language:<9}{tally.n:>5}{recall:>18}{_number(tally.precision):>11}{wrong:>16}{_number(tally.f1):>7}"
            f"  {tally.borderline} ({tally.borderline_refused})"
        )
    return lines


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def errors(rows: Iterable[Row]) -> list[str]:
    """A line for each answer that was decided wrongly."""
    lines = []
    for row in rows:
        verdict = refusal_verdict(row.text)
        if row.refused is not None and verdict.refused is not row.refused:
            kind = "missed" if row.refused else "false alarm"
            lines.append(f"{kind} [{row.language}] {json.dumps(row.text[:200], ensure_ascii=False)}: {verdict}")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; returns 3 when the file cannot be read."""
    parser = argparse.ArgumentParser(
        prog="python -m ragproof_metrics_robustness.measure_refusals",
        description="How often the refusal heuristic is right on labelled answers (JSON Lines).",
    )
    parser.add_argument("file", type=Path, help="lines with 'text', 'refused' (true, false, null), 'lang'")
    parser.add_argument("--errors", action="store_true", help="print what was decided wrongly")
    options = parser.parse_args(arguments)
    try:
        rows = read_rows(options.file.read_text(encoding="utf-8-sig").split("\n"))
    except (OSError, ValueError) as problem:
        print(f"{options.file}: {problem}", file=sys.stderr)
        return 3
    print("\n".join(table(measure(rows))))
    if options.errors:
        print("\n".join(errors(rows)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
