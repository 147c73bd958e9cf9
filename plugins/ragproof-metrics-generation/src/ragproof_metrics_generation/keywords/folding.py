"""Making equal what only looks different: case, width, quotes, dashes, digits of other scripts."""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f"  # soft hyphen, zero-width, variation selectors
_LOOKALIKES = str.maketrans(
    dict.fromkeys(_INVISIBLE, "")
    | dict.fromkeys("\u2018\u2019\u02bc", "'")
    | dict.fromkeys("\u201c\u201d\u201e", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-")
    | {"\u066b": ".", "\u066c": ",", "\u20a8": "\u20b9"}  # Arabic separators; the old rupee sign is not the letters Rs
)
_FOREIGN_DIGIT = re.compile(r"[^\W\D0-9]")


def fold(text: str) -> str:
    """Return the text case folded, in NFKC, with plain quotes, dashes and digits 0-9.

    Characters that cannot be seen are dropped. The letters of the result may be more or fewer than those of the text.
    """
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", text.translate(_LOOKALIKES)).casefold()
    text = unicodedata.normalize("NFKC", text).replace("i\u0307", "i")  # Turkish İ
    return _FOREIGN_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)
