"""What a metric returns or raises, and the outcome that it becomes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from ragproof_core import Case, JudgeError, Outcome, Response, RunSettings
from ragproof_core.config.schema import MetricChoice
from ragproof_core.engine.scoring import Planner, checked, score
from ragproof_core.engine.selection import choose
from ragproof_core.errors import BudgetExceededError
from ragproof_core.models.outcome import error, judge_error, not_applicable, scored, skipped
from ragproof_core.plugins.catalog import scan

CASE = Case(id="c1", question="q")


@pytest.fixture
def metric(distributions, tmp_path):
    distributions("metrics", "ok")

    def named(name):
        (found,) = choose([MetricChoice(use=name)], scan(), tmp_path, pytest.fail)
        return found

    return named


def outcome(metric):
    return score(metric, CASE, Response(), None, RunSettings(), {})


NO_NUMBER = "expected a number or an Outcome"
VALUES = {
    "fine": scored(0.75),
    "integer": scored(1.0),
    "async": scored(0.25),
    "above": error("bad.above returned 1.7, outside its range 0 to 1"),
    "nan": error("bad.nan returned nan, which is not a finite number"),
    "inner": error("bad.inner returned nan, which is not a finite number"),
    "inf": error("bad.inf returned inf, which is not a finite number"),
    "bool": error(f"bad.bool returned True; {NO_NUMBER}"),
    "text": error(f"bad.text returned '0.5'; {NO_NUMBER}"),
    "none": error(f"bad.none returned None; {NO_NUMBER}"),
    "tuple": error(f"bad.tuple returned ('scored', 1.0, None); {NO_NUMBER}"),
    "huge": error("bad.huge returned a whole number too large to be a score"),
    "status": error(
        "bad.status returned Outcome(status='fine', value=None, reason='all is well'), which is no outcome"
    ),
    "reason": error("bad.reason returned Outcome(status='skipped', value=None, reason=5), which is no outcome"),
    "repr": error(f"bad.repr returned a Unshowable that cannot be shown; {NO_NUMBER}"),
    "raises": error("bad.raises raised KeyError: 'c1'"),
    "exits": error("bad.exits raised SystemExit: 7"),
    "panics": error("bad.panics raised Panic: index out of bounds"),
}


@pytest.mark.parametrize("name", VALUES)
def test_what_a_metric_gives_becomes_an_outcome(metric, name):
    assert outcome(metric(f"bad.{name}")) == VALUES[name]


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        (0.0, scored(0.0)),
        (1.0, scored(1.0)),
        (-1e-12, error("ok.half returned -1e-12, outside its range 0 to 1")),
        (scored(0.5, "why"), scored(0.5, "why")),
        (scored(2.0, "why"), error("ok.half returned 2.0, outside its range 0 to 1")),
        (scored(None), error("ok.half returned None; expected a number or an Outcome")),
        (skipped("no answer"), skipped("no answer")),
        (Outcome("skipped", 0.0, "zero"), skipped("zero")),
        (not_applicable("no claims"), not_applicable("no claims")),
        (judge_error("truncated"), judge_error("truncated")),
        ([0.5], error("ok.half returned [0.5]; expected a number or an Outcome")),
        ("x" * 500, error(f"ok.half returned '{'x' * 119}…; expected a number or an Outcome")),
        (Fraction(1, 2), error("ok.half returned Fraction(1, 2); expected a number or an Outcome")),
    ],
)
def test_checked_values(metric, returned, expected):
    assert checked(metric("ok.half"), returned) == expected


@pytest.mark.parametrize(
    ("low", "high", "value", "shown"), [(None, 1.0, 2.0, "-∞ to 1"), (0.0, None, -1.0, "0 to ∞"), (1, 5, 0, "1 to 5")]
)
def test_the_range_in_the_message(metric, low, high, value, shown):
    bounded = replace(metric("ok.half"), low=low, high=high)
    assert checked(bounded, value).reason == f"ok.half returned {float(value)}, outside its range {shown}"


@given(st.floats(allow_nan=True, allow_infinity=True) | st.integers())
def test_a_scored_value_is_always_finite_and_in_range(value):
    class Bounded:
        name, low, high, least, most = "m", -3.0, 3.0, -3.0, 3.0

    found = checked(Bounded(), value)
    assert (found.status == "scored") == (-3 <= value <= 3)
    assert found.value is None if found.status == "error" else found.value == value


def raising(metric, problem):
    def raise_it(*_):
        raise problem

    return replace(metric, score=raise_it)


class Reason(str):
    """A text that no dict can count."""

    __slots__ = ()

    __hash__ = None


class Silent:
    """Cannot even be shown."""

    def __repr__(self):
        raise SystemExit(3)


class Liar(float):
    """A number that is none when it is asked for."""

    def __float__(self):
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        (Outcome("skipped", None, Reason("why")), skipped("why")),
        (Outcome("scored", 0.5, Reason("note")), scored(0.5, "note")),
        (Outcome([], 0.5), error("ok.half returned Outcome(status=[], value=0.5, reason=None), which is no outcome")),
        (Silent(), error("ok.half raised SystemExit: 3")),
        (Liar(0.5), error("ok.half raised RuntimeError: no")),
    ],
)
def test_odd_returns_are_the_metrics_own_error(metric, returned, expected):
    found = outcome(replace(metric("ok.half"), score=lambda *_: returned))
    assert found == expected
    assert found.reason is None or type(found.reason) is str


def test_judge_errors_and_budgets_keep_their_kind(metric):
    half = metric("ok.half")
    assert outcome(raising(half, JudgeError("truncated"))) == judge_error("truncated")
    with pytest.raises(BudgetExceededError):
        outcome(raising(half, BudgetExceededError("spent")))


def test_only_the_outcomes_named_in_after_are_seen(metric):
    seen = []
    spy = replace(metric("ok.half"), after=("a", "b"), score=lambda *given: seen.append(given[4]) or 1.0)
    score(spy, CASE, Response(), None, RunSettings(), {"a": scored(1.0), "c": scored(0.0)})
    assert seen == [{"a": scored(1.0)}]


def test_a_plan_skips_with_the_first_reason_and_makes_rounds(metric, tmp_path):
    half, after = choose([MetricChoice(use="ok.half"), MetricChoice(use="ok.after")], scan(), tmp_path, pytest.fail)
    needy = replace(half, name="needy", needs=("retrieval", "keywords"))
    picky = replace(half, name="picky", kinds=frozenset({"injection", "unanswerable"}))
    asking = replace(half, name="asking", needs=("judge",))
    plan = Planner([half, after, needy, picky, asking], judge=False).plan(CASE, Response())
    assert plan.skipped == {
        "needy": skipped("adapter does not expose retrieval"),
        "picky": skipped("applies to injection and unanswerable cases only"),
        "asking": skipped("no judge is configured: set RAGPROOF_JUDGE_MODEL, or 'judge' in the config"),
    }
    assert [[m.name for m in each.plain] for each in plan.rounds] == [["ok.half"], ["ok.after"]]
    judged = Planner([half, asking], judge=True).plan(CASE, Response())
    assert [m.name for m in judged.rounds[0].judged] == ["asking"]
