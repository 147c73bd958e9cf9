"""Numbers in text: where they are, and which numbers a spelling can mean."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

CURRENCY = "$¢£¤¥֏؋৲৳૱௹฿៛\u20a0-\u20cf"

# The digits of a number with all that groups them: 1 500, 1'500.25, 1,500.25, 1.2.3. Atomic, so that a search cannot
# settle for the first part of one. It begins with a digit, which lets the regex engine skip ahead; what stands before
# the digits is read by `number_at`. Bounded, so that a page of digits costs no more than its length.
DIGITS = (
    r"[0-9](?>[0-9]{0,2}(?:[ '][0-9]{3}(?![0-9])){1,7}+(?:[.,][0-9]{1,40})?"
    r"|[0-9]{0,40}(?:[.,][0-9]{1,40}){0,20})"
)
_CURRENCY_SIGN = re.compile(f"[{CURRENCY}]")
_GROUPS_OF_THREE = re.compile(r"[0-9]{1,3}(?:([.,])[0-9]{3})(?:\1[0-9]{3})*")
_GROUP_AND_ONE_BEFORE = re.compile(r"(?<![0-9])[0-9]{1,3}[ '][0-9]{3}(?![0-9])")
_NO_WORD = re.compile(rf"[\s(\[{CURRENCY}]")
_INDIAN_GROUPS = re.compile(r"[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}")


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text: how it is spelled with its sign, its currency sign or ``""``, and where it all stands."""

    spelling: str
    currency: str
    start: int
    end: int

    def can_mean(self, other: Number) -> bool:
        """Whether both can be the same number, and not of two different currencies."""
        if self.currency and other.currency and self.currency != other.currency:
            return False
        if self.spelling == other.spelling:
            return True
        return not readings(self.spelling).isdisjoint(readings(other.spelling))


def number_at(text: str, start: int, end: int) -> Number | None:
    """Return the number whose digits are ``text[start:end]``; ``None`` when they are part of a longer one."""
    if text[end : end + 1].isdigit():
        return None
    if start:
        before, two_before = text[start - 1], text[start - 2] if start > 1 else " "
        if before.isdigit() or (before in ".,'" and two_before.isdigit()):
            return None
        if before in " '" and two_before.isdigit() and _is_later_group(text, start):
            return None
        if before == "." and not (two_before.isalnum() or two_before in "._"):
            start -= 1
        if start and text[start - 1] == "-" and (start == 1 or _NO_WORD.match(text[start - 2])):
            start -= 1
    spelling = text[start:end]
    if start and (at := _sign_at(text, start - 1, -1)) is not None:
        return Number(spelling, text[at], at, end)
    if end < len(text) and (at := _sign_at(text, end, 1)) is not None:
        return Number(spelling, text[at], start, at + 1)
    return Number(spelling, "", start, end)


def _is_later_group(text: str, start: int) -> bool:
    """Whether the digits at ``start`` are the 500 of 1 500."""
    found = _GROUP_AND_ONE_BEFORE.search(text, max(0, start - 5), start + 4)
    return found is not None and found.end() == start + 3


def _sign_at(text: str, at: int, step: int) -> int | None:
    """Return where a currency sign stands: at ``at``, or beyond one space in the direction of ``step``."""
    if text[at] == " " and 0 <= at + step < len(text):
        at += step
    character = text[at]
    return at if (character == "$" or not character.isascii()) and _CURRENCY_SIGN.match(character) else None


@lru_cache(maxsize=4096)
def readings(spelling: str) -> frozenset[str]:
    """Return the numbers that the spelling can mean, each written plainly (``-1500.25``).

    ``1,500`` is 1500. ``1.500`` is 1500 (continental Europe) or 1.5; any other single comma or point is a decimal one,
    so ``1,5`` is 1.5. ``1,2,3`` is three numbers. What is no number (``1.2.3``, ``007``) stands for itself.
    """
    sign = "-" if spelling[0] == "-" else ""
    return frozenset(sign + value for value in _unsigned(spelling.lstrip("-").replace(" ", "").replace("'", "")))


def _unsigned(text: str) -> list[str]:
    separators = [character for character in text if character in ".,"]
    last = separators[-1] if separators else ""
    if not separators:
        return [text if len(text) > 1 and text[0] == "0" else _plain(text, "")]
    whole, _, fraction = text.rpartition(last)
    if len(separators) == 1:
        return _single(whole, last, fraction)
    if separators.count(last) == 1 and _is_grouped(whole):  # 1,500.25
        return [_plain(_digits(whole), fraction)]
    if len(set(separators)) == 1 and _is_grouped(text):  # 1.500.000
        return [_plain(_digits(text), "")]
    return text.split(",") if last == "," and "." not in separators else [text]


def _single(whole: str, separator: str, fraction: str) -> list[str]:
    decimal = _plain(whole, fraction)
    if not _is_grouped(whole + separator + fraction) or whole[0] == "0":
        return [decimal]
    grouped = _plain(whole + fraction, "")
    return [grouped] if separator == "," else [grouped, decimal]


def _is_grouped(text: str) -> bool:
    return bool(_GROUPS_OF_THREE.fullmatch(text) or _INDIAN_GROUPS.fullmatch(text))


def _digits(text: str) -> str:
    return text.replace(",", "").replace(".", "")


def _plain(whole: str, fraction: str) -> str:
    fraction = fraction.rstrip("0")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{fraction}" if fraction else whole
