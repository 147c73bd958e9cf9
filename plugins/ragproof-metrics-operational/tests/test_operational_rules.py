import time
from importlib.metadata import entry_points
from math import inf, nan

import pytest

from ragproof_core import evaluate
from ragproof_core.plugins.contract import register

METRICS = {
    entry.name.removeprefix("operational."): entry.load()
    for entry in entry_points(group="ragproof.metrics")
    if entry.value.startswith("ragproof_metrics_operational.")
}
DECLARED = {  # direction, unit, upper bound
    "latency_ms": ("lower", "ms", None),
    "retrieve_latency_ms": ("lower", "ms", None),
    "answer_latency_ms": ("lower", "ms", None),
    "time_to_first_token_ms": ("lower", "ms", None),
    "input_tokens": ("lower", "tokens", None),
    "output_tokens": ("lower", "tokens", None),
    "cost_usd": ("lower", "usd", None),
    "task_success": ("higher", "share", 1.0),
    "escalated": ("lower", "share", 1.0),
    "retrieval_called": ("none", "share", 1.0),
    "steps": ("lower", "count", None),
    "cache_hit": ("none", "share", 1.0),
}
FLAGS = ("task_success", "escalated", "retrieval_called", "cache_hit")


class Reporting:
    """A pipeline without retrieve() that reports what it is told to."""

    def __init__(self, **reported):
        self.reported = reported

    def answer(self, question):
        return {"answer_text": "27 days", **self.reported}


def outcomes(adapter, *names, kind="qa", config=None):
    patterns = [f"operational.{name}" for name in names] or "operational.*"
    case = {"id": "1", "question": "?", "kind": kind}
    [row] = evaluate(config, cases=[case], adapter=adapter, metrics=patterns).rows
    return {name.removeprefix("operational."): outcome for name, outcome in row.scores.items()}


def test_declarations():
    found = {name: (metric.direction, metric.unit, metric.range[1]) for name, metric in METRICS.items()}
    assert found == DECLARED
    for name, metric in METRICS.items():
        _, hooks = register("metric", metric(), name)
        assert hooks == {"score"}
        assert metric.range[0] == 0.0
        assert metric.description
        assert metric.source


@pytest.mark.parametrize("kind", ["qa", "unanswerable", "injection"])
def test_all_apply_to_cases_of_every_kind(kind):
    adapter = Reporting(
        usage={"input_tokens": 812, "output_tokens": 31, "cost_usd": 0.0021},
        timings_ms={"time_to_first_token": 240},
        trace={"task_success": True, "escalated": False, "retrieval_called": 1, "steps": 3, "cache_hit": 0},
    )
    found = outcomes(adapter, kind=kind)
    assert found.pop("retrieve_latency_ms") == ("skipped", None, "adapter does not expose retrieval")
    assert found.pop("latency_ms").value >= found.pop("answer_latency_ms").value > 0
    assert {name: outcome.value for name, outcome in found.items()} == {
        "time_to_first_token_ms": 240.0,
        "input_tokens": 812.0,
        "output_tokens": 31.0,
        "cost_usd": 0.0021,
        "task_success": 1.0,
        "escalated": 0.0,
        "retrieval_called": 1.0,
        "steps": 3.0,
        "cache_hit": 0.0,
    }


def test_what_is_not_reported_is_skipped_and_named():
    found = outcomes(Reporting(usage={"input_tokens": 0}, trace={"steps": None}))
    assert found["input_tokens"] == ("scored", 0.0, None)  # zero is a value
    assert {name: outcome.reason for name, outcome in found.items() if outcome.status == "skipped"} == {
        "retrieve_latency_ms": "adapter does not expose retrieval",
        "time_to_first_token_ms": "adapter reports no timings_ms.time_to_first_token",
        "output_tokens": "adapter reports no usage.output_tokens",
        "cost_usd": "adapter reports no usage.cost_usd",
        **{key: f"adapter reports no trace.{key}" for key in (*FLAGS, "steps")},
    }


def test_an_adapter_without_answers_skips_all_but_its_own_latency():
    class Searching:
        def retrieve(self, question):
            return [{"id": "A"}]

    found = outcomes(Searching())
    timed = {"latency_ms", "retrieve_latency_ms"}
    assert {name for name, outcome in found.items() if outcome.status == "scored"} == timed
    assert {outcome.reason for name, outcome in found.items() if name not in timed} == {
        "adapter does not expose answers"
    }


def test_latencies_are_wall_clock_milliseconds_by_stage():
    class Slow:
        def retrieve(self, question):
            time.sleep(0.020)
            return []

        def answer(self, question):
            time.sleep(0.060)
            return "27 days"

    found = outcomes(Slow(), "latency_ms", "retrieve_latency_ms", "answer_latency_ms")
    retrieve, answer = found["retrieve_latency_ms"].value, found["answer_latency_ms"].value
    assert retrieve >= 20
    assert answer >= 60
    assert found["latency_ms"].value == pytest.approx(retrieve + answer, abs=1e-6)


