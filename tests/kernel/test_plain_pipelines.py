"""Any object with ``retrieve`` or ``answer`` is a pipeline: which signatures work, and which do not."""

from __future__ import annotations

import pytest

from ragproof_core import ConfigError, evaluate
from ragproof_core.plugins.plain import PlainAdapter

CASE = {
    "id": "c1", "question": "q1", "expected_source_ids": ["a"], "expected_answer": "a", "metadata": {"lang": "de"},
    "history": [{"role": "user", "content": "hi"}],
}  # fmt: skip
EVERYTHING = {
    "question": "q1", "k": 5, "history": [{"role": "user", "content": "hi"}], "metadata": {"lang": "de"},
}  # fmt: skip


def retrieving(function):
    """Make an object whose ``retrieve`` is this function."""
    return type("Pipeline", (), {"retrieve": staticmethod(function)})()


def given_to(function):
    """Run one case and return what the function got."""
    seen = {}

    def keep(got):
        seen.update(got)
        return [{"id": "a"}]

    report = evaluate(cases=[CASE], adapter=retrieving(function(keep)), metrics="retrieval.mrr")
    assert [(row.status, row.error) for row in report.rows] == [("ok", None)]
    assert report["retrieval.mrr"].mean == 1.0
    return seen


SIGNATURES = {
    "question": lambda keep: lambda question: keep({"question": question}),
    "question, k=3": lambda keep: lambda question, k=3: keep({"question": question, "k": k}),
    "k, question": lambda keep: lambda k, question: keep({"question": question, "k": k}),
    "*, question, k": lambda keep: lambda *, question, k: keep({"question": question, "k": k}),
    "**kwargs": lambda keep: lambda **kwargs: keep(kwargs),
    "question, **rest": lambda keep: lambda question, **rest: keep({"question": question, **rest}),
    "*args, question": lambda keep: lambda *args, question: keep({"question": question, "args": args}),
    "question, alpha=0.5": lambda keep: lambda question, alpha=0.5: keep({"question": question, "alpha": alpha}),
    "nothing": lambda keep: lambda: keep({}),
    "history, metadata": lambda keep: lambda history, metadata: keep({"history": history, "metadata": metadata}),
}


@pytest.mark.parametrize("signature", SIGNATURES)
def test_a_method_gets_the_arguments_that_it_names(signature):
    extra = {"args": (), "alpha": 0.5}
    seen = given_to(SIGNATURES[signature])
    assert seen == {name: extra.get(name, EVERYTHING.get(name)) for name in seen}
    if "**" in signature:
        assert seen == EVERYTHING


def test_a_coroutine_function_is_awaited():
    def wrapping(keep):
        async def retrieve(question, k=2):
            return keep({"question": question, "k": k})

        return retrieve

    assert given_to(wrapping) == {"question": "q1", "k": 5}


def test_a_generator_is_a_list():
    def retrieve(question):
        yield {"id": "b"}
        yield {"id": "a"}

    report = evaluate(cases=[CASE], adapter=retrieving(retrieve), metrics="retrieval.mrr")
    assert report["retrieval.mrr"].mean == 0.5


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda query: [], "Pipeline.retrieve asks for 'query', which the kernel does not have; rename it: "),
        (lambda question, n, m: [], "Pipeline.retrieve asks for 'n', 'm', which the kernel does not have; rename it: "),
        (lambda question, *, top: [], "Pipeline.retrieve asks for 'top', which the kernel does not have; rename it: "),
    ],
)
def test_a_parameter_that_the_kernel_does_not_have(function, message):
    with pytest.raises(ConfigError) as caught:
        PlainAdapter(retrieving(function))
    assert message in str(caught.value)
    assert str(caught.value).endswith("the kernel calls it with question, k, history, metadata")


@pytest.mark.parametrize("target", [object(), 5, None, type("Empty", (), {"retrieve": None, "close": print})()])
def test_an_object_without_retrieve_or_answer_is_no_pipeline(target):
    with pytest.raises(
        ConfigError, match=r"cannot be used as a pipeline: it needs a method retrieve\(question, k\) or"
    ):
        PlainAdapter(target)


def test_what_an_object_does_not_have_is_skipped():
    class Answering:
        def answer(self, question):
            return "a"

    report = evaluate(cases=[CASE], adapter=Answering(), metrics=["retrieval.mrr", "echo.exact_match"])
    assert report["echo.exact_match"].mean == 1.0
    assert report["retrieval.mrr"].skip_reasons == {"adapter does not expose retrieval": 1}


def test_the_expected_answer_and_sources_are_never_shown():
    seen = []

    class Curious:
        def retrieve(self, **kwargs):
            seen.append(kwargs)
            return []

        def answer(self, **kwargs):
            seen.append(kwargs)
            return ""

    evaluate(cases=[CASE], adapter=Curious(), metrics=["retrieval.mrr", "echo.exact_match"])
    assert [sorted(each) for each in seen] == [
        ["history", "k", "metadata", "question"], ["history", "metadata", "question"],
    ]  # fmt: skip
