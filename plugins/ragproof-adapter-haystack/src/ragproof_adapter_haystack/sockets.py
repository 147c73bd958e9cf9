"""Names of a pipeline's inputs and outputs, ``component.socket``, and values for the inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Annotated, Any, Literal, NamedTuple

from haystack.dataclasses import ChatMessage
from pydantic import StringConstraints

from ragproof_core import AdapterError, ConfigError

Name = Annotated[str, StringConstraints(pattern=r"^.+\.[^.]+$")]
Source = Literal["question", "k", "history", "messages", "metadata"]

_MESSAGE: Mapping[str, Callable[..., ChatMessage]] = {
    "user": ChatMessage.from_user,
    "assistant": ChatMessage.from_assistant,
    "system": ChatMessage.from_system,
}


class Socket(NamedTuple):
    """One input or output of a component."""

    component: str
    socket: str


def parse_socket(name: str) -> Socket:
    """Split ``component.socket`` at its last dot."""
    component, _, socket = name.rpartition(".")
    return Socket(component, socket)


def check_socket(name: str, where: str, present: Mapping[str, Mapping[str, Any]]) -> Socket:
    """Return the socket.

    Raises:
        ConfigError: the pipeline does not have it; the message names what it has.
    """
    found = parse_socket(name)
    if found.socket in present.get(found.component, {}):
        return found
    known = [f"{component}.{socket}" for component, sockets in present.items() for socket in sockets]
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]}?" if near else f"it has: {', '.join(known)}"
    raise ConfigError(f"{where}: the pipeline has no {name}; {hint}")


def chat_messages(turns: Sequence[Mapping[str, str]]) -> list[ChatMessage]:
    """Return the turns as Haystack's messages.

    Raises:
        AdapterError: a role is neither user, assistant nor system.
    """
    unknown = sorted({turn["role"] for turn in turns} - set(_MESSAGE))
    if unknown:
        raise AdapterError(f"the case's history has the role {unknown[0]!r}; known: {', '.join(_MESSAGE)}")
    return [_MESSAGE[turn["role"]](turn["content"]) for turn in turns]
