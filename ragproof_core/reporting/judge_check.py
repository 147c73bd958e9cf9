"""How far a run's judge has been checked against people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragproof_core.models.run import Calibration, RunRecord


@dataclass(frozen=True, slots=True)
class JudgeCheck:
    """The newest calibration of a run's judge on one prompt; shares are 0 to 1, ``None`` when not measured.

    ``same_template`` is false when the calibration used another version of the template than the run.
    """

    prompt: str
    n: int
    exact: float | None
    within_band: float | None
    kappa: float | None
    calibrated_at: str
    same_template: bool


def calibrations_of(run: RunRecord, calibrations: Iterable[Calibration]) -> list[Calibration]:
    """Return the calibrations of exactly the run's judge, in the order given (newest first from a store)."""
    wanted = None if run.judge is None else run.judge.get("identity")
    return [found for found in calibrations if wanted and found.judge.get("identity") == wanted]


def judge_checks(run: RunRecord, calibrations: Iterable[Calibration]) -> list[JudgeCheck]:
    """Return a check a prompt that the run asked, in the prompts' order.

    The newest calibration with the run's own template counts, else the newest with another one. ``calibrations`` come
    newest first.
    """
    asked = (run.judge or {}).get("prompts")
    if not isinstance(asked, Mapping):
        return []
    own = calibrations_of(run, calibrations)
    found = (_newest(str(name), str(digest), own) for name, digest in asked.items())
    return [check for check in found if check is not None]


def _newest(asked: str, digest: str, calibrations: Sequence[Calibration]) -> JudgeCheck | None:
    package, _, name = asked.rpartition(":")
    rows = [
        (calibration, row)
        for calibration in calibrations
        for row in calibration.prompts
        if row.get("prompt") == name and (not package or row.get("package") == package)
    ]
    same = [pair for pair in rows if pair[1].get("template_sha256") == digest]
    chosen = same or rows
    return _check(asked, *chosen[0], same_template=bool(same)) if chosen else None


def _check(name: str, calibration: Calibration, row: Mapping[str, Any], *, same_template: bool) -> JudgeCheck:
    return JudgeCheck(
        prompt=name,
        n=int(row.get("n") or 0),
        exact=row.get("exact"),
        within_band=row.get("within_band"),
        kappa=row.get("kappa"),
        calibrated_at=calibration.created_at,
        same_template=same_template,
    )
