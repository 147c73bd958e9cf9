"""Conversations: ``history`` of role and content, and the message lists of ragas' multi-turn samples."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from ragproof_adapter_replay.recording import History

_ROLES = {"human": "user", "ai": "assistant"}


@dataclasses.dataclass(frozen=True, slots=True)
class Conversation:
    """The last question of a conversation, what came before, and the answer to it when there is one."""

    question: str
    history: History
    answer: str | None


def parse_history(turns: object) -> History:
    """Return the turns as (role, content) pairs; ragas' ``type`` is read as the role.

    Raises:
        ValueError: a turn has no role or no textual content.
    """
    if not isinstance(turns, Sequence) or isinstance(turns, str):
        raise ValueError("expected a list of turns with role and content")  # noqa: TRY004
    return tuple(_turn(number, turn) for number, turn in enumerate(turns))


def _turn(number: int, turn: Any) -> tuple[str, str]:
    if not isinstance(turn, Mapping):
        raise ValueError(f"turn {number} is not an object with role and content")  # noqa: TRY004
    role = turn.get("role", turn.get("type"))
    content = turn.get("content")
    if not isinstance(role, str) or not isinstance(content, str):
        raise ValueError(f"turn {number} has no textual role and content")  # noqa: TRY004
    return _ROLES.get(role, role), content


def parse_messages(messages: object) -> Conversation:
    """Split a message list at its last question.

    Raises:
        ValueError: no message is from the user, or one is not a message.
    """
    turns = parse_history(messages)
    asked = max((number for number, (role, _) in enumerate(turns) if role == "user"), default=None)
    if asked is None:
        raise ValueError("no message is from the user")
    answers = [content for role, content in turns[asked + 1 :] if role == "assistant"]
    return Conversation(turns[asked][1], turns[:asked], answers[-1] if answers else None)
