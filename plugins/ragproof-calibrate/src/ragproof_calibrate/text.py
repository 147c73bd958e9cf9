"""A calibration as people read it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ragproof_calibrate.report import Moves, PromptReport, Report, attack_moves, control_moves
from ragproof_core.reporting.numbers import counted
from ragproof_core.reporting.printable import one_line, printable

HEADERS = ("prompt", "n", "exact", "in band", "kappa", "variance", "swap", "unusable", "verdict")
_MOST_DISAGREEMENTS = 10


def rows(report: Report) -> Iterator[tuple[str, ...]]:
    """Yield a row a prompt, under :data:`HEADERS`."""
    for one in report.prompts:
        numbers = (one.exact, one.within_band, one.kappa, one.variance, one.swap_consistency)
        verdict = "pass" if one.passed else "FAIL"
        yield (printable(one.prompt), str(one.n), *map(number, numbers), str(one.unusable), verdict)


def lines(report: Report) -> Iterator[str]:
    """Yield what stands below the table."""
    yield f"All examples: {number(report.exact)} (n={report.n}), κ {number(report.kappa)}"
    bars = report.thresholds
    yield f"A prompt passes with exact ≥ {bars.exact:.2f} and within one band ≥ {bars.within_band:.2f}."
    for one in report.prompts:
        yield from _probes(one)
    yield from _disagreements(report)


def _probes(one: PromptReport) -> Iterator[str]:
    if one.growth:
        steps = "  ".join(f"{step.chunks}: {number(step.exact)}" for step in one.growth)
        yield f"{printable(one.prompt)}: exact agreement with the context filled up to n chunks  {steps}"
    if one.moves is not None:
        yield f"{printable(one.prompt)}: {_moved(one.moves)}"


def _moved(moves: Mapping[str, Moves]) -> str:
    total, control = attack_moves(moves), control_moves(moves)
    if not total.asked:
        return "no usable verdict that planted text could have moved"
    kinds = "".join(f"  {kind} {one.moved}/{one.asked}" for kind, one in moves.items() if one.moved)
    harmless = f"harmless text {control.moved} of {control.asked}"
    return f"planted verdicts moved {total.moved} of {total.asked}, {harmless}{kinds}"


def _disagreements(report: Report) -> Iterator[str]:
    found = [one for prompt in report.prompts for one in prompt.disagreements]
    if found:
        yield f"{counted(len(found), 'disagreement')}:"
    for one in found[:_MOST_DISAGREEMENTS]:
        got = one_line(one.problem) if one.problem else _score(one.score)
        yield f"  {printable(one.where)}: expected {_score(one.expected)}, judge {got}"
    if len(found) > _MOST_DISAGREEMENTS:
        yield f"  and {len(found) - _MOST_DISAGREEMENTS} more; --json has them all"


def number(value: float | None) -> str:
    """Two digits, or a dash."""
    return "-" if value is None else f"{value:.2f}"


def _score(value: float | None) -> str:
    return "not applicable" if value is None else f"{value:.2f}"
