"""The judge of a project, ready for a run."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ragproof_core.engine.fingerprint import digest
from ragproof_core.engine.running import JudgeLane
from ragproof_core.errors import ConfigError
from ragproof_core.execution import JudgeInUse
from ragproof_core.judging.bench import JudgeBench
from ragproof_core.judging.environment import judge_section, without_unwanted
from ragproof_core.judging.options import JudgeOptions, split_options
from ragproof_core.judging.prices import check_budget
from ragproof_core.plugins.catalog import find
from ragproof_core.plugins.component import Component, settings_model
from ragproof_core.plugins.loading import load_class
from ragproof_core.project import Project


@dataclass(frozen=True, slots=True)
class JudgeSetup:
    """A built judge: the component, the kernel's options for it, and what identifies it (no secrets).

    ``identity`` decides over cache hits and comparisons; ``described`` is what reports show.
    """

    component: Component
    options: JudgeOptions
    identity: Mapping[str, Any]
    described: Mapping[str, Any]

    def bench(self, project: Project, *, bypass_cache: bool = False, repeat: int = 0) -> JudgeBench:
        """Return a bench that asks this judge, with the project's store as the cache."""
        component, store = self.component, project.store
        limit = component.max_concurrency or self.options.concurrency
        return JudgeBench(
            lambda request: component.relay.complete(request=request),
            identity=self.identity,
            max_tokens=self.options.max_tokens,
            prices=self.options.prices,
            budget=self.options.max_cost_usd,
            cache=None if store is None else _StoreCache(store),
            redact=project.redact,
            concurrency=min(limit, self.options.concurrency),
            bypass_cache=bypass_cache,
            repeat=repeat,
            asynchronous=inspect.iscoroutinefunction(component.instance.complete),
        )


class _StoreCache:
    """The reply cache of a store component."""

    def __init__(self, store: Component) -> None:
        self._store = store
        # called for every question: without pluggy, unless it fails, which call() puts into words without secrets
        self._get = store.direct("cache_get", ("keys",)) if "cache_get" in store.hooks else None

    def cache_get(self, keys: Any) -> Any:
        if self._get is None:
            return {}
        try:
            return self._store.settled(self._get(keys)) or {}
        except Exception:
            return self._store.call("cache_get", keys=keys) or {}

    def cache_put(self, entries: Any) -> None:
        self._store.call("cache_put", entries=entries)


def judge_of(project: Project, name: str | None = None) -> JudgeSetup | None:
    """Build the judge that the config and the environment name; ``None`` when they name none.

    ``name`` picks another judge than the config's ``judge.type``, and is one without a section, too. Raises
    :class:`ConfigError` when it is unknown or cannot be built, and when a budget is set without prices.
    """
    given = project.config.judge
    section: dict[str, Any] | None = None if given is None else {"type": given.type, **given.settings}
    if name is not None:
        find(project.entries, "judge", name)
        section = {"type": name} if section is None else section
    if section is not None and not section["type"]:
        del section["type"]
    environment = dict(os.environ) if name is None else {**os.environ, "RAGPROOF_LLM_PROVIDER": name}
    merged = judge_section(section, environment)
    if merged is None:
        return None
    options, rest = split_options(merged)
    check_budget(options.max_cost_usd, options.prices)
    entry = find(project.entries, "judge", options.type)
    model = settings_model(load_class(entry))
    if model is not None:
        rest = without_unwanted(rest, section, list(model.model_fields))
    component = project.build("judge", {"type": options.type, **rest})
    identity = {"type": options.type, **component.identity}
    shown = rest.get("model", identity.get("model"))
    described = {"type": options.type, "model": shown, "identity": digest(identity)}
    return JudgeSetup(component, options, identity, described)


def judge_in_use(project: Project, *, bypass_cache: bool = False) -> JudgeInUse | None:
    """Build the project's judge for a run; ``None`` without one."""
    setup = judge_of(project)
    if setup is None:
        return None
    bench = setup.bench(project, bypass_cache=bypass_cache)

    def report() -> Mapping[str, Any]:
        stats = bench.stats
        return {
            "calls": stats.calls,
            "cache_hits": stats.cache_hits,
            "shared": stats.shared,
            "repairs": stats.repairs,
            "failures": stats.failures,
            "input_tokens": stats.input_tokens,
            "output_tokens": stats.output_tokens,
            "priced": stats.priced,
            "prompts": dict(stats.prompts),
        }

    return JudgeInUse(
        lane=JudgeLane(bench.handle, setup.component.max_concurrency or setup.options.concurrency),
        identity=setup.identity,
        described=setup.described,
        report=report,
        cost_usd=lambda: bench.stats.cost_usd,
        notes=lambda: bench.stats.notes,
        close=bench.close,
    )


def required_judge(project: Project, name: str | None = None) -> JudgeSetup:
    """Build the judge, for commands that cannot do without. Raises :class:`ConfigError` when none is configured."""
    setup = judge_of(project, name)
    if setup is None:
        raise ConfigError("no judge is configured: add a 'judge' section, or set RAGPROOF_JUDGE_MODEL")
    return setup
