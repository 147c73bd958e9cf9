"""From a prompt's template and a metric's variables to the text that is sent."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragproof_core.errors import PluginError
from ragproof_core.judging.fencing import DATA_RULE, RULE_GAP, chunk_list, encodable, fence_token, fenced
from ragproof_core.models.judging import Prompt

_PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")
_SEPARATOR = re.compile(r"^---[ \t]*$\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt's template, taken apart once.

    ``system`` is the system text and the rule about data, cut where the fence's token goes. ``parts`` alternates
    literal text and variable names, and begins and ends with literal text.
    """

    prompt: Prompt
    system: tuple[str, ...]
    parts: tuple[str, ...]

    @property
    def variables(self) -> frozenset[str]:
        """Names of the variables that the template uses."""
        return frozenset(self.parts[1::2])


@dataclass(frozen=True, slots=True)
class Rendered:
    """What is sent. ``sha256`` is over the user text, which with the template determines the system text too."""

    system: str
    user: str
    sha256: str


def read_template(prompt: Prompt) -> Template:
    """Take the prompt's template apart; raises ``PluginError`` when it is missing or malformed."""
    try:
        text = prompt.template
    except (OSError, ImportError, UnicodeDecodeError) as error:
        raise PluginError(f"{_named(prompt)}: cannot read templates/{prompt.name}.txt: {error}") from error
    above, separator, below = _split(text)
    system, user = (above, below) if separator else ("", text)
    if "{{" in system:
        raise PluginError(
            f"{_named(prompt)}: a placeholder above the line '---'; data never goes into the system text, "
            "move the placeholder below that line"
        )
    parts = tuple(_PLACEHOLDER.split(user.strip("\n")))
    for literal in parts[0::2]:
        if "{{" in literal:
            near = literal[literal.index("{{") :][:30].splitlines()[0]
            raise PluginError(f"{_named(prompt)}: malformed placeholder at {near!r}; write {{{{name}}}}")
    ruled = "\n\n".join(filter(None, (system.strip("\n"), DATA_RULE)))
    return Template(prompt, tuple(ruled.split(RULE_GAP)), parts)


def render(template: Template, variables: Mapping[str, Any]) -> Rendered:
    """Fill the template in one pass; text and chunk lists are fenced, numbers stand as they are.

    Text that looks like a placeholder inside a value stays as it is. Raises ``PluginError`` naming the prompt and the
    variable when one is missing, unknown, or neither text, a number nor a list of chunks.
    """
    bodies: dict[str, str] = {}
    numbers: dict[str, str] = {}
    for name in dict.fromkeys(template.parts[1::2]):
        if name not in variables:
            raise PluginError(f"{_named(template.prompt)}: variable {name!r} is missing; given: {_listed(variables)}")
        value = variables[name]
        if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
            numbers[name] = repr(value)
        else:
            bodies[name] = _body(template.prompt, name, value)
    if unknown := variables.keys() - bodies.keys() - numbers.keys():
        raise PluginError(
            f"{_named(template.prompt)}: unknown variable {min(unknown)!r}; "
            f"the template has: {_listed(template.variables)}"
        )
    token = fence_token(template.prompt.sha256, bodies.values())
    return _filled(template, numbers | {name: fenced(body, token) for name, body in bodies.items()}, token)


def _filled(template: Template, values: Mapping[str, str], token: str) -> Rendered:
    user = "".join(values[part] if place % 2 else part for place, part in enumerate(template.parts))
    return Rendered(token.join(template.system), user, hashlib.sha256(user.encode()).hexdigest())


def _body(prompt: Prompt, name: str, value: object) -> str:
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        try:
            return encodable(chunk_list(value))
        except ValueError as error:
            raise PluginError(f"{_named(prompt)}: variable {name!r}: {error}") from None
    shown = repr(value) if isinstance(value, (float, bool)) or value is None else type(value).__name__
    raise PluginError(f"{_named(prompt)}: variable {name!r} is {shown}; expected text, a number or a list of chunks")


def _split(text: str) -> tuple[str, bool, str]:
    found = _SEPARATOR.search(text)
    return (text, False, "") if found is None else (text[: found.start()], True, text[found.end() :])


def _named(prompt: Prompt) -> str:
    return f"prompt {prompt.name!r} of {prompt.package}"


def _listed(names: Mapping[str, Any] | frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "none"
