"""Files that map the ids of recordings to questions: a dataset, TREC topics as TSV, BEIR queries."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from ragproof_adapter_replay.conversation import parse_history
from ragproof_adapter_replay.problems import Problems
from ragproof_adapter_replay.readers import format_of, lines_of, read_rows, read_text
from ragproof_adapter_replay.recording import History

ID_FIELDS = ("id", "case_id", "qid", "query_id", "_id")
_TEXT_FIELDS = ("question", "query", "text")


@dataclasses.dataclass(frozen=True, slots=True)
class Question:
    """A question and the turns before it; ``history`` is ``None`` when the file does not tell."""

    text: str
    history: History | None = None


def id_in(values: dict[str, Any]) -> str | None:
    """Return the row's id as text, from the first id field that it has."""
    found = next((values[name] for name in ID_FIELDS if values.get(name) not in (None, "")), None)
    return None if found is None else str(found)


def read_questions(path: Path, problems: Problems) -> dict[str, Question]:
    """Return the questions by id, from JSONL, JSON or CSV with named fields, or TSV lines ``id<TAB>question``."""
    found: dict[str, Question] = {}
    pairs = _tsv_pairs if path.suffix.lower() in {".tsv", ".txt"} else _row_pairs
    for place, identifier, question in pairs(path, problems):
        if found.setdefault(identifier, question) != question:
            problems.add(place, "id", f"{identifier} has two different questions")
    return found


def _tsv_pairs(path: Path, problems: Problems) -> list[tuple[str, str, Question]]:
    pairs = []
    for number, line in lines_of(read_text(path)):
        identifier, tab, text = line.partition("\t")
        if tab and identifier.strip() and text.strip():
            pairs.append((f"{path.name}:{number}", identifier.strip(), Question(text.strip())))
        else:
            problems.add(f"{path.name}:{number}", "", "expected an id, a tab and a question")
    return pairs


def _row_pairs(path: Path, problems: Problems) -> list[tuple[str, str, Question]]:
    pairs = []
    for row in read_rows(path, format_of(path), problems):
        identifier = id_in(row.values)
        text = next((row.values[name] for name in _TEXT_FIELDS if row.values.get(name)), None)
        if identifier is None or not isinstance(text, str):
            problems.add(row.place, "", f"expected an id ({', '.join(ID_FIELDS)}) and a {' or '.join(_TEXT_FIELDS)}")
            continue
        try:
            history = parse_history(row.values["history"]) if row.values.get("history") else None
        except ValueError as error:
            problems.add(row.place, "history", str(error))
            continue
        pairs.append((row.place, identifier, Question(text, history)))
    return pairs
