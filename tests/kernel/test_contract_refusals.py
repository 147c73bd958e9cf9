"""What is refused, and with which words."""

from __future__ import annotations

import pytest

from ragproof_core.errors import PluginError
from ragproof_core.plugins.catalog import find, scan
from ragproof_core.plugins.checking import check_entry
from ragproof_core.plugins.component import build
from ragproof_core.plugins.contract import hook_arguments, hooks_of_class

WHO = "metric 'contract.{0}' of ragproof-test-contract 1.0"
SCORE = "the kernel calls score(case, response, judge, run, outcomes)"
REFUSED = {
    "older": " is built for kernel API 0, this kernel has API 1; upgrade ragproof-test-contract",
    "newer": " is built for kernel API 2, this kernel has API 1; upgrade ragproof-core",
    "text_version": ": TextVersion.api_version is '1'; expected an integer literal such as 1",
    "bool_version": ": BoolVersion.api_version is True; expected an integer literal such as 1",
    "no_version": ": NoVersion.api_version is None; expected an integer literal such as 1",
    "forgotten": ": score is not marked as a hook: put @hookimpl on it, outermost when there are other decorators; "
    "or set it to None if it is not meant as one",
    "hidden": ": score is not marked as a hook: put @hookimpl on it, outermost when there are other decorators; "
    "or set it to None if it is not meant as one",
    "unknown": ": summarise is marked as a hook, but a metric has no such hook; did you mean summarize?",
    "keyword_only": f": score has the keyword-only parameter 'case', which is never filled; {SCORE}",
    "default": f": score has a default for 'case', so it is never filled; remove the default; {SCORE}",
    "kwargs": f": score takes **kwargs, which is never filled; list the arguments you want; {SCORE}",
    "misnamed": f": score has a parameter 'kase' that the kernel does not know; {SCORE}",
    "hookless": ": it lacks score; a metric has the hooks: score, summarize",
    "function": ": the entry point 'ragproof_test_contract:function' gives function, expected a class",
}
FINE = ("direction", "needs", "unbuildable", "required", "properties")


@pytest.mark.parametrize("name", REFUSED)
def test_a_component_that_breaks_the_contract_is_refused(distributions, name):
    distributions("contract")
    entry = find(scan(), "metric", f"contract.{name}")
    assert check_entry(entry) == ("refused", WHO.format(name) + REFUSED[name])


@pytest.mark.parametrize("name", REFUSED)
def test_building_refuses_with_the_same_words(distributions, tmp_path, name):
    distributions("contract")
    with pytest.raises(PluginError) as caught:
        build(find(scan(), "metric", f"contract.{name}"), {}, "metrics", tmp_path)
    assert str(caught.value) == WHO.format(name) + REFUSED[name]


@pytest.mark.parametrize("name", FINE)
def test_what_shows_only_when_built_passes_the_check(distributions, name):
    distributions("contract")
    assert check_entry(find(scan(), "metric", f"contract.{name}")) == ("ok", None)


def test_properties_are_never_evaluated(distributions, tmp_path):
    distributions("contract")
    component = build(find(scan(), "metric", "contract.properties"), {}, "metrics", tmp_path)
    assert component.hooks == {"score"}


def test_a_component_that_cannot_be_built_says_why(distributions, tmp_path):
    distributions("contract")
    with pytest.raises(PluginError) as caught:
        build(find(scan(), "metric", "contract.unbuildable"), {}, "metrics", tmp_path)
    assert str(caught.value) == WHO.format("unbuildable") + " cannot be built: RuntimeError: no model file"


def test_the_refusal_table_covers_the_distribution(distributions):
    distributions("contract")
    names = {entry.name.removeprefix("contract.") for entry in scan() if entry.name.startswith("contract.")}
    assert names == {*REFUSED, *FINE}


def test_hooks_and_their_arguments():
    assert hook_arguments("adapter") == {
        "retrieve": ("question", "k", "history", "metadata"),
        "answer": ("question", "history", "metadata"),
        "retrieve_exact": ("question", "k"),
        "close": (),
    }
    assert hook_arguments("metric") == {
        "score": ("case", "response", "judge", "run", "outcomes"),
        "summarize": ("rows", "run"),
    }
    assert hook_arguments("judge") == {"complete": ("request",), "close": ()}
    assert set(hook_arguments("store")) == {
        "open_run", "add_results", "finish_run", "runs", "results", "cache_get", "cache_put", "add_calibration",
        "calibrations", "close",
    }  # fmt: skip


def test_hooks_of_a_class_are_the_marked_ones(distributions):
    distributions("ok")
    from ragproof_test_ok import Half, Pipeline

    assert hooks_of_class("adapter", Pipeline) == {"retrieve", "answer"}
    assert hooks_of_class("metric", Half) == {"score", "summarize"}


def test_a_capability_is_dropped_by_setting_it_to_none(distributions, tmp_path):
    distributions("ok")
    from ragproof_test_ok import Pipeline

    from ragproof_core.plugins.component import from_object

    class RetrievalOnly(Pipeline):
        def __init__(self, settings):
            super().__init__(settings)
            self.answer = None

    component = from_object("adapter", RetrievalOnly(Pipeline.Settings()), "x")
    assert component.hooks == {"retrieve"}
