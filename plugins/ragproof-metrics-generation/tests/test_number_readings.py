from time import perf_counter

import pytest
from hypothesis import given, strategies as st
from ragproof_metrics_generation.keyword_hit import KeywordHit
from ragproof_metrics_generation.keywords.folding import fold
from ragproof_metrics_generation.keywords.numerals import readings

from ragproof_core import Answer, Case, Response


@pytest.mark.parametrize(
    ("spelling", "meanings"),
    [
        ("1500", {"1500"}),
        ("1,500", {"1500"}),
        ("1.500", {"1500", "1.5"}),
        ("0.500", {"0.5"}),
        ("1,5", {"1.5"}),
        ("1.50", {"1.5"}),
        ("21.5000", {"21.5"}),
        ("1,500.25", {"1500.25"}),
        ("1.500,25", {"1500.25"}),
        ("1,500,000", {"1500000"}),
        ("12,34,567", {"1234567"}),
        ("1 500,5", {"1500.5"}),
        ("-1,500", {"-1500"}),
        ("1,2,3", {"1", "2", "3"}),
        ("1.2.3", {"1.2.3"}),
        ("12.05.2024", {"12.05.2024"}),
        ("1,50.000.1", {"1,50.000.1"}),
        ("007", {"007"}),
        ("0", {"0"}),
        ("1.0", {"1"}),
        (".5", {"0.5"}),
    ],
)
def test_readings(spelling, meanings):
    assert readings(spelling) == meanings


def hit(keyword, answer):
    return KeywordHit().score(Case(id="1", question="q", keywords=[keyword]), Response(answer=Answer(answer))).value


def spellings(n):
    return [
        f"{n}",
        f"{n:,}",
        f"{n:,}".replace(",", "."),
        f"{n:,}".replace(",", " "),
        f"{n:,}".replace(",", "'"),
        f"€{n:,}",
    ]


@given(st.integers(0, 10**9), st.integers(0, 5), st.integers(0, 5))
def test_every_spelling_of_a_whole_number_finds_every_other(n, one, other):
    assert hit(spellings(n)[one], f"It is {spellings(n)[other]}, they say.") == 1.0


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 3))
def test_two_different_whole_numbers_never_meet(n, m, spelling):
    if n != m:
        answer = [f"{m}", f"{m:,}", f"{m:,}".replace(",", " "), f"{m:,}".replace(",", "'")][spelling]
        assert hit(str(n), f"It is {answer}, they say.") == 0.0


@given(st.text())
def test_folding_twice_changes_nothing_for_the_search(text):
    assert fold(fold(text)) == fold(text)


@given(st.text(min_size=1), st.text(), st.text())
def test_any_text_is_searched_without_an_error(keyword, before, after):
    if keyword.strip():
        assert hit(keyword, before + keyword + after) in {0.0, 1.0}


@given(st.text(min_size=1))
def test_a_keyword_alone_is_found_unless_nothing_of_it_can_be_seen(keyword):
    if keyword.strip():
        assert hit(keyword, keyword) == (1.0 if fold(keyword).strip() else 0.0)


@pytest.mark.parametrize("filler", ["1", "1 ", "111 ", "1,", "1.", "5 dayz ", "5", "$", "-", "\u0e01"])
def test_a_long_answer_takes_time_in_proportion_to_its_length(filler):
    answer = filler * (200_000 // len(filler)) + " days x"
    started = perf_counter()
    assert hit("5 days", answer) == 0.0
    assert hit("leave", answer) == 0.0
    assert perf_counter() - started < 5
