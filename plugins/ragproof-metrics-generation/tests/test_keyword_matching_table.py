import pytest
from ragproof_metrics_generation.keyword_hit import KeywordHit

from ragproof_core import Answer, Case, Response

HITS = [
    ("cat", "the Cat."),
    ("STRASSE", "die Straße"),
    ("don't", "DON’T"),
    ("parental leave", "Parental\n  leave"),
    ("parental leave", "parental\u00a0leave"),
    ("C++", "in C++."),
    ("covid-19", "COVID‑19 cases"),  # non-breaking hyphen
    ("cooperate", "co\u00adoperate"),  # soft hyphen
    ("İstanbul", "istanbul"),
    ("ﬁle", "FILE"),  # a ligature
    ("A4", "A4 paper"),
    ("leave", "sick-leave"),  # a hyphen ends a word
    # numbers
    ("1500", "₹1,500"),
    ("₹1,500", "it is 1500."),
    ("1 500", "1500"),
    ("1500", "1\u00a0500"),
    ("1500", "1\u202f500 EUR"),
    ("1500", "1'500 Franken"),
    ("1500", "1500, or more"),
    ("1500", "1.500 Euro"),
    ("1500", "$1,500.00"),
    ("150000", "1,50,000"),  # Indian grouping
    ("1500000", "1.500.000"),
    ("1234.5", "1.234,50"),
    ("1234.5", "1'234.5"),
    ("1,234.50", "1 234,5"),
    ("€1.500", "1.500 €"),
    ("costs 1500", "costs ₹1,500"),
    ("1500", "१५००"),
    ("1500", "１５００"),
    ("1500", "١٬٥٠٠"),
    ("1.5", "1.50"),
    ("1.5", "1,5"),
    ("1,5", "1.5 GB"),
    ("1.5", "1.500"),
    ("0.5", "half, or .5"),
    ("5", "3-5 days"),
    ("3-5", "3–5 days"),
    ("-5", "it is -5 °C"),
    ("-5", "it is −5 °C"),  # the minus sign
    ("5%", "5 %"),
    ("5 GB", "5GB"),
    ("5GB", "at most 5 gb."),
    ("2", "1,2,3"),
    ("1.2.3", "v 1.2.3"),
    ("500", "in 2023 500 came"),
    ("30 days", "1 30 days"),
    ("1234567", "1 234 567"),
    # scripts without spaces, and Korean particles
    ("猫", "黒猫です"),
    ("年假", "员工每年有十天年假。"),
    ("Python", "使用Python编程"),
    ("3月", "在3月份"),
    ("サーバ", "サーバーです"),
    ("การ", "การลา"),
    ("서울", "서울은"),
    ("30", "30일"),
    ("إجازة", "يحق لك إجازة سنوية"),
]

MISSES = [
    ("cat", "category"),
    ("cat", "bobcat"),
    ("max", "max_tokens"),
    ("ma", "main"),
    ("A4", "A45"),
    ("4", "A4"),
    ("नम", "नमक"),
    ("क", "कि"),  # a vowel sign belongs to its letter
    ("서울", "남서울"),
    ("1500", "11,500"),
    ("1500", "15000"),
    ("1500", "1500.5"),
    ("1500", "1,500,000"),
    ("1.5", "21.5"),
    ("1.5", "11.5"),
    ("1.5", "1.55"),
    ("1.5", "1,500"),
    ("15", "1.5"),
    ("5", "1.5"),
    ("5", ".5"),
    ("5", "it is -5 °C"),
    ("-5", "5"),
    ("5", "5GB"),
    ("5 GB", "15 GB"),
    ("5 GB", "2.5 GB"),
    ("500", "1 500"),
    ("500 days", "1 500 days"),
    ("234", "1 234 567"),
    ("1234", "1 234 567"),
    ("₹1500", "$1500"),
    ("1.2", "1.2.3"),
    ("007", "7"),
    ("7", "007"),
    ("3月", "13月"),
    ("2 days", "12 days"),
    ("\u200b", "anything"),  # nothing that can be seen: never a hit
    ("leave", ""),
    ("leave", "  \n"),
]


def hit(keywords, answer):
    case = Case(id="1", question="q", keywords=keywords)
    return KeywordHit().score(case, Response(answer=Answer(answer)))


@pytest.mark.parametrize(("keyword", "answer"), HITS)
def test_hit(keyword, answer):
    assert hit([keyword], answer).value == 1.0
    assert hit([keyword], f"First: {answer} – last").value == 1.0


@pytest.mark.parametrize(("keyword", "answer"), MISSES)
def test_miss(keyword, answer):
    assert hit([keyword], answer).value == 0.0


def test_every_keyword_has_to_occur_and_the_missing_ones_are_named():
    assert hit(["red", "blue"], "red and blue").value == 1.0
    outcome = hit(["red", "blue", "4"], "red and 14")
    assert (outcome.value, outcome.reason) == (0.0, "not in the answer: blue, 4")


def test_a_later_place_can_hit_after_one_inside_a_word():
    assert hit(["cat"], "category, then a cat").value == 1.0
    assert hit(["5"], "15, 2.5, 5GB and 5").value == 1.0


def test_keyword_skips():
    assert KeywordHit().score(Case(id="1", question="q"), Response(answer=Answer("x"))).reason == "case has no keywords"
    assert (
        KeywordHit().score(Case(id="1", question="q", keywords=["x"]), Response()).reason
        == "adapter does not expose answers"
    )