def test_total_latency_alone_makes_the_engine_call_both_stages():
    calls = []

    class Counting:
        def retrieve(self, question):
            calls.append("retrieve")
            return []

        def answer(self, question):
            calls.append("answer")
            return "27 days"

    assert outcomes(Counting(), "latency_ms")["latency_ms"].status == "scored"
    assert calls == ["retrieve", "answer"]
    calls.clear()
    outcomes(Counting(), "retrieve_latency_ms")
    assert calls == ["retrieve"]


def test_the_documented_key_of_the_first_token_goes_first():
    both = Reporting(timings_ms={"time_to_first_token_ms": 250, "time_to_first_token": 240})
    assert outcomes(both)["time_to_first_token_ms"].value == 240.0
    other = Reporting(timings_ms={"time_to_first_token_ms": 250, "total": 900})
    assert outcomes(other)["time_to_first_token_ms"].value == 250.0


def traced(keys, values):
    """The outcomes by case and key of one run over cases whose trace has each of the values at every key."""

    class Tracing:
        def answer(self, question):
            return {"answer_text": "27 days", "trace": dict.fromkeys(keys, values[int(question)])}

    cases = [{"id": str(n), "question": str(n)} for n in range(len(values))]
    report = evaluate(cases=cases, adapter=Tracing(), metrics=[f"operational.{key}" for key in keys])
    return [{name.removeprefix("operational."): outcome for name, outcome in row.scores.items()} for row in report]


def test_flags_take_booleans_and_zero_or_one():
    accepted = [(True, 1.0), (False, 0.0), (1, 1.0), (0, 0.0), (1.0, 1.0), (0.0, 0.0)]
    for (_, number), found in zip(accepted, traced(FLAGS, [value for value, _ in accepted]), strict=True):
        assert found == dict.fromkeys(FLAGS, ("scored", number, None))


def test_any_other_flag_is_an_error_that_names_the_value():
    refused = [
        ("yes", "'yes'"),
        ("1", "'1'"),
        ("", "''"),
        (nan, "nan"),
        (inf, "inf"),
        (-1, "-1"),
        (0.5, "0.5"),
        (2, "2"),
        ([], "[]"),
        ([True], "[True]"),
        ({"ok": True}, "{'ok': True}"),
        ("x" * 100, f"'{'x' * 59}…"),
    ]
    for (_, shown), found in zip(refused, traced(FLAGS, [value for value, _ in refused]), strict=True):
        assert found == {
            key: ("error", None, f"trace.{key} is {shown}; expected true or false (or 1 or 0)") for key in FLAGS
        }


def test_steps_are_whole_numbers():
    accepted = [(0, 0.0), (1, 1.0), (12, 12.0), (3.0, 3.0), (10**12, 1e12)]
    found = traced(["steps"], [value for value, _ in accepted])
    assert [case["steps"] for case in found] == [("scored", number, None) for _, number in accepted]


def test_any_other_step_count_is_an_error_that_names_the_value():
    refused = [-1, -0.5, 2.5, nan, inf, -inf, True, False, "3", ["search", "answer"]]
    assert [case["steps"] for case in traced(["steps"], refused)] == [
        ("error", None, f"trace.steps is {value!r}; expected a whole number, 0 or more") for value in refused
    ]


def test_one_wrong_value_spoils_no_other_metric():
    found = outcomes(Reporting(trace={"escalated": "no", "steps": 2}))
    assert found["escalated"].status == "error"
    assert found["steps"].value == 2.0


def test_a_failed_case_is_an_error_of_every_metric_and_enters_no_mean():
    class Failing:
        def answer(self, question):
            if question == "fails":
                raise ValueError("index is down")
            return {"answer_text": "27 days", "usage": {"output_tokens": 30}}

    cases = [{"id": "1", "question": "works"}, {"id": "2", "question": "fails"}]
    report = evaluate(cases=cases, adapter=Failing(), metrics=["operational.*"])
    tokens, latency = report["operational.output_tokens"], report["operational.latency_ms"]
    assert (tokens.mean, tokens.scored, tokens.errors) == (30.0, 1, 1)
    assert (latency.scored, latency.errors) == (1, 1)


def test_percentiles_are_nearest_rank():
    class Stepping:
        def answer(self, question):
            return {"answer_text": "27 days", "trace": {"steps": int(question)}}

    cases = [{"id": str(n), "question": str(n)} for n in range(1, 101)]
    steps = evaluate(cases=cases, adapter=Stepping(), metrics=["operational.steps"])["operational.steps"]
    assert (steps.mean, steps.p50, steps.p95, steps.p99) == (50.5, 50.0, 95.0, 99.0)  # ceil(fraction · 100)
