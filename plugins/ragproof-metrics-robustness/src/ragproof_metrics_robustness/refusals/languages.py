"""The phrase tables: one TOML file a language, its head read once, the rest and its patterns when first needed.

A table's head names *triggers*: words of which a declining answer has at least one. An answer without any is decided by
a set look-up, without any pattern. The tables' keys are described in ``docs/refusals.md``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from ragproof_core.once import once, once_property
from ragproof_metrics_robustness.refusals.phrases import Phrase, PhraseIndex, compile_any, compile_phrase, wordings
from ragproof_metrics_robustness.refusals.text import clean, fold

# What a phrase negates, in the order in which they are looked for in a sentence.
KINDS = ("opinion", "decline", "ignorance", "absent", "norm")
ROLES = (
    "apology",
    "contrast",
    "concession",
    "evasive",
    "gives",
    "conclusion",
    "safety",
    "answer_is",
    "ignore",
    "offers",
)

WORD = re.compile(r"\w+")
_TRIGGERS = ("alone", "negators", "partners")
_END_OF_HEAD = "\n[lists]"


@dataclass(frozen=True)
class Language:
    """One language's table."""

    code: str
    name: str
    dense: bool
    clitics: str
    triggers: Mapping[str, frozenset[str]]
    body: str

    @once_property
    def _sections(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        found = tomllib.loads(self.body)
        return {section: {name: tuple(texts) for name, texts in table.items()} for section, table in found.items()}

    @property
    def lists(self) -> Mapping[str, tuple[str, ...]]:
        """Named lists of words that phrases refer to."""
        return self._sections.get("lists", {})

    @property
    def phrases(self) -> Mapping[str, tuple[str, ...]]:
        """The declining phrases by kind."""
        return self._sections["phrases"]

    @property
    def structure(self) -> Mapping[str, tuple[str, ...]]:
        """The structural words by role."""
        return self._sections.get("structure", {})

    @once_property
    def by_kind(self) -> Mapping[str, PhraseIndex]:
        """The compiled phrases by kind; kinds without phrases are left out."""
        return {kind: PhraseIndex(self._each(self.phrases[kind])) for kind in KINDS if self.phrases.get(kind)}

    @once_property
    def role(self) -> Mapping[str, re.Pattern[str]]:
        """The compiled structural words by role."""
        return {
            role: compile_any(self.structure.get(role, ()), self.lists, dense=self.dense, clitics=self.clitics)
            for role in ROLES
        }

    @once_property
    def trigger_words(self) -> frozenset[str]:
        """The words of which a declining sentence has at least one."""
        return frozenset(
            word
            for group in ("alone", "negators")
            for entry in self.triggers[group]
            for word in WORD.findall(fold(entry))
        )

    def _each(self, phrases: tuple[str, ...]) -> tuple[Phrase, ...]:
        return tuple(compile_phrase(p, self.lists, dense=self.dense, clitics=self.clitics) for p in phrases)


@once
def languages() -> Mapping[str, Language]:
    """All tables that the package ships, by language code."""
    folder = files("ragproof_metrics_robustness.refusals") / "languages"
    paths = sorted((path for path in folder.iterdir() if path.name.endswith(".toml")), key=lambda path: path.name)
    return {code: _read(code, path.read_text("utf-8")) for path in paths for code in [path.name.removesuffix(".toml")]}


def _read(code: str, table: str) -> Language:
    head, lists, rest = table.partition(_END_OF_HEAD)
    raw = tomllib.loads(head)
    return Language(
        code=code,
        name=raw["name"],
        dense=raw.get("dense", False),
        clitics=raw.get("clitics", ""),
        triggers={name: frozenset(map(clean, _entries(raw["triggers"].get(name, "")))) for name in _TRIGGERS},
        body=lists + rest,
    )


def _entries(words: str | list[str]) -> list[str]:
    """A string is a list of words, which TOML reads ten times faster; an array is for entries that hold a space."""
    return words.split() if isinstance(words, str) else words


@once
def bare_answers() -> Mapping[str, tuple[str, str]]:
    """Answers that decline by themselves, as :func:`.text.comparable` text, to the language's code and the phrase."""
    return {
        wording: (language.code, phrase)
        for language in languages().values()
        for phrase in language.phrases.get("bare", ())
        for wording in wordings(phrase, language.lists)
    }
