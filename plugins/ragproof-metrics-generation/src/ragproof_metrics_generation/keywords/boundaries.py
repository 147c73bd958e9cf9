"""Where a word ends, in scripts with and without spaces."""

from __future__ import annotations

import re
import unicodedata

# Chinese and Japanese, Thai, Lao, Tibetan, Burmese, Khmer: words follow each other without a space.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_HANGUL = re.compile("[\uac00-\ud7a3]")


def runs_on_after(last: str, following: str) -> bool:
    """Whether a word that ends with ``last`` goes on with the character ``following``.

    Korean writes particles and counters on the word, so a Hangul character after one, or after a number, is none.
    """
    if not (_in_word(following) and _in_word(last)):
        return False
    if following.isascii() and last.isascii():
        return True
    if unicodedata.category(following)[0] == "M":
        return True
    if _HANGUL.match(following) and (_HANGUL.match(last) or last.isdigit()):
        return False
    return not (_UNSPACED.match(last) or _UNSPACED.match(following))


def runs_on_before(preceding: str, first: str) -> bool:
    """Whether a word that begins with ``first`` has begun before, with the character ``preceding``."""
    if not (_in_word(preceding) and _in_word(first)):
        return False
    if preceding.isascii() and first.isascii():
        return True
    if _HANGUL.match(preceding) and first.isdigit():
        return False
    return not (_UNSPACED.match(preceding) or _UNSPACED.match(first))


def _in_word(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character == "_"
    return character.isalnum() or unicodedata.category(character)[0] == "M"
