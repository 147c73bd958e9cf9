"""Choosing metrics: names, patterns, aliases, order, and what is left out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragproof_core.config.schema import MetricChoice
from ragproof_core.engine.scoring import hooks_wanted
from ragproof_core.engine.selection import choose, in_order, levels
from ragproof_core.errors import ConfigError, PluginError, PluginNotFoundError, PluginRefusedError
from ragproof_core.plugins.catalog import Blocking, scan


@pytest.fixture
def chosen(distributions, tmp_path):
    distributions("ok", "broken", "contract", "twins")

    def choose_them(*choices, blocked=(), warnings=None):
        found = [MetricChoice.model_validate({"use": each} if isinstance(each, str) else each) for each in choices]
        warn = pytest.fail if warnings is None else warnings.append
        return choose(found, scan(Blocking.from_sources(blocked)), tmp_path, warn)

    return choose_them


def names(metrics):
    return [metric.name for metric in metrics]


def test_a_metric_has_its_declarations(chosen):
    (half,) = chosen("ok.half")
    assert (half.name, half.direction, half.low, half.high, half.unit) == ("ok.half", "higher", 0.0, 1.0, "share")
    assert (half.needs, half.wants, half.after, half.prompts) == ((), (), (), ())
    assert half.kinds == {"qa", "unanswerable", "injection"}
    assert half.description == "always one half"


def test_metrics_are_sorted_by_name_each_behind_those_it_comes_after(chosen):
    assert names(chosen("ok.*")) == ["ok.half", "ok.after", "ok.deep"]
    assert levels(chosen("ok.*")) == {"ok.half": 0, "ok.after": 1, "ok.deep": 0}
    assert names(chosen("ok.deep", "ok.after")) == ["ok.after", "ok.deep"]


def test_a_circle_is_named(chosen):
    half, after, deep = chosen("ok.*")
    circle = [replace(half, after=("ok.deep",)), after, replace(deep, after=("ok.after",))]
    with pytest.raises(PluginError) as caught:
        in_order(circle)
    assert str(caught.value) == (
        "metrics wait for each other: ok.after → ok.half → ok.deep → ok.after; block one of them"
    )


CIRCLE = "metrics wait for each other: circle.first → circle.second → circle.first; block one of them"


@pytest.mark.parametrize("pattern", ["*", "circle.*", "*[kcl]*"])
def test_metrics_of_a_pattern_that_wait_for_each_other_are_left_out(chosen, distributions, pattern):
    distributions("circle")
    warnings: list[str] = []
    kept = names(chosen("ok.half", pattern, warnings=warnings))
    assert [name for name in kept if name.startswith(("circle.", "ok.half"))] == ["circle.outside", "ok.half"]
    assert [text for text in warnings if "circle" in text] == [
        f"left out: {CIRCLE}",
        "left out: metrics wait for each other: circle.itself → circle.itself; block one of them",
    ]


@pytest.mark.parametrize("named", ["circle.first", "circle.second"])
def test_a_circle_of_a_named_metric_is_an_error(chosen, distributions, named):
    distributions("circle")
    with pytest.raises(PluginError) as caught:
        chosen("circle.*", named, blocked=["circle.itself"])
    assert str(caught.value) == CIRCLE
    assert names(chosen(named)) == [named]


def test_nothing_but_a_circle_leaves_nothing(chosen, distributions):
    distributions("circle")
    with pytest.raises(PluginNotFoundError, match=r"^no metric to run: of circle\.itsel\* none can be used"):
        chosen("circle.itsel*", warnings=[])


def test_a_second_instance_has_its_own_name_and_settings(chosen):
    first, second = chosen("ok.deep", {"use": "ok.deep", "k": 7, "as": "ok.deeper"})
    assert (first.name, first.component.instance.k) == ("ok.deep", 2)
    assert (second.name, second.component.instance.k) == ("ok.deeper", 7)


def test_settings_of_a_later_choice_win_over_a_pattern(chosen):
    assert [metric.component.instance.k for metric in chosen("ok.d*", {"use": "ok.deep", "k": 9})] == [9]
    assert [metric.component.instance.k for metric in chosen({"use": "ok.deep", "k": 9}, "ok.d*")] == [9]


REFUSALS = [
    (["ok.deep", {"use": "ok.half", "as": "ok.deep"}], ConfigError, "metrics: the name 'ok.deep' is used twice"),
    ([{"use": "ok.*", "as": "x"}], ConfigError, "metrics.ok.*: 'as' renames one metric, a pattern may be many"),
    ([{"use": "ok.deep", "kk": 3}], ConfigError, "metrics.ok.deep.kk: unknown key; did you mean 'k'?"),
    ([{"use": "ok.deep", "k": 0}], ConfigError, "metrics.ok.deep.k: input should be greater than or equal to 1"),
    (["ok.haf"], PluginNotFoundError, "no metric is called 'ok.haf'; did you mean 'ok.half'"),
    (["nothing.*"], PluginNotFoundError, "metrics: no installed metric matches 'nothing.*'; installed: "),
    (
        ["broken.missing"],
        PluginError,
        (
            "metric 'broken.missing' of ragproof-test-broken 1.0 cannot be imported: "
            "ModuleNotFoundError: No module named 'a_dependency_that_nobody_has'"
        ),
    ),
    (["twin.score"], PluginError, "metric 'twin.score' is provided by several packages; name one of: "),
    (["contract.required"], ConfigError, "metrics.contract.required.model: is required"),
    (
        ["contract.direction"],
        PluginRefusedError,
        (
            "metric 'contract.direction' of ragproof-test-contract 1.0: direction is 'up'; "
            "expected one of higher, lower, none"
        ),
    ),
    (
        ["contract.needs"],
        PluginRefusedError,
        "metric 'contract.needs' of ragproof-test-contract 1.0: needs is ('retreival',); expected a tuple of retrieval,",
    ),
]


@pytest.mark.parametrize(("choices", "kind", "message"), REFUSALS)
def test_a_named_metric_that_cannot_be_used_is_an_error(chosen, choices, kind, message):
    with pytest.raises(kind) as caught:
        chosen(*choices)
    assert str(caught.value).startswith(message)


def test_a_pattern_leaves_out_what_cannot_be_used_with_a_warning_each(chosen):
    warnings: list[str] = []
    kept = chosen("ok.half", "broken.*", "twin.*", "contract.*", warnings=warnings)
    assert names(kept) == ["broken.prints", "contract.properties", "ok.half"]
    start = "left out: metric 'broken."
    assert [text for text in warnings if "broken" in text] == [
        f"{start}asserts' of ragproof-test-broken 1.0 cannot be imported: AssertionError: arithmetic is off",
        (f"{start}attribute' of ragproof-test-broken 1.0 cannot be imported: "
        "AttributeError: module 'ragproof_test_prints' has no attribute 'Absent'"),
        f"{start}exits' of ragproof-test-broken 1.0 cannot be imported: it called sys.exit(0) while being imported",
        (f"{start}missing' of ragproof-test-broken 1.0 cannot be imported: "
        "ModuleNotFoundError: No module named 'a_dependency_that_nobody_has'"),
        (f"{start}panics' of ragproof-test-broken 1.0 cannot be imported: "
        "PanicException: called unwrap() on None"),
        (f"{start}raises' of ragproof-test-broken 1.0 cannot be imported: "
        "ValueError: no licence file\x1b[31m found"),
    ]  # fmt: skip
    assert [text.partition(";")[0] for text in warnings if "twin" in text] == [
        "metric 'twin.score' is left out: also provided by ragproof-test-twin-b",
        "metric 'twin.score' is left out: also provided by ragproof-test-twin-a",
    ]
    assert "left out: metric 'contract.required': metrics.contract.*.model: is required" in warnings
    assert len(warnings) == 6 + 2 + 18


def test_settings_given_to_a_pattern_must_fit(chosen):
    with pytest.raises(ConfigError, match=r"^metrics\.ok\.\*: After takes no settings, found k$"):
        chosen({"use": "ok.*", "k": 3})


def test_blocked_metrics_are_left_out_in_silence_and_nothing_left_is_an_error(chosen):
    assert names(chosen("ok.*", blocked=["ok.after"])) == ["ok.deep", "ok.half"]
    with pytest.raises(
        PluginNotFoundError,
        match=r"^no metric to run: of ok\.\* none can be used; 'ragproof plugins --check' says why$",
    ):
        chosen("ok.*", blocked=["ok.*"])
    with pytest.raises(PluginError, match=r"^metric 'ok.half' is blocked by plugins.block in the config$"):
        chosen("ok.half", blocked=["ok.*"])


def test_only_hooks_that_a_metric_needs_or_wants_are_called(chosen):
    deep, half = chosen("ok.half", "ok.deep")
    assert hooks_wanted([half]) == set()
    assert hooks_wanted([half, deep]) == {"retrieve"}
    assert hooks_wanted([replace(half, wants=("answer",))]) == {"answer"}
    assert hooks_wanted([replace(half, needs=("exact_retrieval",))]) == {"retrieve", "retrieve_exact"}
    assert hooks_wanted([replace(half, needs=("context",))]) == {"retrieve", "answer"}


@pytest.mark.parametrize("others", [["ok.half"], ["ok.*"]])
def test_a_renamed_metric_never_stands_in_for_a_real_one(chosen, others):
    with pytest.raises(ConfigError, match=r"^metrics: the name 'ok.half' is used twice$"):
        chosen(MetricChoice.model_validate({"use": "ok.deep", "as": "ok.half"}), *others)
