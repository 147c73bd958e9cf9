"""Labelled answers: every one that was written for the tests, and the counts on the public excerpt."""

import json
from collections import Counter
from pathlib import Path

import pytest
from ragproof_metrics_robustness.measure_refusals import Row, measure
from ragproof_metrics_robustness.refusals import is_refusal, refusal_verdict
from ragproof_metrics_robustness.refusals.languages import bare_answers, languages

DATA = Path(__file__).parent / "data"


def rows(name):
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").split("\n") if line]


WRITTEN = rows("refusals_written.jsonl")
PUBLIC = rows("refusals_public.jsonl")
FOURTEEN = {"ar", "de", "en", "es", "fr", "hi", "it", "ja", "ko", "nl", "pl", "pt", "ru", "zh"}


@pytest.mark.parametrize("row", WRITTEN, ids=[f"{row['lang']}-{number}" for number, row in enumerate(WRITTEN)])
def test_written_answer(row):
    assert is_refusal(row["text"]) is row["refused"], str(refusal_verdict(row["text"]))


def test_the_written_answers_cover_every_promised_language_on_both_sides():
    counts = Counter((row["lang"], row["refused"]) for row in WRITTEN)
    assert {language for language, _ in counts} == FOURTEEN
    assert min(counts.values()) >= 6


def test_counts_on_the_public_excerpt():
    tallies = measure(Row(row["text"], row["refused"], row["lang"]) for row in PUBLIC)
    english, others = tallies["en"], tallies["others"]
    assert (english.hits, english.misses, english.false_alarms, english.rightly_quiet) == (12, 0, 0, 12)
    assert (others.hits, others.misses, others.false_alarms, others.rightly_quiet) == (11, 0, 0, 4)
    assert english.borderline == 2


@pytest.mark.parametrize("language", languages())
def test_every_bare_refusal_is_one_in_any_case_and_punctuation(language):
    wordings = [wording for wording, (code, _) in bare_answers().items() if code == language]
    assert len(wordings) >= 3
    for wording in wordings:
        for answer in (wording, f"{wording.capitalize()}.", f'"{wording}!"', f"**{wording}**\n"):
            assert refusal_verdict(answer).rule == "whole answer", answer


@pytest.mark.parametrize("answer", ["No.", "None", "Nein", "Нет.", "いいえ", "无", "Aucune.", "Zero", "नहीं"])
def test_a_plain_no_or_none_is_an_answer(answer):
    assert not is_refusal(answer)


def test_the_verdict_names_language_kind_phrase_and_sentence():
    verdict = refusal_verdict(
        "Danke für die Frage. Die Textpassagen enthalten keine Informationen über das Gründungsjahr."
    )
    assert (verdict.refused, verdict.language, verdict.kind, verdict.rule) == (True, "de", "absent", "declines")
    assert verdict.sentence == "Die Textpassagen enthalten keine Informationen über das Gründungsjahr."
    assert verdict.phrase in languages()["de"].phrases["absent"]
    assert str(verdict) == f'declined: "{verdict.sentence}" (declines)'
    assert str(refusal_verdict("It is 7.")) == "answered: no declining phrase (no phrase)"
