"""Text from elsewhere, made fit for a page: what HTML cannot carry is shown as an escape."""

from __future__ import annotations

import re

# Control characters, lone surrogates and noncharacters have no place in HTML; direction overrides would reorder what
# stands around the text. Direction marks and line separators are harmless inside an isolated element.
_UNFIT = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


def page_text(text: str) -> str:
    r"""Return the text with every unfit character written as an escape (``\x00``, ``\ud800``)."""
    return _UNFIT.sub(lambda match: match.group().encode("unicode_escape").decode("ascii"), text)
