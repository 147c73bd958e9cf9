"""The phrase tables: one TOML file a language, read once, their patterns compiled when first needed.

A table names *triggers*: words of which a declining answer has at least one. An answer without any is decided by a set
look-up, without any pattern. The tables' keys are described in ``docs/refusals.md``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

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
_LIST_ONLY = ("alone", "negators", "partners")


@dataclass(frozen=True)
class Language:
    """One language's table."""

    code: str
    name: str
    dense: bool
    clitics: str
    triggers: Mapping[str, frozenset[str]]
    lists: Mapping[str, tuple[str, ...]]
    phrases: Mapping[str, tuple[str, ...]]
    structure: Mapping[str, tuple[str, ...]]

    @cached_property
    def by_kind(self) -> Mapping[str, PhraseIndex]:
        """The compiled phrases by kind; kinds without phrases are left out."""
        return {kind: PhraseIndex(self._each(self.phrases[kind])) for kind in KINDS if self.phrases.get(kind)}

    @cached_property
    def role(self) -> Mapping[str, re.Pattern[str]]:
        """The compiled structural words by role."""
        return {
            role: compile_any(self.structure.get(role, ()), self.lists, dense=self.dense, clitics=self.clitics)
            for role in ROLES
        }

    @cached_property
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


def _strings(table: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(values) for name, values in table.items()}


@cache
def languages() -> Mapping[str, Language]:
    """All tables that the package ships, by language code."""
    tables = {}
    folder = files("ragproof_metrics_robustness.refusals") / "languages"
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if not path.name.endswith(".toml"):
            continue
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        code = path.name.removesuffix(".toml")
        tables[code] = Language(
            code=code,
            name=raw["name"],
            dense=raw.get("dense", False),
            clitics=raw.get("clitics", ""),
            triggers={name: frozenset(clean(word) for word in raw["triggers"].get(name, ())) for name in _LIST_ONLY},
            lists=_strings(raw.get("lists", {})),
            phrases=_strings(raw["phrases"]),
            structure=_strings(raw.get("structure", {})),
        )
    return tables


@cache
def bare_answers() -> Mapping[str, tuple[str, str]]:
    """Answers that decline by themselves, as :func:`.text.comparable` text, to the language's code and the phrase."""
    return {
        wording: (language.code, phrase)
        for language in languages().values()
        for phrase in language.phrases.get("bare", ())
        for wording in wordings(phrase, language.lists)
    }
