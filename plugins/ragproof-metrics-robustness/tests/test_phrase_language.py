"""The small language of the tables, and the tables themselves."""

import json
import re
from pathlib import Path

import pytest
from ragproof_metrics_robustness.refusals.languages import KINDS, ROLES, WORD, languages
from ragproof_metrics_robustness.refusals.phrases import PhraseError, PhraseIndex, compile_any, compile_phrase, wordings
from ragproof_metrics_robustness.refusals.text import comparable, opening, sentences

LISTS = {"cannot": ["cannot", "can not"], "src": ["document*", "text"]}
DATA = Path(__file__).parent / "data"
TEXTS = [
    json.loads(line)["text"]
    for name in ("refusals_written.jsonl", "refusals_public.jsonl")
    for line in (DATA / name).read_text(encoding="utf-8").split("\n")
    if line
]
SENTENCES = [comparable(sentence) for text in TEXTS for sentence in sentences(opening(text))]


@pytest.mark.parametrize(
    ("phrase", "sentence", "found"),
    [
        ("i {cannot} say", "and i cannot say", "i cannot say"),
        ("i {cannot} say", "i can not say it", "i can not say"),
        ("i {cannot} say", "i cannot, say", "i cannot, say"),
        ("i {cannot} say", "hi cannot say", None),
        ("i {cannot} say", "i cannot saying", None),
        ("say*", "i was saying", "saying"),
        ("*ing", "i was saying", "saying"),
        ("i [really] know", "i know", "i know"),
        ("i [really] know", "i really know", "i really know"),
        ("i know [well]", "i know", "i know"),
        ("i know [well]", "i know well", "i know well"),
        ("(a|b c) d", "b c d", "b c d"),
        ("no .. {src}", "no word of it in documents", "no word of it in documents"),
        ("no .. {src}", "no a b c d e text", None),
        ("no ... {src}", "no a b c d e text", "no a b c d e text"),
        ("^i know", "so i know", None),
        ("i know$", "so i know!", "i know"),
        ("i know$", "i know it", None),
        ("na\u00efve", "so naive", "naive"),
    ],
)
def test_spaced_phrase(phrase, sentence, found):
    match = compile_phrase(phrase, LISTS, dense=False).pattern.search(sentence)
    assert (match and match[0]) == found


@pytest.mark.parametrize(
    ("phrase", "sentence", "found"),
    [
        ("没有..信息", "我没有任何相关信息。", "没有任何相关信息"),
        ("没有..信息", "没有" + "字" * 11 + "信息", None),
        ("没有...信息", "没有" + "字" * 40 + "信息", "没有" + "字" * 40 + "信息"),
        ("(未|没)[有]提到", "文中没有提到", "没有提到"),
        ("(未|没)[有]提到", "文中未提到", "未提到"),
    ],
)
def test_dense_phrase(phrase, sentence, found):
    match = compile_phrase(phrase, {}, dense=True).pattern.search(sentence)
    assert (match and match[0]) == found


@pytest.mark.parametrize(
    ("phrase", "message"),
    [
        ("a (b", "a bracket is not closed"),
        ("a b)", "')' closes nothing"),
        ("a (b]", "']' closes nothing"),
        ("a|b", "'|' outside brackets"),
        ("{nobody}", "there is no list 'nobody'"),
        ("a {b", "not understood from '{b'"),
        ("a ..", "a gap must lead to something"),
        ("a .. [b]", "a gap must lead to something"),
    ],
)
def test_a_bad_phrase_says_what_is_wrong(phrase, message):
    with pytest.raises(PhraseError, match=re.escape(message)):
        compile_phrase(phrase, LISTS, dense=False)


def test_needs_are_words_of_which_a_match_has_one_each():
    assert compile_phrase("i {cannot} .. find* the (source|text)", LISTS, dense=False).needs == (
        frozenset({"i"}), frozenset({"the"}), frozenset({"cannot", "can"}),
    )  # fmt: skip
    assert compile_phrase("[not] find*", LISTS, dense=False).needs == ()


def test_wordings_of_a_phrase():
    assert wordings("[so|very] (sorry|a pity)", {}) == [
        "so sorry",
        "so a pity",
        "very sorry",
        "very a pity",
        "sorry",
        "a pity",
    ]
    with pytest.raises(PhraseError, match=r"'\.\.' is not allowed"):
        wordings("no .. idea", {})


def test_no_phrases_match_nothing():
    assert compile_any([], {}, dense=False).search("anything") is None
    assert PhraseIndex(()).first("anything", frozenset({"anything"})) is None


@pytest.mark.parametrize("language", languages().values(), ids=languages())
def test_every_table_compiles_and_has_only_known_keys(language):
    assert set(language.phrases) <= {*KINDS, "bare"}
    assert set(language.structure) <= set(ROLES)
    assert {"decline", "ignorance", "absent", "bare"} <= set(language.phrases)
    assert language.triggers["alone"] or language.triggers["negators"]
    assert bool(language.triggers["negators"]) == bool(language.triggers["partners"])
    assert language.role["evasive"].search("") is None
    for kind in language.by_kind:
        assert language.phrases[kind]
    for phrase in (p for kind in KINDS for p in language.phrases.get(kind, ())):
        assert compile_phrase(phrase, language.lists, dense=language.dense).pattern.search("") is None


@pytest.mark.parametrize("language", languages().values(), ids=languages())
def test_looking_phrases_up_by_words_finds_what_trying_all_of_them_finds(language):
    for kind, index in language.by_kind.items():
        every = [
            compile_phrase(p, language.lists, dense=language.dense, clitics=language.clitics)
            for p in language.phrases[kind]
        ]
        for sentence in SENTENCES:
            first = next(((p.text, m.span()) for p in every if (m := p.pattern.search(sentence))), None)
            assert index.first(sentence, frozenset(WORD.findall(sentence))) == first


def test_fourteen_languages_and_nine_simple_ones():
    assert set(languages()) == {
        "ar", "de", "en", "es", "fr", "hi", "it", "ja", "ko", "nl", "pl", "pt", "ru", "zh",
        "bn", "fa", "fi", "id", "sw", "te", "th", "tr", "vi",
    }  # fmt: skip
