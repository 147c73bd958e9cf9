"""What a calibration found, in plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ragproof_calibrate.attacks import CONTROL


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The least shares of exact and within-band agreement with which a prompt passes."""

    exact: float = 0.7
    within_band: float = 0.9


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An example where the judge's category was not the reference's; ``problem`` tells why a reply was unusable."""

    where: str
    expected: float | None
    score: float | None
    problem: str | None


@dataclass(frozen=True, slots=True)
class GrowthStep:
    """Agreement with every context filled up to ``chunks`` chunks."""

    chunks: int
    exact: float | None
    within_band: float | None


@dataclass(frozen=True, slots=True)
class Moves:
    """How many attacked examples were asked about, and how many verdicts changed their category."""

    asked: int
    moved: int

    @property
    def rate(self) -> float | None:
        """Moved / asked."""
        return self.moved / self.asked if self.asked else None


@dataclass(frozen=True, slots=True)
class PromptReport:
    """A judge's record on one prompt. Shares are 0 to 1; what was not measured is ``None`` or empty."""

    prompt: str
    package: str
    template_sha256: str
    n: int
    exact: float | None
    within_band: float | None
    kappa: float | None
    variance: float | None
    unchanged: float | None
    swap_consistency: float | None
    unusable: int
    passed: bool
    growth: tuple[GrowthStep, ...] = ()
    moves: Mapping[str, Moves] | None = None
    disagreements: tuple[Disagreement, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the report as ``ragproof calibrate --json`` prints it and the store keeps it."""
        values = asdict(self)
        del values["growth"], values["moves"]
        values["context_growth"] = [asdict(step) for step in self.growth]
        values["adversarial"] = None if self.moves is None else _adversarial(self.moves)
        values["disagreements"] = [asdict(one) for one in self.disagreements]
        return values


def _adversarial(moves: Mapping[str, Moves]) -> dict[str, Any]:
    total = attack_moves(moves)
    by_attack = {kind: {"asked": one.asked, "moved": one.moved, "rate": one.rate} for kind, one in moves.items()}
    return {"asked": total.asked, "moved": total.moved, "rate": total.rate, "by_attack": by_attack}


def attack_moves(moves: Mapping[str, Moves]) -> Moves:
    """Add up all attacks, without the control."""
    return _added(one for kind, one in moves.items() if not _is_control(kind))


def control_moves(moves: Mapping[str, Moves]) -> Moves:
    """Add up what the harmless text did: how often verdicts move for no reason."""
    return _added(one for kind, one in moves.items() if _is_control(kind))


def _added(moves: Iterable[Moves]) -> Moves:
    found = list(moves)
    return Moves(sum(one.asked for one in found), sum(one.moved for one in found))


def _is_control(kind: str) -> bool:
    return kind.partition("/")[0] == CONTROL


@dataclass(frozen=True, slots=True)
class Report:
    """A whole calibration: a report a prompt, and the agreement over all examples together."""

    prompts: tuple[PromptReport, ...]
    n: int
    exact: float | None
    within_band: float | None
    kappa: float | None
    thresholds: Thresholds

    @property
    def passed(self) -> bool:
        """Whether every prompt reached the thresholds."""
        return all(prompt.passed for prompt in self.prompts)
