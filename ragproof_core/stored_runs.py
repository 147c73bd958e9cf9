"""Finding a stored run by what a person types: an id, the beginning of one, a label, or ``latest``."""

from __future__ import annotations

from collections.abc import Sequence

from ragproof_core.errors import RunNotFoundError
from ragproof_core.models.run import RunRecord
from ragproof_core.plugins.component import Component

LATEST = "latest"


def find_run(store: Component, wanted: str) -> RunRecord:
    """Return the run that ``wanted`` names; of several with one label, the newest.

    Raises :class:`RunNotFoundError` naming what there is, or the candidates when a prefix fits several.
    """
    runs: Sequence[RunRecord] = store.call("runs")
    if not runs:
        raise RunNotFoundError("the store has no runs yet; make one with 'ragproof run'")
    if wanted == LATEST:
        return runs[0]
    exact = [run for run in runs if run.run_id == wanted] or [run for run in runs if run.label == wanted]
    if exact:
        return exact[0]
    beginning = [run for run in runs if run.run_id.startswith(wanted)] if wanted else []
    if len(beginning) == 1:
        return beginning[0]
    if beginning:
        raise RunNotFoundError(f"{wanted!r} fits several runs: {', '.join(run.run_id for run in beginning[:10])}")
    newest = ", ".join(f"{run.run_id} ({run.label})" if run.label else run.run_id for run in runs[:5])
    raise RunNotFoundError(f"no run has the id or label {wanted!r}; the newest are: {newest}")
