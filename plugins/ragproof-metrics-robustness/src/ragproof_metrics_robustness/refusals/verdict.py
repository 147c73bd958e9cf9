# ruff: noqa: RUF001 - letters of many scripts are the matter of this file
"""Whether an answer declines to answer: phrases from the tables, weighed by where they stand and what follows.

The rules, in the order in which they are applied, are listed in ``docs/refusals.md``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ragproof_metrics_robustness.refusals.languages import WORD, Language, bare_answers
from ragproof_metrics_robustness.refusals.text import comparable, opening, sentences
from ragproof_metrics_robustness.refusals.triggers import candidates

# Sentences looked at for the declining phrase, and for what follows it.
_OPENING = 6
_LOOKAHEAD = 14
# A moral judgement counts as declining only in the first sentences (0 is the first).
_NORM_OPENING = 2
# An answer that follows "I do not know …" has at least this many letters; scripts that pack more into one, fewer.
_ANSWER_CHARS = {False: 40, True: 16}
_CLAUSE_CHARS = {False: 12, True: 6}
# Kinds that an answer after them takes back; the others stand whatever follows.
_SOFT = frozenset({"ignorance", "absent"})
_LONGEST_SHOWN = 300
_LONGEST_BARE = 80
_AROUND = " .!,;:。！…\"'()[]{}"
_NO_COMMA = re.compile("[,;:]? +")
_QUOTED = re.compile(r'"[^"\n]{1,300}"')


@dataclass(frozen=True, slots=True)
class RefusalVerdict:
    """Whether the answer declined, and what decided.

    ``rule`` names the structural rule; ``phrase`` the entry of the language's table that matched and ``sentence`` the
    sentence that it matched in, both ``None`` where no phrase occurs.
    """

    refused: bool
    rule: str
    language: str | None = None
    kind: str | None = None
    phrase: str | None = None
    sentence: str | None = None

    def __str__(self) -> str:
        said = f'"{self.sentence}"' if self.sentence else "no declining phrase"
        return f"{'declined' if self.refused else 'answered'}: {said} ({self.rule})"


@dataclass(frozen=True, slots=True)
class _Match:
    language: Language
    kind: str
    phrase: str
    index: int
    sentence: str
    start: int
    end: int


_NO_PHRASE = RefusalVerdict(refused=False, rule="no phrase")


def is_refusal(text: str) -> bool:
    """Whether the answer declines to answer. Any language of the tables; none needs to be named."""
    return refusal_verdict(text).refused


def refusal_verdict(text: str) -> RefusalVerdict:
    """Whether the answer declines, with the phrase and the rule that decided. Never raises."""
    return _verdict(opening(text))


@lru_cache(maxsize=512)
def _verdict(start: str) -> RefusalVerdict:
    if not start or start.isspace():
        return RefusalVerdict(refused=False, rule="empty")
    if len(start) <= _LONGEST_BARE and (bare := _bare(start)) is not None:
        return bare
    chosen = candidates(start)
    if not chosen:
        return _NO_PHRASE
    shown = sentences(start)
    return _weigh(shown, [comparable(part) for part in shown], chosen) or _NO_PHRASE


def _bare(start: str) -> RefusalVerdict | None:
    """Whether the answer is nothing but a set phrase."""
    parts = sentences(start)
    if len(parts) != 1:
        return None
    found = bare_answers().get(_NO_COMMA.sub(" ", comparable(parts[0]).strip(_AROUND)))
    if found is None:
        return None
    language, phrase = found
    return RefusalVerdict(
        refused=True, rule="whole answer", language=language, kind="bare", phrase=phrase, sentence=parts[0]
    )


def _weigh(shown: list[str], parts: list[str], chosen: list[Language]) -> RefusalVerdict | None:
    for index, sentence in enumerate(parts[:_OPENING]):
        found = _find(sentence, index, chosen)
        if found is not None:
            refused, rule = _judge(found, parts, chosen)
            return RefusalVerdict(
                refused, rule, found.language.code, found.kind, found.phrase, shown[index][:_LONGEST_SHOWN]
            )
    return None


def _find(sentence: str, index: int, chosen: list[Language]) -> _Match | None:
    if '"' in sentence:
        sentence = _without_quotes(sentence, chosen)
    if sentence.endswith("?"):
        return None
    words = frozenset(WORD.findall(sentence))
    for language in chosen:
        if not language.dense and not language.clitics and words.isdisjoint(language.trigger_words):
            continue
        plain = language.role["ignore"].sub("", sentence)
        for kind, phrases in language.by_kind.items():
            if kind == "norm" and index > _NORM_OPENING:
                continue
            match = phrases.first(plain, words)
            if match is not None:
                phrase, span = match
                return _Match(language, kind, phrase, index, plain, *span)
    return None


def _without_quotes(sentence: str, chosen: list[Language]) -> str:
    """What is quoted is somebody else's word, unless it is introduced as the answer or is all there is."""

    def keep(quoted: re.Match[str]) -> str:
        before = sentence[: quoted.start()]
        if not before.strip(' "') or any(language.role["answer_is"].search(before) for language in chosen):
            return quoted[0].replace('"', " ").strip()
        return '""'

    return _QUOTED.sub(keep, sentence)


