"""Whether two runs measured the same thing: what must not differ, and what a reader should know differs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ragproof_core.errors import ConfigError
from ragproof_core.models.run import RunRecord
from ragproof_core.reporting.numbers import counted

_DIGITS_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs between two runs; ``of_judge`` says that ``--allow-mixed-judges`` may waive it."""

    what: str
    base: str
    cand: str
    of_judge: bool = False

    def __str__(self) -> str:
        return f"{self.what}: {self.base} against {self.cand}"


def run_differences(base: RunRecord, cand: RunRecord) -> list[Difference]:
    """What keeps the two runs from being compared: dataset, k, source_match, judge or templates that differ."""
    found = []
    if base.dataset.sha256 != cand.dataset.sha256:
        found.append(Difference("dataset", _dataset(base), _dataset(cand)))
    for name in ("k", "source_match"):
        ours, theirs = getattr(base.settings, name), getattr(cand.settings, name)
        if ours != theirs:
            found.append(Difference(f"run.{name}", str(ours), str(theirs)))
    if _identity(base) != _identity(cand):
        found.append(Difference("judge", _judge(base), _judge(cand), of_judge=True))
    return [*found, *_template_differences(base, cand)]


def require_comparable(base: RunRecord, cand: RunRecord, *, allow_mixed_judges: bool = False) -> list[Difference]:
    """Return the differences that were waived. Raises :class:`ConfigError` naming each one that was not."""
    found = run_differences(base, cand)
    refused = [difference for difference in found if not (difference.of_judge and allow_mixed_judges)]
    if not refused:
        return found
    lines = [f"runs {base.run_id} and {cand.run_id} cannot be compared, they differ in"]
    lines += [f"  {difference}" for difference in refused]
    if all(difference.of_judge for difference in refused):
        lines.append("'ragproof compare --allow-mixed-judges' compares them all the same")
    raise ConfigError("\n".join(lines))


def remarks(base: RunRecord, cand: RunRecord) -> list[str]:
    """Sentences on what may differ between comparable runs and still bears on the numbers."""
    found = ["both are one and the same run"] if base.run_id == cand.run_id else []
    found += [
        f"{name} run {run.run_id} is {run.status}: not all of its cases have a result"
        for name, run in (("base", base), ("candidate", cand))
        if run.status != "completed"
    ]
    depths = base.settings.retrieve_k, cand.settings.retrieve_k
    if depths[0] != depths[1]:
        found.append(f"run.retrieve_k differs ({depths[0]} against {depths[1]}): mrr and map look that deep")
    if set(base.metrics) == set(cand.metrics) and _differ(base, cand, "metrics"):
        found.append("the metrics' versions or settings differ")
    return found


def _template_differences(base: RunRecord, cand: RunRecord) -> list[Difference]:
    """Compare the templates that both runs asked; their digest decides where a run did not ask all of its own."""
    ours, theirs = prompts_of(base), prompts_of(cand)
    found = [
        Difference(f"template {name}", _short(sha256), _short(theirs[name]), of_judge=True)
        for name, sha256 in sorted(ours.items())
        if theirs.get(name, sha256) != sha256
    ]
    both_judged = base.judge is not None and cand.judge is not None
    if not found and both_judged and set(base.metrics) == set(cand.metrics) and _differ(base, cand, "templates"):
        ours_all, theirs_all = (_short(run.fingerprint["templates"]) for run in (base, cand))
        found.append(Difference("templates of the metrics' prompts", ours_all, theirs_all, of_judge=True))
    return found


def prompts_of(run: RunRecord) -> Mapping[str, str]:
    """The prompts that the run's judge was asked, with the sha256 of each template."""
    prompts: Any = (run.judge or {}).get("prompts")
    return {str(name): str(sha256) for name, sha256 in prompts.items()} if isinstance(prompts, Mapping) else {}


def _differ(base: RunRecord, cand: RunRecord, part: str) -> bool:
    ours, theirs = base.fingerprint.get(part), cand.fingerprint.get(part)
    return ours is not None and theirs is not None and ours != theirs


def _identity(run: RunRecord) -> Any:
    return None if run.judge is None else run.judge.get("identity")


def _dataset(run: RunRecord) -> str:
    return f"{run.dataset.name} ({counted(run.dataset.cases, 'case')}, sha256 {_short(run.dataset.sha256)})"


def _judge(run: RunRecord) -> str:
    if run.judge is None:
        return "none"
    name = "/".join(str(run.judge[key]) for key in ("type", "model") if run.judge.get(key))
    return f"{name or 'judge'} (identity {_short(str(_identity(run)))})"


def _short(sha256: str) -> str:
    return sha256[:_DIGITS_SHOWN]
