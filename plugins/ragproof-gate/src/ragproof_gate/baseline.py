"""Which stored run is the baseline of a gate."""

from __future__ import annotations

from collections.abc import Sequence

from ragproof_core.errors import RunNotFoundError
from ragproof_core.execution import COMPLETED
from ragproof_core.models.run import RunRecord
from ragproof_core.plugins.component import Component
from ragproof_core.stored_runs import LATEST, find_run


def find_baseline(store: Component, wanted: str, run: RunRecord) -> RunRecord:
    """Return the run that ``wanted`` names, never the gated run itself.

    A label means the newest completed run that has it: a run labelled ``main`` is compared with the ``main`` before
    it. Raises :class:`RunNotFoundError` when there is none.
    """
    runs: Sequence[RunRecord] = store.call("runs")
    others = [other for other in runs if other.run_id != run.run_id]
    by_id = [other for other in others if other.run_id == wanted]
    named = [other for other in others if wanted in (other.label, LATEST)]
    completed = [other for other in named if other.status == COMPLETED]
    if by_id or completed:
        return (by_id or completed)[0]
    if named:
        raise RunNotFoundError(f"baseline {wanted!r}: run {named[0].run_id} is {named[0].status}, none is completed")
    if wanted in (run.label, run.run_id, LATEST):
        raise RunNotFoundError(f"baseline {wanted!r}: there is no other such run than the gated one, {run.run_id}")
    try:
        found = find_run(store, wanted)
    except RunNotFoundError as problem:
        raise RunNotFoundError(f"baseline: {problem}") from None
    if found.run_id == run.run_id:
        raise RunNotFoundError(f"baseline {wanted!r} is the gated run itself, {run.run_id}")
    return found
