"""The small language of the phrase tables, and how it becomes regular expressions.

``{name}``      any entry of the table's list ``name``
``(a|b)``       either
``[a]``         a, or nothing
``..``, ``...`` up to 4, up to 10 further words (10 or 40 characters where words are not separated by spaces)
``a*``          any word that begins with a
``^``           at the beginning of the sentence only

A space also stands for a comma and a space. Gaps are bounded and never nested, so that matching is linear.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ragproof_metrics_robustness.refusals.text import clean, fold

_TOKEN = re.compile(r"\{(\w+)\}|(\.\.\.?)|([\[\]()|*^ ])|([^\s\[\](){}|*^.]+|\.)")
_SPACED = {" ": "[,;:]? ", "..": r"(?:\S+ ){0,4}", "...": r"(?:\S+ ){0,10}", "*": r"\w*", "^": "^[\"'(]?"}
_DENSE = {" ": r"[,;:、،]?\s*", "..": r".{0,10}?", "...": r".{0,40}?", "*": "", "^": "^[\"'(]?"}


class PhraseError(ValueError):
    """A phrase of a table is not written in the small language."""


def to_regex(phrase: str, lists: Mapping[str, Sequence[str]], *, dense: bool) -> str:
    """The regular expression of one phrase, without groups that capture."""
    symbols = _DENSE if dense else _SPACED
    out: list[str] = []
    position = 0
    # For each open bracket, whether it is optional and where its output began.
    opened: list[tuple[bool, int]] = []
    while position < len(phrase):
        token = _TOKEN.match(phrase, position)
        if token is None:
            raise PhraseError(f"phrase {phrase!r}: not understood from {phrase[position:]!r} on")
        position = token.end()
        name, gap, symbol, literal = token.groups()
        if name is not None:
            if name not in lists:
                raise PhraseError(f"phrase {phrase!r}: there is no list {name!r}")
            out.append(either(lists[name], lists, dense=dense))
        elif gap is not None:
            out.append(symbols[gap])
            if not dense and phrase.startswith(" ", position):
                position += 1
        elif literal is not None:
            out.append(re.escape(fold(clean(literal))))
        elif symbol in "[(":
            opened.append((symbol == "[", len(out)))
            out.append("(?:")
        elif symbol in "])":
            if not opened or opened[-1][0] is not (symbol == "]"):
                raise PhraseError(f"phrase {phrase!r}: {symbol!r} closes nothing")
            optional, begin = opened.pop()
            position = _close(out, phrase, position, begin if optional else None, symbols[" "])
        else:
            out.append("|" if symbol == "|" else symbols[symbol])
    if opened:
        raise PhraseError(f"phrase {phrase!r}: a bracket is not closed")
    return "".join(out)


def _close(out: list[str], phrase: str, position: int, optional_from: int | None, space: str) -> int:
    """Close a group; an optional one takes the space beside it along. Returns where to read on."""
    if optional_from is None:
        out.append(")")
        return position
    if phrase.startswith(" ", position):
        # ``(?:a )?``: the alternatives inside need a group of their own before the space.
        out.insert(optional_from, "(?:")
        out.append(f"){space})?")
        return position + 1
    if optional_from > 0 and out[optional_from - 1] == space:
        out[optional_from - 1] = "(?:" + space
        out.append("))?")
        return position
    out.append(")?")
    return position


def either(phrases: Sequence[str], lists: Mapping[str, Sequence[str]], *, dense: bool) -> str:
    """A group that matches any of the phrases."""
    return "(?:" + "|".join(to_regex(phrase, lists, dense=dense) for phrase in phrases) + ")"


def compile_phrases(
    phrases: Sequence[str], lists: Mapping[str, Sequence[str]], *, dense: bool, clitics: str = ""
) -> re.Pattern[str]:
    """One pattern over all phrases; ``match.lastindex - 1`` is the index of the phrase that matched.

    ``clitics`` are letters that may be written onto a phrase's first word (the Arabic "and").
    """
    before, after = ("", "") if dense else (r"(?<!\w)" + (f"[{clitics}]?" if clitics else ""), r"(?!\w)")
    groups = "|".join(f"({to_regex(phrase, lists, dense=dense)})" for phrase in phrases)
    return re.compile(f"{before}(?:{groups or '(?!)'}){after}")
