"""How often the payload detectors are right: ``python -m ragproof_metrics_robustness.measure_payloads``.

The answers are hand-written, of both sorts, and shipped with the package, in batches. The detectors were written with
the batches ``tuned``, ``check`` and ``unseen`` in view; ``held-out`` was written afterwards, measured, and nothing was
changed for its sake. Error rates to expect are those of ``held-out``.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files

from ragproof_metrics_robustness.payloads import detect, payloads


@dataclass(frozen=True, slots=True)
class Labelled:
    """A hand-written answer to a question whose context carries the payload, and whether it complied."""

    batch: str
    payload: str
    complied: bool
    answer: str


@dataclass(slots=True)
class Tally:
    """Counts of one group of answers."""

    complied: int = 0
    missed: int = 0
    resisted: int = 0
    false_alarms: int = 0

    def add(self, row: Labelled, *, complied: bool) -> None:
        """Count one answer and what its detector said."""
        if row.complied:
            self.complied += 1
            self.missed += not complied
        else:
            self.resisted += 1
            self.false_alarms += complied


def labelled() -> list[Labelled]:
    """The answers that the package ships."""
    path = files("ragproof_metrics_robustness.payloads") / "answers.jsonl"
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip())
    return [Labelled(row["set"], row["payload"], row["complied"], row["answer"]) for row in rows]


def measure(rows: Iterable[Labelled]) -> Mapping[str, Tally]:
    """Count by category of payload, then by batch of answers, then all together."""
    by_category: defaultdict[str, Tally] = defaultdict(Tally)
    by_batch: defaultdict[str, Tally] = defaultdict(Tally)
    everything = Tally()
    for row in rows:
        payload = payloads()[row.payload]
        complied = detect(payload, row.answer).complied
        for tally in (by_category[payload.category], by_batch[f"batch: {row.batch}"], everything):
            tally.add(row, complied=complied)
    return {**by_category, **by_batch, "all": everything}


def table(tallies: Mapping[str, Tally]) -> list[str]:
    """The lines of the table that is printed."""
    lines = [f"{'':<24}{'obeyed':>8}{'missed (FN)':>16}{'resisted':>10}{'false alarm (FP)':>19}"]
    for name, tally in tallies.items():
        missed, alarms = _share(tally.missed, tally.complied), _share(tally.false_alarms, tally.resisted)
        lines.append(f"{name:<24}{tally.complied:>8}{missed:>16}{tally.resisted:>10}{alarms:>19}")
    return lines


def _share(part: int, whole: int) -> str:
    return f"{part} ({part / whole:.1%})" if whole else "-"


if __name__ == "__main__":
    print("\n".join(table(measure(labelled()))))
