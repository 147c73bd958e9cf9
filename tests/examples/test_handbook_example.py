"""The handbook example: its answers, rankings, corpora, and that they repeat."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest


def jsonl(folder, *texts):
    file = folder / "corpus.jsonl"
    rows = ({"id": f"t{i}", "document_id": f"d{i}", "text": text} for i, text in enumerate(texts))
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return str(file)


def ids(chunks):
    return [chunk["id"] for chunk in chunks]


# Answers


def test_an_answer_quotes_the_chunks_that_it_cites(pipeline):
    answer = pipeline.answer("How many days of annual leave does a full-time employee have?")
    assert answer["answer_text"].startswith("A full-time employee has 27 days of annual leave in a calendar year")
    assert answer["citations"][0] == {"chunk_id": "leave#annual-leave"}
    assert {cited["chunk_id"] for cited in answer["citations"]} <= set(ids(answer["retrieved_chunks"]))
    best = answer["retrieved_chunks"][0]
    assert best["metadata"] == {"document_id": "leave", "valid_from": "2025-01-01"}
    assert best["text"].startswith("Leave: Annual leave\n\nA full-time employee")


def test_a_refusal_is_one_plain_sentence_and_cites_nothing(pipeline):
    answer = pipeline.answer("Who won the football world championship in 1990?")
    assert answer["answer_text"] == "I could not find an answer to this question in the documents."
    assert answer["citations"] == []
    assert len(answer["retrieved_chunks"]) == 5


@pytest.mark.parametrize("question", ["", "   ", "?!"])
def test_a_question_without_words_finds_nothing_and_is_refused(example, question):
    eager = example["pipeline"].build(refuse_below=0.0)
    assert eager.retrieve(question, 5) == []
    assert eager.answer(question)["answer_text"] == example["pipeline"].REFUSAL


def test_a_table_row_is_quoted_with_its_column_names(pipeline):
    answer = pipeline.answer("What is the hotel limit in London?")
    assert "Destination: United Kingdom, London; Hotel limit: €210; Daily allowance: €62" in answer["answer_text"]


def test_a_replaced_document_is_not_quoted_beside_its_successor(pipeline):
    answer = pipeline.answer("How many days a week may I work from home?")
    assert "remote-work-2022#working-from-home" in ids(answer["retrieved_chunks"])
    assert "up to three days a week" in answer["answer_text"]
    assert not any(cited["chunk_id"].startswith("remote-work-2022#") for cited in answer["citations"])


def test_a_follow_up_is_searched_with_the_turn_before_it(pipeline):
    history = [
        {"role": "user", "content": "What is the hotel limit for Germany?"},
        {"role": "assistant", "content": "x"},
    ]
    assert ids(pipeline.retrieve("And for Switzerland?", 1, history)) == ["travel#hotels-and-meals"]
    assert ids(pipeline.retrieve("And for Switzerland?", 1)) != ["travel#hotels-and-meals"]


def test_sentences_list_items_and_table_rows_are_passages(example):
    body = 'Am 1. März kam er. Er blieb bis 18:00. "Gut." Ja?\n\n- eins\n  weiter\n- zwei\n\n| a | b |\n|---|:-:|\n| 1 | 2 |'
    assert list(example["answering"].split_passages(body)) == [
        "Am 1. März kam er.",
        "Er blieb bis 18:00.",
        '"Gut."',
        "Ja?",
        "eins weiter",
        "zwei",
        "a: 1; b: 2",
    ]


# Ranking


def test_rrf_sums_one_over_sixty_plus_rank(example):
    fused = example["ranking"].fuse([[7, 3, 9], [3, 7]])
    assert fused == [(3, 1 / 62 + 1 / 61), (7, 1 / 61 + 1 / 62), (9, 1 / 63)]  # 3 and 7 tie: lower position first


def test_ranks_fall_by_score_with_ties_in_corpus_order_and_without_zeros(example):
    assert example["ranking"].ranked(np.array([0.0, 0.5, 0.9, 0.5])) == [2, 1, 3]


def test_cosine_is_one_for_the_same_text_and_zero_for_another_alphabet(example):
    grams = example["ranking"].CharGrams(["annual leave", "Отпуск сотрудника"])
    assert grams.scores("annual leave") == pytest.approx([1.0, 0.0], abs=1e-12)


def test_bm25_uses_k1_1_5_and_b_0_75(example):
    scores = example["ranking"].Bm25(["red red apple", "green pear"]).scores("red")
    idf = np.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    assert scores == pytest.approx([idf * 2 / (2 + 1.5 * (0.25 + 0.75 * 3 / 2.5)), 0.0], rel=1e-6)


def test_the_shares_of_a_question_sum_to_one_when_the_corpus_knows_every_word(example):
    grams = example["ranking"].CharGrams(["annual leave", "sick pay"])
    assert grams.shares("sick leave").sum() == pytest.approx(1.0)
    assert 0 < grams.shares("sick zebra").sum() < 1


def test_character_ngrams_find_a_misspelt_word(example):
    build = example["pipeline"].build
    question = "sabbaticle"
    assert "leave#unpaid-leave-and-sabbaticals" in ids(build(ranking="chargram").retrieve(question, 3))
    assert build(ranking="bm25").retrieve(question, 3) == []


# Corpora


def test_a_jsonl_line_is_a_chunk_and_german_works_without_changes(example, tmp_path):
    texts = (
        "Der Betriebsrat hat neun Mitglieder. Er wird alle drei Jahre gewählt.",
        "Der Jahresurlaub beträgt 30 Tage. Er ist bis zum 31. März zu nehmen.",
    )
    refusal = "Dazu habe ich in den Unterlagen keine Antwort gefunden."
    german = example["pipeline"].build(corpus=jsonl(tmp_path, *texts), refusal=refusal)
    answer = german.answer("Wie viele Mitglieder hat der Betriebsrat?")
    assert answer["answer_text"].split("\n")[0] == "Der Betriebsrat hat neun Mitglieder."
    assert answer["citations"][0] == {"chunk_id": "t0"}
    assert answer["retrieved_chunks"][0]["text"] == texts[0]
    assert answer["retrieved_chunks"][0]["metadata"] == {"document_id": "d0"}
    assert german.answer("Was kostet Straußenfleisch?")["answer_text"] == refusal


def test_sections_are_cut_between_paragraphs_and_ids_stay_readable(example):
    text = "---\nvalid_from: 2025-01-01\n---\n# Plan\n\nIntro\n\n## Größe & Art\n\naaaa\n\nbbbb\n\n```\n# no heading\n```\n"
    chunks = example["chunking"].split_markdown("plan", text, 10)
    assert [(chunk.id, chunk.heading, chunk.body) for chunk in chunks] == [
        ("plan#plan", "Plan", "Intro"),
        ("plan#größe-art", "Plan: Größe & Art", "aaaa\n\nbbbb"),
        ("plan#größe-art-2", "Plan: Größe & Art", "```\n# no heading\n```"),
    ]
    assert chunks[0].properties == {"valid_from": "2025-01-01"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no text"),
        ("not json", r"corpus\.jsonl:1: expected an object with id, document_id and text"),
        ('{"id": "a", "text": "t"}', r"corpus\.jsonl:1: expected an object .*document_id"),
        (
            '{"id": 1, "document_id": "d", "text": "t"}\n{"id": "1", "document_id": "d", "text": "t"}',
            "'1' occurs twice",
        ),
    ],
)
def test_a_bad_corpus_is_refused_with_the_place(example, tmp_path, content, message):
    file = tmp_path / "corpus.jsonl"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        example["pipeline"].build(corpus=str(file))


def test_wrong_options_are_refused(example):
    with pytest.raises(ValueError, match="no such folder or file"):
        example["pipeline"].build(corpus="nowhere")
    with pytest.raises(ValueError, match="ranking 'bm52': expected fused, bm25 or chargram"):
        example["pipeline"].build(ranking="bm52")


# Repeatability


def test_threads_share_one_pipeline(pipeline, cases):
    questions = [case["question"] for case in cases]
    alone = [pipeline.answer(question) for question in questions]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(pipeline.answer, questions * 2)) == alone * 2


def test_results_do_not_depend_on_the_process(handbook):
    code = "import pipeline; print(pipeline.build().retrieve('Who approves a claim of 900 euros for a course?', 148))"
    outputs = set()
    for seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONUTF8": "1"}
        run = subprocess.run(
            [sys.executable, "-c", code], cwd=handbook, env=environment, capture_output=True, check=True
        )
        outputs.add(run.stdout)
    assert len(outputs) == 1
