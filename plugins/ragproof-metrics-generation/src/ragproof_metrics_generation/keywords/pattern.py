"""A keyword made ready for searching."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ragproof_metrics_generation.keywords.boundaries import runs_on_after, runs_on_before
from ragproof_metrics_generation.keywords.folding import fold
from ragproof_metrics_generation.keywords.numerals import CURRENCY, DIGITS, Number, number_at

_DIGITS = re.compile(DIGITS)
_BEFORE_NUMBER = rf"\s*[{CURRENCY}]?\s?-?\.?"
_AFTER_NUMBER = rf"(?:\s?[{CURRENCY}])?\s*"


class Keyword:
    """One keyword; :meth:`occurs_in` takes folded text."""

    __slots__ = ("_may_stand_clear", "_numbers", "_offset", "_regex", "_text", "_varies", "_words")

    def __init__(self, keyword: str) -> None:
        self._text = fold(keyword).strip()
        self._numbers = tuple(_numbers_in(self._text))
        self._words = tuple(word for piece in self._between_numbers() for word in piece.split())
        self._may_stand_clear = not any(number.currency for number in self._numbers)
        self._varies = bool(self._numbers) or len(self._words) > 1
        self._offset = _start_of_regex(self._text, self._numbers)
        self._regex = re.compile(self._expression())

    def occurs_in(self, text: str) -> bool:
        """Whether the keyword stands in the text as a whole, outside longer words and numbers."""
        if not self._text:
            return False
        return self._occurs_as_written(text) or (self._varies and self._occurs_otherwise(text))

    def _occurs_as_written(self, text: str) -> bool:
        """Look for the very characters of the keyword: far faster than the regex, and nearly always enough."""
        at = text.find(self._text)
        while at >= 0:
            end = at + len(self._text)
            if self._may_stand_clear and _stands_clear(text, at, end):
                return True
            if self._numbers:
                found = self._regex.match(text, at + self._offset)
                if found and self._fits(found, text):
                    return True
            elif _is_whole(text, at, end):
                return True
            at = text.find(self._text, at + 1)
        return False

    def _occurs_otherwise(self, text: str) -> bool:
        """Search with any white space between words, and any spelling of numbers."""
        for word in self._words:
            if word not in text:
                return False
        return any(self._fits(found, text) for found in self._regex.finditer(text))

    def _fits(self, found: re.Match[str], text: str) -> bool:
        for group, expected in enumerate(self._numbers, 1):
            number = number_at(text, *found.span(group))
            if number is None or not number.can_mean(expected):
                return False
        return _is_whole(text, found.start(), found.end())

    def _between_numbers(self) -> Iterator[str]:
        at = 0
        for number in self._numbers:
            yield self._text[at : number.start]
            at = number.end
        yield self._text[at:]

    def _expression(self) -> str:
        first, *rest = [r"\s+".join(re.escape(word) for word in piece.split()) for piece in self._between_numbers()]
        expression = first
        for piece in rest:
            before = _BEFORE_NUMBER if expression else ""
            expression += f"{before}({DIGITS})" + (_AFTER_NUMBER + piece if piece else "")
        return expression


@lru_cache(maxsize=65536)
def keyword_of(keyword: str) -> Keyword:
    """Return the keyword made ready, once for all cases that have it."""
    return Keyword(keyword)


def _numbers_in(text: str) -> Iterator[Number]:
    """Find the numbers of a keyword; digits behind a letter (``A4``) are part of a word."""
    for found in _DIGITS.finditer(text):
        number = number_at(text, *found.span())
        if number and not (number.start and runs_on_before(text[number.start - 1], text[number.start])):
            yield number


def _start_of_regex(text: str, numbers: tuple[Number, ...]) -> int:
    """Where in the keyword its regex begins: at the first digit when nothing but signs stands before it."""
    if not numbers or text[: numbers[0].start].strip():
        return 0
    first = _DIGITS.search(text)
    return first.start() if first else 0


def _stands_clear(text: str, start: int, end: int) -> bool:
    """Whether what is around leaves no doubt: a word and a space before, a space or stop and no digit after."""
    if start and not (text[start - 1] == " " and text[start - 2 : start - 1].isalpha()):
        return False
    return end == len(text) or (text[end] in " .,;:!?)" and not text[end + 1 : end + 2].isdigit())


def _is_whole(text: str, start: int, end: int) -> bool:
    if start and runs_on_before(text[start - 1], text[start]):
        return False
    return not (end < len(text) and runs_on_after(text[end - 1], text[end]))
