"""One recorded case, and finding it again."""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ragproof_adapter_replay.problems import Problems, excerpt
from ragproof_core import AdapterError, Answer, Chunk
from ragproof_core.reporting.numbers import counted

History = tuple[tuple[str, str], ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Recording:
    """What a pipeline gave for one question.

    ``place`` is ``file:line``. ``history`` is ``None`` when the recording does not tell, and then fits any history.
    ``key`` is the value that ``metadata[key]`` of a case must have, when the adapter matches by key.
    """

    place: str
    question: str | None
    history: History | None = None
    key: str | None = None
    retrieved: tuple[Chunk, ...] | None = None
    exact: tuple[Chunk, ...] | None = None
    answer: Answer | None = None

    def same_result(self, other: Recording) -> bool:
        """Whether both replay the same chunks and the same answer."""
        mine = (self.retrieved, self.exact, self.answer)
        return mine == (other.retrieved, other.exact, other.answer)


def normal_question(question: str) -> str:
    """Return the question as it is compared: NFC, every run of white space one space."""
    return " ".join(unicodedata.normalize("NFC", question).split())


class Recordings:
    """Recordings by question and history, or by a key of the case's metadata."""

    def __init__(self, recordings: Iterable[Recording], source: str, key: str | None, problems: Problems) -> None:
        self._source = source
        self._key = key
        self._by_key: dict[str, Recording] = {}
        self._by_question: dict[str, dict[History | None, Recording]] = {}
        self.count = 0
        for recording in recordings:
            self._add(recording, problems)
            self.count += 1

    def _add(self, recording: Recording, problems: Problems) -> None:
        if self._key is not None:
            if recording.key is None:
                problems.add(recording.place, self._key, "missing, and recordings are matched by it")
                return
            first = self._by_key.setdefault(recording.key, recording)
            what, advice = self._key, "every value must be there once"
        elif recording.question is None:
            problems.add(recording.place, "question", "missing, and no id that the file in `questions` maps to one")
            return
        else:
            same = self._by_question.setdefault(normal_question(recording.question), {})
            first = same.setdefault(recording.history, recording)
            what, advice = "question", "tell them apart by `history`, or by a metadata value named in the setting `key`"
        if first is not recording and not first.same_result(recording):
            problems.add(recording.place, what, f"another result for it is at {first.place}; {advice}")

    def find(
        self, question: str, history: Sequence[Mapping[str, str]] = (), metadata: Mapping[str, Any] | None = None
    ) -> Recording:
        """Return the recording of a case; an exact history wins over a recording that does not tell its history.

        Raises:
            AdapterError: nothing fits; the message says what was looked for.
        """
        if self._key is not None:
            return self._find_by_key(self._key, metadata or {})
        same = self._by_question.get(normal_question(question))
        if same is None:
            there = counted(self.count, "recording")
            raise AdapterError(f"{self._source} has no recording for the question {excerpt(question, 120)} ({there})")
        wanted = tuple((turn["role"], turn["content"]) for turn in history)
        found = same.get(wanted) or same.get(None)
        if found is None:
            places = ", ".join(recording.place for recording in same.values())
            raise AdapterError(f"{excerpt(question, 120)} was recorded with another history only ({places})")
        return found

    def _find_by_key(self, key: str, metadata: Mapping[str, Any]) -> Recording:
        value = metadata.get(key)
        if value is None:
            raise AdapterError(f"the case's metadata has no {key!r}, by which recordings are matched")
        found = self._by_key.get(str(value))
        if found is None:
            raise AdapterError(f"{self._source} has no recording with {key} = {excerpt(value)}")
        return found
