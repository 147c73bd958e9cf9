"""What must be the same for a run to be resumed, or compared with another one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from ragproof_core.engine.selection import Metric, settings_of
from ragproof_core.errors import ConfigError
from ragproof_core.models.run import DatasetInfo, RunSettings


def digest(value: Any) -> str:
    """Return the sha256 of plain data in canonical JSON."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def fingerprint(
    dataset: DatasetInfo,
    adapter: Any,
    metrics: Sequence[Metric],
    run: RunSettings,
    judge: Mapping[str, Any] | None,
    *,
    uses_judge: bool,
) -> dict[str, str]:
    """Map each part that decides the results to its value, or the digest of it."""
    prompts = {prompt.name: prompt.sha256 for metric in metrics for prompt in metric.prompts} if uses_judge else {}
    return {
        "dataset": dataset.sha256,
        "adapter": digest(adapter),
        "k": str(run.k),
        "retrieve_k": str(run.retrieve_k),
        "source_match": run.source_match,
        "metrics": digest({metric.name: settings_of(metric) for metric in metrics}),
        "judge": digest(judge),
        "templates": digest(prompts),
    }


def require_same(run_id: str, stored: Mapping[str, str], now: Mapping[str, str]) -> None:
    """Raise :class:`ConfigError` naming every part that changed since the run was started."""
    changed = [part for part in now if stored.get(part) != now[part]]
    if changed:
        raise ConfigError(
            f"run {run_id} cannot be resumed: {', '.join(changed)} changed since it was started; undo the change "
            f"(give the same --dataset, --limit and --metric), or start a new run"
        )
