"""TREC run files."""

import pytest
from ragproof_adapter_replay import Replay

from ragproof_core import Chunk, ConfigError

RUN = """\
101 Q0 doc-b 2 3.5 bm25
101 Q0 doc-a 1 9.25 bm25
102\tQ0\tdoc-c\t1\t1.0\tbm25
101 Q0 doc-d 3 7 bm25
"""


def build(tmp_path, text, questions=None, **settings):
    (tmp_path / "bm25.run").write_text(text, encoding="utf-8")
    if questions:
        (tmp_path / questions[0]).write_text(questions[1], encoding="utf-8")
        settings["questions"] = questions[0]
    return Replay(Replay.Settings(path="bm25.run", **settings), tmp_path)


def ids(chunks):
    return [chunk.id for chunk in chunks]


def test_without_topics_the_query_id_is_the_question(tmp_path):
    adapter = build(tmp_path, RUN)
    assert adapter.retrieve("101", 2, [], {}) == (Chunk("doc-a", "", 9.25), Chunk("doc-b", "", 3.5))
    assert adapter.answer is None


@pytest.mark.parametrize(
    "questions",
    [
        ("topics.tsv", "101\tWhat is a?\n102\tWhat is c?\n"),
        ("queries.jsonl", '{"_id": "101", "text": "What is a?"}\n{"_id": "102", "text": "What is c?"}\n'),
        ("cases.jsonl", '{"id": 101, "question": "What is a?"}\n{"id": 102, "question": "What is c?"}\n'),
        ("topics.csv", "qid,query\n101,What is a?\n102,What is c?\n"),
    ],
    ids=lambda questions: questions[0],
)
def test_topics_map_query_ids_to_questions(tmp_path, questions):
    adapter = build(tmp_path, RUN, questions)
    assert ids(adapter.retrieve("What is a?", 9, [], {})) == ["doc-a", "doc-b", "doc-d"]
    assert ids(adapter.retrieve("What is c?", 9, [], {})) == ["doc-c"]


def test_the_query_id_may_be_in_the_cases_metadata(tmp_path):
    adapter = build(tmp_path, RUN, key="qid")
    assert ids(adapter.retrieve("whatever", 9, [], {"qid": 102})) == ["doc-c"]


def test_score_order_is_trec_evals(tmp_path):
    ties = "1 Q0 a 0 2.0 t\n1 Q0 c 0 1.0 t\n1 Q0 b 0 2.0 t\n"
    # highest score first; at 2.0 the later id (b) comes before a
    assert ids(build(tmp_path, ties, trec_order="score").retrieve("1", 9, [], {})) == ["b", "a", "c"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 Q0 a 1 2.0\n", "bm25.run:1: expected 6 columns (qid Q0 docid rank score tag), got 5"),
        ("1 Q0 a one 2.0 t\n", "bm25.run:1: rank, score: expected a whole number and a number, got one and 2.0"),
        ("1 Q0 a 1 nan t\n", "bm25.run:1: score: is not a number"),
        ("1 Q0 a 1 2 t\n\n1 Q0 a 2 1 t\n", "bm25.run:3: docid: a was already retrieved for query 1 at bm25.run:1"),
        (
            "1 Q0 a 1 2 t\n1 Q0 b 1 1 t\n",
            "bm25.run:2: rank: query 1 has rank 1 twice, also at bm25.run:1; `trec_order: score` sorts by score",
        ),
    ],
)
def test_bad_lines(tmp_path, text, expected):
    with pytest.raises(ConfigError) as caught:
        build(tmp_path, text)
    assert expected in str(caught.value).splitlines()[1]


def test_a_query_without_topic_and_a_bad_topic_are_named(tmp_path):
    with pytest.raises(ConfigError) as caught:
        build(tmp_path, RUN, ("topics.tsv", "101\tWhat is a?\n102 no tab\n"))
    assert "topics.tsv:2: expected an id, a tab and a question" in str(caught.value)
    assert "bm25.run:3: qid: 102 is not in the file named by `questions`" in str(caught.value)