def _judge(found: _Match, parts: list[str], chosen: list[Language]) -> tuple[bool, str]:
    """Whether the phrase declines where it stands, and the rule that says so."""
    language = found.language
    if _answers_before(found, parts):
        return False, "after an answer"
    rest = found.sentence[found.end :]
    turn = language.role["contrast"].search(rest)
    if turn is not None and _answers(rest[turn.end() :], language, _CLAUSE_CHARS[language.dense]):
        return False, "answer in the same sentence"
    if found.kind in _SOFT or (found.kind == "decline" and _offers(found, parts)):
        following = parts[found.index + 1 : found.index + 1 + _LOOKAHEAD]
        content = sum(len(part) for part in following if _is_content(part, chosen))
        if content >= _ANSWER_CHARS[language.dense] or (
            found.kind in _SOFT and _turns_to_an_answer(following, language)
        ):
            return False, "answer follows"
    return True, "declines"


def _turns_to_an_answer(following: list[str], language: Language) -> bool:
    """Whether the next sentence takes the refusal back at once: "However, the fee is 12 euros."."""
    opening = language.role["contrast"].match(following[0]) if following else None
    if opening is None or language.role["offers"].search(following[0], opening.end()):
        return False
    return _answers(following[0][opening.end() :], language, _CLAUSE_CHARS[language.dense])


def _offers(found: _Match, parts: list[str]) -> bool:
    """Whether the refusal turns at once to what the speaker can do instead, or to an answer."""
    role = found.language.role
    following = parts[found.index + 1 : found.index + 2]
    nearby = found.sentence[found.end :] + " " + " ".join(following)
    turn = role["contrast"].search(nearby)
    if turn is None:
        return False
    if role["offers"].search(nearby, turn.end()):
        return True
    opening = role["contrast"].match(following[0]) if following else None
    return opening is not None and _answers(following[0][opening.end() :], found.language, _CLAUSE_CHARS[False])


def _answers_before(found: _Match, parts: list[str]) -> bool:
    language = found.language
    role = language.role
    if found.kind == "decline" and role["safety"].search(found.sentence):
        return False
    for part in parts[: found.index]:
        if _answers(part, language, _CLAUSE_CHARS[language.dense]) and not role["apology"].search(part):
            return not role["conclusion"].search(found.sentence[: found.start + 12])
    before = found.sentence[: found.start]
    turns = list(role["contrast"].finditer(before))
    if not turns:
        return False
    clause = before[: turns[-1].start()]
    if role["apology"].search(clause) or role["concession"].search(clause):
        return False
    return _answers(clause, language, _CLAUSE_CHARS[language.dense])


def _answers(clause: str, language: Language, least: int) -> bool:
    """Whether a clause says something about the matter, not about the conversation or its sources."""
    clause = language.role["ignore"].sub("", clause).strip(" ,;:.-")
    if len(clause) < least or clause.endswith("?"):
        return False
    if language.role["gives"].search(clause):
        return True
    if language.role["evasive"].search(clause):
        return False
    words = frozenset(WORD.findall(clause))
    return not any(phrases.first(clause, words) for phrases in language.by_kind.values())


def _is_content(part: str, chosen: list[Language]) -> bool:
    return all(_answers(part, language, 1) for language in chosen)
