"""The keys of ``ragproof.yaml``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from ragproof_core.models.run import RunSettings

_STRICT = ConfigDict(extra="forbid", frozen=True)


class ComponentSection(BaseModel):
    """A component to use: ``type`` is its entry point's name, every other key is a setting of its own."""

    model_config = ConfigDict(extra="allow", frozen=True)

    type: str = Field(min_length=1)

    @property
    def settings(self) -> dict[str, Any]:
        """The component's own settings."""
        return dict(self.model_extra or {})


class JudgeSection(ComponentSection):
    """The judge; the environment may name its type and model instead."""

    type: str = ""


class PluginsSection(BaseModel):
    """Which installed components must not be imported."""

    model_config = _STRICT

    block: tuple[str, ...] = ()


class RunSection(BaseModel):
    """How cases are run."""

    model_config = _STRICT

    k: int = Field(5, ge=1, le=10_000, description="cut-off of the metrics at k")
    retrieve_k: int | None = Field(None, ge=1, le=10_000, description="chunks to ask the adapter for; default k")
    source_match: Literal["chunk", "document"] = "chunk"
    concurrency: int = Field(8, ge=1, le=1024, description="cases in flight")
    case_timeout_seconds: float = Field(60.0, gt=0, allow_inf_nan=False)

    @model_validator(mode="after")
    def _deep_enough(self) -> RunSection:
        if self.retrieve_k is not None and self.retrieve_k < self.k:
            raise ValueError(f"retrieve_k ({self.retrieve_k}) must be at least k ({self.k})")
        return self

    def settings(self, max_concurrency: int | None = None) -> RunSettings:
        """Return the settings as metrics see them, at most ``max_concurrency`` cases at once."""
        return RunSettings(
            k=self.k,
            retrieve_k=self.retrieve_k or self.k,
            source_match=self.source_match,
            concurrency=min(self.concurrency, max_concurrency or self.concurrency),
            case_timeout_seconds=self.case_timeout_seconds,
        )


class MetricChoice(BaseModel):
    """One entry of ``metrics``: a name or pattern, its settings, and another name for a second instance."""

    model_config = ConfigDict(extra="allow", frozen=True)

    use: str = Field(min_length=1)
    alias: str | None = Field(None, alias="as", min_length=1)

    @property
    def settings(self) -> dict[str, Any]:
        """The metric's own settings."""
        return dict(self.model_extra or {})


class Config(BaseModel):
    """A whole ``ragproof.yaml``. Paths are relative to ``folder``, the config file's own."""

    model_config = _STRICT

    project: str = Field("", description="name of the project; default: the folder's name")
    dataset: str | None = None
    adapter: ComponentSection | None = None
    judge: JudgeSection | None = None
    store: ComponentSection | None = None
    metrics: tuple[MetricChoice, ...] | None = None
    plugins: PluginsSection = PluginsSection()
    describe: dict[str, Any] = Field(default_factory=dict)
    run: RunSection = RunSection()
    gate: dict[str, Any] = Field(default_factory=dict)
    folder: Path = Field(default_factory=Path.cwd, exclude=True)
    file: Path | None = Field(None, exclude=True)

    @field_validator("store", mode="before")
    @classmethod
    def _store_path(cls, value: Any) -> Any:
        return {"type": "sqlite", "path": value} if isinstance(value, str) else value

    @field_validator("plugins", "run", "describe", "gate", mode="before")
    @classmethod
    def _empty_section(cls, value: Any) -> Any:
        return {} if value is None else value

    @field_validator("describe")
    @classmethod
    def _plain_facts(cls, value: dict[str, Any]) -> dict[str, Any]:
        try:
            json.dumps(value, allow_nan=False, default=str)
        except (ValueError, TypeError, RecursionError):
            raise ValueError("expected plain finite values, as JSON has them") from None
        return value

    @field_validator("metrics", mode="before")
    @classmethod
    def _metric_choices(cls, value: Any) -> Any:
        if isinstance(value, str):
            return [{"use": value}]
        if isinstance(value, dict):
            return [{**(settings or {}), "use": name} for name, settings in value.items()]
        if isinstance(value, (list, tuple)):
            return [{"use": item} if isinstance(item, str) else item for item in value]
        return value
