"""From a row's fields, under the names that several tools use, to a recording."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from ragproof_adapter_replay.conversation import parse_history, parse_messages
from ragproof_adapter_replay.problems import FieldError, Problems, excerpt
from ragproof_adapter_replay.questions import Question, id_in
from ragproof_adapter_replay.readers import Row, decode_cell
from ragproof_adapter_replay.recording import History, Recording
from ragproof_adapter_replay.shapes import parse_answer, parse_chunks

# Ours first, then ragas, deepeval and the older ragas names.
NAMES: Mapping[str, tuple[str, ...]] = {
    "question": ("question", "user_input", "input", "query"),
    "history": ("history",),
    "answer": ("answer", "answer_text", "response", "actual_output"),
    "context": ("retrieved_chunks", "retrieved_contexts", "retrieval_context", "contexts"),
    "context_ids": ("retrieved_context_ids",),
    "retrieved": ("retrieved",),
    "exact": ("retrieved_exact",),
    "citations": ("citations",),
    "usage": ("usage",),
    "cost_usd": ("cost_usd", "token_cost"),
    "timings_ms": ("timings_ms",),
    "trace": ("trace",),
}
_LISTS = ("context", "context_ids", "retrieved", "exact", "citations")
_OBJECTS = ("history", "usage", "timings_ms", "trace")


@dataclasses.dataclass(frozen=True, slots=True)
class RowParser:
    """Turns rows into recordings; what does not fit goes to ``problems``.

    ``renamed`` maps a name of ``NAMES`` to the field that holds it, ``key`` is the field that recordings are matched
    by. For CSV, ``cells`` is true and ``delimiter`` splits cells that hold a list as plain text.
    """

    problems: Problems
    renamed: Mapping[str, str] = dataclasses.field(default_factory=dict)
    questions: Mapping[str, Question] = dataclasses.field(default_factory=dict)
    key: str | None = None
    cells: bool = False
    delimiter: str | None = None

    def parse(self, row: Row) -> Recording | None:
        """Return the row's recording, or ``None`` when it cannot be used."""
        try:
            values = self._standard(row)
            question, history, spoken = self._asked(row, values)
            context = parse_chunks("context", values.get("context"), values.get("context_ids"))
            retrieved = parse_chunks("retrieved", values.get("retrieved"))
            key = row.values.get(self.key) if self.key else None
            return Recording(
                place=row.place,
                question=question,
                history=history,
                key=None if key in (None, "") else str(key),
                retrieved=context if retrieved is None else retrieved,
                exact=parse_chunks("exact", values.get("exact")),
                answer=parse_answer(values, spoken, context),
            )
        except FieldError as error:
            self.problems.add(row.place, error.field, error.reason)
            return None

    def _standard(self, row: Row) -> dict[str, Any]:
        """Return the values under our names; ``null`` and empty cells are absent, but an empty answer is an answer."""
        values = {}
        for name, aliases in NAMES.items():
            wanted = (self.renamed[name],) if name in self.renamed else aliases
            present = [alias for alias in wanted if row.values.get(alias) is not None]
            if len(present) > 1:
                choice = f"choose one with `fields: {{{name}: {present[0]}}}`"
                raise FieldError(name, f"{' and '.join(present)} are both given; {choice}")
            if present:
                value = row.values[present[0]]
                value = self._decode(name, value) if self.cells else value
                if value != "" or name == "answer" or not self.cells:
                    values[name] = value
        return values

    def _decode(self, name: str, cell: str) -> Any:
        decoded = decode_cell(cell)
        if name in _LISTS:
            if isinstance(decoded, list) or not cell:
                return decoded
            return cell.split(self.delimiter) if self.delimiter else [cell]
        if name == "question":
            return decoded if isinstance(decoded, list) and all(isinstance(each, dict) for each in decoded) else cell
        if name == "answer":
            # A pipeline may answer in JSON: only an object of an answer's shape is taken apart.
            return decoded if isinstance(decoded, dict) and "answer_text" in decoded else cell
        return decoded if name in _OBJECTS else cell

    def _asked(self, row: Row, values: Mapping[str, Any]) -> tuple[str | None, History | None, str | None]:
        """Return question, history, and the answer when it is part of the conversation."""
        question = values.get("question")
        try:
            if isinstance(question, list):
                conversation = parse_messages(question)
                return conversation.question, conversation.history, conversation.answer
            history = parse_history(values["history"]) if "history" in values else None
        except ValueError as error:
            raise FieldError("question" if isinstance(question, list) else "history", str(error)) from error
        if question is None:
            known = self.questions.get(id_in(row.values) or "")
            return (known.text, known.history if history is None else history, None) if known else (None, history, None)
        if not isinstance(question, str) or not question.strip():
            raise FieldError("question", f"expected a text that is not blank, got {excerpt(question)}")
        return question, history, None
