"""Which languages' phrases an answer could contain at all: the cheap look that most answers need nothing beyond."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from ragproof_metrics_robustness.refusals.languages import Language, languages
from ragproof_metrics_robustness.refusals.text import fold

_PUNCTUATION = ".,;:!?\"()[]{}*#<>/|\n\r\t"
_ASCII_BLANKS = str.maketrans(dict.fromkeys(_PUNCTUATION, " "))
_OTHER_PUNCTUATION = "\u00a1\u00bf\u00ab\u00bb\u2013\u2014\u201c\u201d\u201e\u2026\u060c\u061b\u061f\u06d4\u0964"
_APOSTROPHES = "\u2018\u2019\u02bc\u0060\u00b4"
_BEYOND_LATIN = re.compile("[\u0900-\u1fff\u2e80-\uffff]")


@dataclass(frozen=True)
class _Words:
    """Trigger words of the languages written with spaces: word to the languages that list it."""

    alone: dict[str, tuple[Language, ...]]
    negators: dict[str, tuple[Language, ...]]
    partners: dict[str, tuple[Language, ...]]


@cache
def _words() -> _Words:
    merged: dict[str, dict[str, tuple[Language, ...]]] = {"alone": {}, "negators": {}, "partners": {}}
    for language in languages().values():
        if not language.dense:
            for group, table in merged.items():
                for word in language.triggers[group]:
                    # An answer is looked at before its letters are unified, so both spellings are listed.
                    for spelling in {word, fold(word)}:
                        table[spelling] = (*table.get(spelling, ()), language)
    return _Words(**merged)


@cache
def _dense() -> tuple[Language, ...]:
    return tuple(language for language in languages().values() if language.dense)


def _tokens(cleaned: str) -> set[str]:
    if cleaned.isascii():
        return set(cleaned.translate(_ASCII_BLANKS).split())
    for mark in _PUNCTUATION:
        cleaned = cleaned.replace(mark, " ")
    for mark in _OTHER_PUNCTUATION:
        cleaned = cleaned.replace(mark, " ")
    for mark in _APOSTROPHES:
        cleaned = cleaned.replace(mark, "'")
    return set(cleaned.split())


def candidates(cleaned: str) -> list[Language]:
    """The languages one of whose triggers the text has, in no order that matters."""
    words = _words()
    tokens = _tokens(cleaned)
    found: dict[str, Language] = {}
    if not tokens.isdisjoint(words.alone):
        for token in tokens & words.alone.keys():
            found.update((language.code, language) for language in words.alone[token])
    if not tokens.isdisjoint(words.negators) and not tokens.isdisjoint(words.partners):
        negated = {language.code for token in tokens & words.negators.keys() for language in words.negators[token]}
        for token in tokens & words.partners.keys():
            found.update((one.code, one) for one in words.partners[token] if one.code in negated)
    if not cleaned.isascii() and _BEYOND_LATIN.search(cleaned):
        for language in _dense():
            if any(part in cleaned for part in language.triggers["alone"]):
                found[language.code] = language
    return list(found.values())
