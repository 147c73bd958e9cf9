import pytest
from ragproof_metrics_generation.citation_support import CitationSupport

from ragproof_core import Chunk, JudgeError


def verdicts(**supports):
    return {"citations": [{"chunk_id": name, "supports": yes} for name, yes in supports.items()]}


@pytest.mark.parametrize(
    ("cited", "reply", "value", "note"),
    [
        (["c1"], verdicts(c1=True), 1.0, None),
        (["c1", "c2"], verdicts(c1=True, c2=False), 1 / 2, None),
        (["c1", "c1", "c2"], verdicts(c1=True, c2=False), 1 / 2, None),  # each cited id once
        (["c1", "c2", "c3"], verdicts(c2=True), 1 / 3, "no verdict for c1, c3: counted as no"),
        (["c1"], verdicts(), 0.0, "no verdict for c1: counted as no"),
        (["c1"], verdicts(c1=False, c2=True, zz=True), 0.0, "verdict for unknown c2, zz: ignored"),
        (
            ["c1", "c2"],
            verdicts(c1=True, c3=True),
            1 / 2,
            "no verdict for c2: counted as no; verdict for unknown c3: ignored",
        ),
        (["c1", "gone"], verdicts(c1=True), 1 / 2, "no text in the context for gone: counted as no"),
    ],
)
def test_supported_over_cited(judged, cited, reply, value, note):
    outcome, _ = judged(CitationSupport(), reply, citations=cited, context=("c1", "c2", "c3"))
    assert (outcome.status, outcome.value, outcome.reason) == ("scored", value, note)


@pytest.mark.parametrize(
    ("context", "answer"),
    [((), "Text."), ((Chunk("c1", " "),), "Text."), (("other",), "Text."), (("c1",), "  ")],
)
def test_nothing_to_judge_is_zero_without_asking(judged, context, answer):
    outcome, judge = judged(CitationSupport(), verdicts(c1=True), citations=["c1"], context=context, answer=answer)
    assert outcome.value == 0.0
    assert judge.variables == []


def test_the_judge_sees_the_cited_chunks_and_what_cites_them(judged):
    citations = [
        {"chunk_id": "c2", "text": "Second."},
        {"chunk_id": "c1"},
        {"chunk_id": "c2", "text": "Twice."},
        {"chunk_id": "c2", "text": "Second."},
    ]
    _, judge = judged(CitationSupport(), verdicts(c1=True, c2=True), citations=citations, context=("c1", "c2", "c3"))
    (variables,) = judge.variables
    assert variables["passages"] == (Chunk("c2", "Second.\nTwice."),)
    assert variables["cited"] == (Chunk("c2", "Text of c2."), Chunk("c1", "Text of c1."))


def test_a_cited_document_stands_for_its_chunks(judged):
    context = [Chunk(f"d-{n}", f"Part {n}.", metadata={"document_id": "d"}) for n in (1, 2)]
    outcome, judge = judged(CitationSupport(), verdicts(d=True), citations=["d"], context=context, context_ids=("d",))
    assert outcome.value == 1.0
    assert judge.variables[0]["cited"] == (Chunk("d", "Part 1.\n\nPart 2."),)


def test_numbers_as_ids_are_read_and_contradictions_are_not(judged):
    reply = {"citations": [{"chunk_id": 12, "supports": True}, {"chunk_id": "12", "supports": True}]}
    assert judged(CitationSupport(), reply, citations=[12], context=("12",))[0].value == 1.0
    reply["citations"][1]["supports"] = False
    with pytest.raises(JudgeError, match="two different verdicts for chunk '12'"):
        judged(CitationSupport(), reply, citations=[12], context=("12",))


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"answer": None}, "adapter does not expose answers"),
        ({"citations": []}, "answer has no citations"),
        ({"context": None}, "no context: the adapter returned no chunks"),
        ({"reply": None}, "no judge is configured: set RAGPROOF_JUDGE_MODEL, or 'judge' in the config"),
    ],
)
def test_citation_support_skips(judged, given, reason):
    outcome, _ = judged(CitationSupport(), **({"reply": verdicts(c1=True), "citations": ["c1"]} | given))
    assert (outcome.status, outcome.reason) == ("skipped", reason)
