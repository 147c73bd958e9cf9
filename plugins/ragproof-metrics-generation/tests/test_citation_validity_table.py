import pytest
from ragproof_metrics_generation.citation_validity import CitationValidity

from ragproof_core import Answer, Chunk, Response


def response(cited, context, context_ids=None):
    chunks = None if context is None else tuple(Chunk(name, "text") for name in context)
    return Response(answer=Answer("text", citations=cited), context=chunks, context_ids=context_ids)


@pytest.mark.parametrize(
    ("cited", "context", "value"),
    [
        (["a"], ["a", "b"], 1.0),
        (["a", "x"], ["a", "b"], 1 / 2),
        (["a", "b", "x"], ["a", "b", "c"], 2 / 3),
        (["a", "a", "a", "x"], ["a"], 1 / 2),  # each cited id counts once
        (["x"], ["a"], 0.0),
        (["a"], [], 0.0),  # an empty context: every citation points at nothing
        ([12], ["12"], 1.0),  # ids are compared as text
        (["A"], ["a"], 0.0),
    ],
)
def test_share_of_cited_ids_in_the_context(cited, context, value):
    assert CitationValidity().score(response(cited, context)).value == value


def test_invalid_ids_are_named():
    assert CitationValidity().score(response(["a", "z", "y"], ["a"])).reason == "not in the context: y, z"
    assert CitationValidity().score(response(["a"], ["a"])).reason is None


def test_a_document_can_be_cited_when_sources_are_documents():
    assert CitationValidity().score(response(["doc"], ["doc-1"], ("doc",))).value == 1.0
    assert CitationValidity().score(response(["doc-1"], ["doc-1"], ("doc",))).value == 1.0


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (Response(context=()), "adapter does not expose answers"),
        (Response(answer=Answer("text"), context=()), "answer has no citations"),
        (
            Response(answer=Answer("text", citations=["a"])),
            "no context: the adapter returned no chunks",
        ),
    ],
)
def test_skips(given, reason):
    outcome = CitationValidity().score(given)
    assert (outcome.status, outcome.value, outcome.reason) == ("skipped", None, reason)
