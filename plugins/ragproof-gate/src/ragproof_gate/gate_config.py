"""The ``gate:`` section of ``ragproof.yaml``, validated strictly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ragproof_core.errors import ConfigError
from ragproof_core.plugins.settings import describe_problem

Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Share = Annotated[float, Field(strict=True, ge=0.0, le=1.0)]
Width = Annotated[float, Field(strict=True, ge=0.0, allow_inf_nan=False)]
Count = Annotated[int, Field(strict=True, ge=1)]
OnInconclusive = Literal["warn", "fail", "pass"]

_STRICT = ConfigDict(extra="forbid", frozen=True)
_LIMITS = ("min", "max", "max_drop", "min_scored")


class CalibrationBar(BaseModel):
    """How well a judge must agree with people before its scores may fail a gate; at least one key."""

    model_config = _STRICT

    kappa: Annotated[float, Field(strict=True, ge=-1.0, le=1.0)] | None = None
    exact: Share | None = None
    within_band: Share | None = None
    min_n: Count = Field(10, description="fewest human-scored examples behind the figures")

    @model_validator(mode="after")
    def _asks_something(self) -> CalibrationBar:
        if not self.asked():
            raise ValueError("name at least one of kappa, exact, within_band")
        return self

    def asked(self) -> dict[str, float]:
        """The agreement figures that are asked for."""
        figures = self.model_dump(include={"kappa", "exact", "within_band"})
        return {name: value for name, value in figures.items() if value is not None}


class Limits(BaseModel):
    """Limits of one metric, over all cases or over those with a tag."""

    model_config = _STRICT

    min: Number | None = Field(None, description="smallest mean")
    max: Number | None = Field(None, description="largest mean")
    max_drop: Width | None = Field(None, description="how much worse than the baseline, in the metric's unit")
    noise_floor: Width | None = Field(None, description="a drop no larger than this is inconclusive")
    min_scored: Count | None = Field(None, description="fewest scored cases")

    @model_validator(mode="after")
    def _consistent(self) -> Limits:
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"min ({self.min:g}) is above max ({self.max:g})")
        if self.noise_floor is not None and self.max_drop is None:
            raise ValueError("noise_floor qualifies max_drop, which is missing")
        if not self.sets_limit():
            raise ValueError(f"sets no limit; use one of {', '.join(_LIMITS)}")
        return self

    def sets_limit(self) -> bool:
        """Whether there is anything to check."""
        return any(getattr(self, name) is not None for name in _LIMITS)


class Threshold(Limits):
    """All limits of one metric."""

    max_error_rate: Share | None = Field(None, description="share of its cases that the metric may fail on")
    tags: dict[str, Limits] = Field(default_factory=dict)
    require_calibration: CalibrationBar | None = None

    def sets_limit(self) -> bool:
        """Whether there is anything to check."""
        return super().sets_limit() or bool(self.tags)


class GateSection(BaseModel):
    """The whole ``gate:`` section."""

    model_config = _STRICT

    baseline: str | None = Field(None, min_length=1, description="label or id of the run to compare with")
    thresholds: dict[str, Threshold] = Field(default_factory=dict)
    max_error_rate: Share = Field(0.05, description="share of the cases that may fail")
    min_scored: Count = Field(1, description="fewest scored cases of every metric with a threshold")
    on_inconclusive: OnInconclusive = Field("warn", description="what a drop comes to that may be chance")
    on_missing_baseline: Literal["error", "warn"] = Field("error", description="when there is no such run yet")

    def drops(self) -> list[tuple[str, str | None, Limits]]:
        """Every limit on a drop: metric, tag (None for all cases), limits."""
        return [(metric, tag, limits) for metric, tag, limits in self.limits() if limits.max_drop is not None]

    def limits(self) -> list[tuple[str, str | None, Limits]]:
        """All limits in the config's order, each metric followed by its tags."""
        found: list[tuple[str, str | None, Limits]] = []
        for metric, threshold in self.thresholds.items():
            found += [(metric, None, threshold), *((metric, tag, part) for tag, part in threshold.tags.items())]
        return found


def parse_gate(raw: Mapping[str, Any], source: str) -> GateSection:
    """Validate the section. Raises :class:`ConfigError` with a line for every problem, ``source: gate.key: reason``."""
    try:
        return GateSection.model_validate(dict(raw))
    except ValidationError as problem:
        lines = [describe_problem(error, f"{source}: gate", _keys_beside(error["loc"])) for error in problem.errors()]
        raise ConfigError("\n".join(lines)) from None


def _keys_beside(location: tuple[Any, ...]) -> list[str]:
    """The keys that are known where the last part of the location stands."""
    place: Any = GateSection
    for part in location[:-1]:
        if isinstance(place, type) and issubclass(place, BaseModel):
            field = place.model_fields.get(str(part))
            place = _without_none(field.annotation) if field else None
        else:  # a dict's annotation: the part is a key of the user's own
            place = (get_args(place) or (None,))[-1]
    return list(place.model_fields) if isinstance(place, type) and issubclass(place, BaseModel) else []


def _without_none(annotation: Any) -> Any:
    models = [part for part in get_args(annotation) if isinstance(part, type) and issubclass(part, BaseModel)]
    is_optional = type(None) in get_args(annotation)
    return models[0] if is_optional and models else annotation
