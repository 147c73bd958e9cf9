"""Text from elsewhere as Markdown that is nothing but text."""

from __future__ import annotations

import html
import re

from ragproof_core.reporting.printable import one_line

_MARKUP = re.compile(r"([\\`*_{}\[\]()#+\-.!|~@:$^=])")
# GitHub looks for mentions, issue numbers and addresses in the rendered text, where a backslash is gone already; an
# empty comment keeps the halves apart.
_LINKED = re.compile(r"(\\@|\\#|\\:(?=//)|(?<=www)\\\.)", re.IGNORECASE)
_APART = "<!-- -->"


def markdown_text(text: str, width: int = 200) -> str:
    """Return the text as one line without markup, HTML, mentions, references, links or table cell ends."""
    escaped = html.escape(_MARKUP.sub(r"\\\1", one_line(text, width)), quote=False)
    return _LINKED.sub(rf"\1{_APART}", escaped)
