"""The judge section as environment variables change it, or make it on their own."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

from ragproof_core.errors import ConfigError

DEFAULT_PROVIDER = "openai"

# Where a key is sent and what it opens belong to one provider: another one must not get them.
_BOUND_TO_PROVIDER = ("base_url", "api_key", "headers")
_TEXTS = {"RAGPROOF_LLM_PROVIDER": "type", "RAGPROOF_LLM_BASE_URL": "base_url", "RAGPROOF_JUDGE_MODEL": "model"}
_AMOUNTS = {
    "RAGPROOF_JUDGE_INPUT_COST_PER_MTOK": "input_cost_per_mtok",
    "RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK": "output_cost_per_mtok",
    "RAGPROOF_MAX_COST_USD": "max_cost_usd",
}
_API_KEY = "RAGPROOF_LLM_API_KEY"
_CONCURRENCY = "RAGPROOF_MAX_CONCURRENCY"
_MOST_AT_ONCE = 1024


def judge_section(section: Mapping[str, Any] | None, environ: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the judge section with the environment's values over it; ``None`` when no judge is configured.

    Without a section, ``RAGPROOF_JUDGE_MODEL`` makes one, of type ``openai`` unless ``RAGPROOF_LLM_PROVIDER`` says
    otherwise. A provider that differs from the section's type drops that section's address, key and headers. The API
    key stays in the environment: the section gets ``env:RAGPROOF_LLM_API_KEY``. An empty variable counts as unset.
    Raises ``ConfigError`` naming the variable for a bad number.
    """
    given = {name: value.strip() for name, value in environ.items() if name.startswith("RAGPROOF_") and value.strip()}
    if section is None and "RAGPROOF_JUDGE_MODEL" not in given:
        return None
    merged = dict(section or {})
    provider = given.get("RAGPROOF_LLM_PROVIDER")
    if provider and provider != merged.get("type", provider):
        merged = {key: value for key, value in merged.items() if key not in _BOUND_TO_PROVIDER}
    merged.update((key, given[name]) for name, key in _TEXTS.items() if name in given)
    merged.setdefault("type", DEFAULT_PROVIDER)
    if _API_KEY in given:
        merged["api_key"] = f"env:{_API_KEY}"
    merged.update((key, _amount(name, given[name])) for name, key in _AMOUNTS.items() if name in given)
    if _CONCURRENCY in given:
        most, own = _whole(_CONCURRENCY, given[_CONCURRENCY]), merged.get("concurrency")
        merged["concurrency"] = min(most, own) if isinstance(own, int) else most
    return merged


def without_unwanted(
    rest: Mapping[str, Any], section: Mapping[str, Any] | None, fields: Collection[str]
) -> dict[str, Any]:
    """Drop what only the environment put in and the component has no setting for.

    ``rest`` is the component's part of :func:`judge_section`, ``section`` what the config file said, ``fields`` the
    names of the component's settings. A key variable meant for the pipeline is no error for a judge without keys.
    """
    return {key: value for key, value in rest.items() if key in fields or key in (section or {})}


def _amount(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0:
        raise ConfigError(f"{name}: expected US dollars, a number of 0 or more, found {text!r}")
    return value


def _whole(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 5 and 1 <= int(text) <= _MOST_AT_ONCE):  # noqa: PLR2004
        raise ConfigError(f"{name}: expected a whole number from 1 to {_MOST_AT_ONCE}, found {text!r}")
    return int(text)
