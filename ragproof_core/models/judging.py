"""Prompts, and what goes to a judge and comes back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict

from ragproof_core.once import once_property


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of one judge call as the provider counted them."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """One call to a judge, ready to send: plain text in, one JSON object out.

    ``schema`` is the JSON schema of the reply and ``schema_name`` a short identifier for it. A judge must not ask
    again after a reply that was lost on the way unless ``resend_lost`` is true: the lost one may have been billed, and
    a budget has room for one.
    """

    system: str
    user: str
    schema: Mapping[str, Any]
    schema_name: str
    max_tokens: int
    temperature: float = 0.0
    resend_lost: bool = True


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """A judge's raw answer. ``finish_reason`` is ``length`` when it was cut off by ``max_tokens``.

    ``notes`` says what the judge had to leave out (a parameter that the model refuses, say); kept with the run.
    """

    text: str
    usage: TokenUsage | None = None
    finish_reason: str | None = None
    notes: tuple[str, ...] = ()


class Reply(BaseModel):
    """Base of the reply models of prompts: extra keys are ignored, values are not coerced."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


@dataclass(frozen=True)
class Fixture:
    """A human-scored example for calibration; ``expected`` is 0 to 1, or ``None`` for not applicable."""

    variables: Mapping[str, Any]
    expected: float | None


@dataclass(frozen=True)
class Prompt:
    """One question that a metric asks a judge.

    ``package`` is the import name of the package that ships ``templates/<name>.txt`` and ``fixtures/<name>.jsonl``.
    ``reply`` is the model a reply must fit, ``score(reply, variables)`` turns it into 0 to 1, or ``None`` for not
    applicable. A template has ``{{variable}}`` placeholders; the part before a line ``---`` is the system text.
    """

    name: str
    package: str
    reply: type[BaseModel]
    score: Callable[[Any, Mapping[str, Any]], float | None] = field(repr=False)
    ordered: bool = False

    @once_property
    def template(self) -> str:
        """The template's text, read once from the package."""
        return (files(self.package) / "templates" / f"{self.name}.txt").read_text(encoding="utf-8")

    @once_property
    def sha256(self) -> str:
        """Hex digest of the template's text."""
        return hashlib.sha256(self.template.encode()).hexdigest()

    @once_property
    def schema(self) -> dict[str, Any]:
        """JSON schema of the reply."""
        return self.reply.model_json_schema()

    def fixtures(self) -> Iterator[Fixture]:
        """The human-scored examples that the package ships, in file order."""
        path = files(self.package) / "fixtures" / f"{self.name}.jsonl"
        for line in path.read_text(encoding="utf-8").split("\n"):  # splitlines() would cut at U+2028 inside a text
            if line.strip():
                row = json.loads(line)
                yield Fixture(row["variables"], row["expected"])


class Judge(Protocol):
    """What a metric gets as ``judge``: it asks prompts and gets validated replies.

    Both calls raise :class:`~ragproof_core.errors.JudgeError` when there is no usable reply after one repair; a
    metric lets it pass, and the kernel records ``judge_error``. Variables are text, numbers, or lists of chunks.
    """

    def ask(self, prompt: Prompt, variables: Mapping[str, Any]) -> Any:
        """Ask and wait; for plain metrics."""
        ...

    async def ask_async(self, prompt: Prompt, variables: Mapping[str, Any]) -> Any:
        """Ask from an ``async def score``."""
        ...
