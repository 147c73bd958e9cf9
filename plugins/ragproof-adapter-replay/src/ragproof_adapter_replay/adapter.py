"""The adapter: settings, loading, and the hooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, field_validator

from ragproof_adapter_replay.fields import NAMES, RowParser
from ragproof_adapter_replay.problems import Problems, excerpt
from ragproof_adapter_replay.questions import Question, read_questions
from ragproof_adapter_replay.readers import format_of, read_rows
from ragproof_adapter_replay.recording import Recording, Recordings
from ragproof_adapter_replay.trec import Order, read_run
from ragproof_core import AdapterError, Answer, Chunk, ConfigError, hookimpl

Part = TypeVar("Part")


class ReplaySettings(BaseModel):
    """What to replay. Paths are relative to the config file."""

    model_config = ConfigDict(extra="forbid")

    path: Path = Field(description="file of recordings: .jsonl, .json, .csv, .tsv, or a TREC run (.run, .trec)")
    format: Literal["auto", "jsonl", "json", "csv", "trec"] = Field("auto", description="auto goes by the suffix")
    questions: Path | None = Field(None, description="file that maps ids to questions: a dataset, TREC topics as TSV")
    key: str | None = Field(
        None, min_length=1, description="match by this metadata key of the case and field of the recording"
    )
    fields: dict[str, str] = Field(default_factory=dict, description="field names of your own: {answer: my_column}")
    context_delimiter: str | None = Field(None, min_length=1, description="splits lists in plain CSV cells")
    trec_order: Order = Field("rank", description="sorts a TREC run by its rank column, or by score as trec_eval does")

    @field_validator("fields")
    @classmethod
    def _known_names(cls, fields: dict[str, str]) -> dict[str, str]:
        unknown = sorted(set(fields) - set(NAMES))
        if unknown:
            raise ValueError(f"unknown: {', '.join(unknown)}; known: {', '.join(NAMES)}")
        return fields


class Replay:
    """Gives back what was recorded. Reads all files at once when it is built.

    Raises:
        ConfigError: a file cannot be read, or lines of it cannot be used; the message lists them.
    """

    api_version = 1
    Settings = ReplaySettings

    def __init__(self, settings: ReplaySettings, base_dir: Path) -> None:
        problems = Problems()
        recordings = _load(settings, base_dir, problems)
        self._source = settings.path.name
        self._recordings = Recordings(recordings, self._source, settings.key, problems)
        problems.raise_if_any()
        if not recordings:
            raise ConfigError(f"{settings.path}: holds no recording")
        if all(recording.retrieved is None for recording in recordings):
            self.retrieve = None  # type: ignore[assignment,method-assign]
        # The hook gets no metadata, so what is matched by a key of it cannot be found.
        if settings.key or all(recording.exact is None for recording in recordings):
            self.retrieve_exact = None  # type: ignore[assignment,method-assign]
        if all(recording.answer is None for recording in recordings):
            self.answer = None  # type: ignore[assignment,method-assign]

    @hookimpl
    def retrieve(
        self, question: str, k: int, history: Sequence[Mapping[str, str]], metadata: Mapping[str, Any]
    ) -> tuple[Chunk, ...]:
        """Return the first ``k`` recorded chunks, in the recorded order."""
        recording = self._recordings.find(question, history, metadata)
        return _recorded(recording, recording.retrieved, "retrieved chunks")[:k]

    @hookimpl
    def answer(self, question: str, history: Sequence[Mapping[str, str]], metadata: Mapping[str, Any]) -> Answer:
        """Return the recorded answer."""
        recording = self._recordings.find(question, history, metadata)
        return _recorded(recording, recording.answer, "answer")

    @hookimpl
    def retrieve_exact(self, question: str, k: int) -> tuple[Chunk, ...]:
        """Return the first ``k`` chunks of the recorded exact search; only recordings without history are found."""
        recording = self._recordings.find(question)
        return _recorded(recording, recording.exact, "exact search")[:k]


def _recorded(recording: Recording, part: Part | None, name: str) -> Part:
    if part is None:
        asked = excerpt(recording.question or recording.key, 120)
        raise AdapterError(f"the recording of {asked} has no {name} ({recording.place})")
    return part


def _load(settings: ReplaySettings, base_dir: Path, problems: Problems) -> list[Recording]:
    path = base_dir / settings.path
    questions: dict[str, Question] | None = None
    if settings.questions is not None:
        questions = read_questions(base_dir / settings.questions, problems)
    file_format = format_of(path) if settings.format == "auto" else settings.format
    if file_format == "trec":
        return read_run(path, settings.trec_order, questions, problems)
    parser = RowParser(
        problems,
        renamed=settings.fields,
        questions=questions or {},
        key=settings.key,
        cells=file_format == "csv",
        delimiter=settings.context_delimiter,
    )
    parsed = [parser.parse(row) for row in read_rows(path, file_format, problems)]
    return [recording for recording in parsed if recording is not None]
