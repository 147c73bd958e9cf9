"""The small language of the phrase tables, and how it becomes regular expressions.

``{name}``      any entry of the table's list ``name``
``(a|b)``       either
``[a]``         a, or nothing
``..``, ``...`` up to 4, up to 10 further words (10 or 40 characters where words are not separated by spaces)
``a*``          any word that begins with a
``^``, ``$``    at the beginning, at the end of the sentence only

A space also stands for a comma and a space. Gaps are bounded and never nested, so that matching is linear.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ragproof_metrics_robustness.refusals.text import clean, fold

_TOKEN = re.compile(r"\{(?P<list>\w+)\}|(?P<symbol>\.\.\.?|[\[\]()|*^$ ])|(?P<literal>[^\s\[\](){}|*^$.]+|\.)")
_SPACED = {
    " ": "[,;:]? ", "..": r"(?:\S+ ){0,4}", "...": r"(?:\S+ ){0,10}", "*": r"\w*", "^": "^[\"'(]?", "$": "(?=\\W*$)",
}  # fmt: skip
_DENSE = {" ": r"[,;:、،]?\s*", "..": ".{0,10}?", "...": ".{0,40}?", "*": "", "^": "^[\"'(]?", "$": "(?=\\W*$)"}
_BRACKETS = frozenset("([|])")
_WORD = re.compile(r"\w+")

Lists = Mapping[str, Sequence[str]]


class PhraseError(ValueError):
    """A phrase of a table is not written in the small language."""


@dataclass
class _Node:
    """``kind`` is ``literal``, ``symbol``, ``choice`` or ``optional``; the last two have alternatives."""

    kind: str
    text: str = ""
    alternatives: list[list[_Node]] = field(default_factory=list)


def parse(phrase: str, lists: Lists) -> list[_Node]:
    """The phrase as a sequence of nodes; lists become choices.

    Raises:
        PhraseError: a bracket is not closed, or a list does not exist.
    """
    root = _Node("choice", alternatives=[[]])
    opened = [root]
    position = 0
    while position < len(phrase):
        token = _TOKEN.match(phrase, position)
        if token is None:
            raise PhraseError(f"phrase {phrase!r}: not understood from {phrase[position:]!r} on")
        position = token.end()
        if token["symbol"] in _BRACKETS:
            _bracket(phrase, token["symbol"], opened)
        else:
            opened[-1].alternatives[-1].append(_leaf(phrase, token, lists))
    if len(opened) > 1:
        raise PhraseError(f"phrase {phrase!r}: a bracket is not closed")
    if len(root.alternatives) > 1:
        raise PhraseError(f"phrase {phrase!r}: '|' outside brackets")
    nodes = root.alternatives[0]
    ending = [node for node in nodes if node.text != " " and node.kind != "optional"]
    if ending and ending[-1].text.startswith(".."):
        raise PhraseError(f"phrase {phrase!r}: a gap must lead to something")
    return nodes


def _bracket(phrase: str, symbol: str, opened: list[_Node]) -> None:
    if symbol == "|":
        opened[-1].alternatives.append([])
    elif symbol in "([":
        node = _Node("optional" if symbol == "[" else "choice", alternatives=[[]])
        opened[-1].alternatives[-1].append(node)
        opened.append(node)
    elif len(opened) == 1 or (opened[-1].kind == "optional") is not (symbol == "]"):
        raise PhraseError(f"phrase {phrase!r}: {symbol!r} closes nothing")
    else:
        opened.pop()


def _leaf(phrase: str, token: re.Match[str], lists: Lists) -> _Node:
    name = token["list"]
    if name is None:
        literal = token["literal"]
        return _Node("symbol", token["symbol"]) if literal is None else _Node("literal", fold(clean(literal)))
    if name not in lists:
        raise PhraseError(f"phrase {phrase!r}: there is no list {name!r}")
    return _Node("choice", alternatives=[parse(entry, lists) for entry in lists[name]])


def _regex(nodes: Sequence[_Node], symbols: Mapping[str, str]) -> str:
    out: list[str] = []
    skip_space = False
    for index, node in enumerate(nodes):
        space_next = index + 1 < len(nodes) and nodes[index + 1].text == " "
        if node.kind == "symbol":
            if node.text == " " and (skip_space or _ends_with_optional(nodes, index)):
                skip_space = False
                continue
            skip_space = node.text.startswith("..") and symbols is _SPACED
            out.append(symbols[node.text])
            continue
        skip_space = False
        if node.kind == "literal":
            out.append(re.escape(node.text))
            continue
        inner = "(?:" + "|".join(_regex(alternative, symbols) for alternative in node.alternatives) + ")"
        if node.kind == "choice":
            out.append(inner)
        elif space_next:
            # An optional word takes the space after it along, or, as the last one, the space before it.
            out.append(f"(?:{inner}{symbols[' ']})?")
            skip_space = True
        elif index > 0 and index + 1 == len(nodes) and nodes[index - 1].text == " ":
            out.append(f"(?:{symbols[' ']}{inner})?")
        else:
            out.append(inner + "?")
    return "".join(out)


def _ends_with_optional(nodes: Sequence[_Node], index: int) -> bool:
    return index + 2 == len(nodes) and nodes[index + 1].kind == "optional"


def _required(nodes: Sequence[_Node]) -> list[frozenset[str]]:
    """Sets of words of each of which a match has one: a cheap look before the pattern is tried."""
    sets: list[frozenset[str]] = []
    for index, node in enumerate(nodes):
        following = nodes[index + 1].text if index + 1 < len(nodes) else " "
        if node.kind == "literal" and following != "*" and (index == 0 or nodes[index - 1].text != "*"):
            words = [word for word in _WORD.findall(node.text) if word]
            if words:
                sets.append(frozenset({max(words, key=len)}))
        elif node.kind == "choice":
            each = [_required(alternative) for alternative in node.alternatives]
            if all(each) and following != "*":
                longest = (max(found, key=lambda words: min(map(len, words))) for found in each)
                sets.append(frozenset().union(*longest))
    return sets


def wordings(phrase: str, lists: Lists) -> list[str]:
    """Every wording of a phrase that has no gaps, stems or anchors, with single spaces.

    Raises:
        PhraseError: the phrase stands for more wordings than can be listed.
    """
    return [" ".join(wording.split()) for wording in _spelled(phrase, parse(phrase, lists))]


def _spelled(phrase: str, nodes: Sequence[_Node]) -> list[str]:
    spelled = [""]
    for node in nodes:
        if node.kind == "symbol" and node.text != " ":
            raise PhraseError(f"phrase {phrase!r}: {node.text!r} is not allowed where a phrase is the whole answer")
        options = [node.text]
        if node.alternatives:
            options = [text for alternative in node.alternatives for text in _spelled(phrase, alternative)]
            options += [""] if node.kind == "optional" else []
        spelled = [before + option for before in spelled for option in options]
    return spelled


@dataclass(frozen=True)
class Phrase:
    """One entry of a table, compiled.

    ``needs`` are sets of words, of each of which a sentence has one if it matches.
    """

    text: str
    pattern: re.Pattern[str]
    needs: tuple[frozenset[str], ...]


def _bounded(body: str, *, dense: bool, clitics: str) -> re.Pattern[str]:
    before, after = ("", "") if dense else (r"(?<!\w)" + (f"[{clitics}]?" if clitics else ""), r"(?!\w)")
    return re.compile(f"{before}(?:{body}){after}")


def compile_phrase(phrase: str, lists: Lists, *, dense: bool, clitics: str = "") -> Phrase:
    """One phrase. ``clitics`` are letters that may be written onto its first word (the Arabic "and")."""
    nodes = parse(phrase, lists)
    pattern = _bounded(_regex(nodes, _DENSE if dense else _SPACED), dense=dense, clitics=clitics)
    needs = () if dense or clitics else tuple(sorted(_required(nodes), key=len)[:3])
    return Phrase(phrase, pattern, needs)


def compile_any(phrases: Sequence[str], lists: Lists, *, dense: bool, clitics: str = "") -> re.Pattern[str]:
    """One pattern for any of the phrases."""
    symbols = _DENSE if dense else _SPACED
    body = "|".join(_regex(parse(phrase, lists), symbols) for phrase in phrases)
    return _bounded(body or "(?!)", dense=dense, clitics=clitics)


class PhraseIndex:
    """Phrases in order, looked up by the words of a sentence so that few patterns are tried."""

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        self._phrases = phrases
        self._always = frozenset(number for number, phrase in enumerate(phrases) if not phrase.needs)
        self._by_word: dict[str, frozenset[int]] = {}
        for number, phrase in enumerate(phrases):
            for word in phrase.needs[0] if phrase.needs else ():
                self._by_word[word] = self._by_word.get(word, frozenset()) | {number}

    def first(self, sentence: str, words: frozenset[str]) -> tuple[str, tuple[int, int]] | None:
        """The first phrase of the table that occurs in the sentence, and where. ``words`` are the sentence's."""
        numbers = self._always.union(*(self._by_word[word] for word in words & self._by_word.keys()))
        for number in sorted(numbers):
            phrase = self._phrases[number]
            if any(words.isdisjoint(need) for need in phrase.needs[1:]):
                continue
            found = phrase.pattern.search(sentence)
            if found is not None:
                return phrase.text, found.span()
        return None
