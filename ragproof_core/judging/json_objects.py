"""Finding JSON objects inside other text.

JSON with ``//``, ``#`` and ``/* */`` comments and trailing commas is read: neither changes what an object says. The
search is linear in the length of the text on ordinary replies, and gives up on text made to be slow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_GAP = r"(?:\s++|//[^\n]*+|\#[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/)*+"
_NUMBER = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?"
# NaN and infinities are read, so that whoever decodes the object can say what is wrong with it.
_CONSTANT = "true|false|null|NaN|-?Infinity"
_LEXEME = re.compile(rf"{_GAP}({_STRING}|[{{}}\[\],:]|{_NUMBER}|{_CONSTANT})", re.DOTALL)
_START = re.compile(rf"\{{\s*+(?:(?P<empty>\}})|(?={_STRING}\s*+[:/#]|[/#]))", re.DOTALL)
_ENDS_HERE = re.compile(r'\s*+[^"/#\s]')
_RAW_CONTROL = re.compile(r"[\x00-\x1f]")

_WORK_PER_CHARACTER = 8
_KEY, _COLON, _VALUE, _END = "key", "colon", "value", "end"


class FoundObject(NamedTuple):
    """An outermost object: where it stands in the text, and its JSON without comments and trailing commas."""

    start: int
    end: int
    json: str


class SearchLimitError(ValueError):
    """The text has so many half-finished objects that the search was given up."""


def find_objects(text: str) -> Iterator[FoundObject]:
    """Yield the outermost complete objects in the text, in order.

    Raises :class:`SearchLimitError` when reading took more than eight times the text's length.
    """
    work_left = _WORK_PER_CHARACTER * len(text) + 1000
    dead: set[int] = set()
    at = 0
    while found := _START.search(text, at):
        start = found.start()
        if found["empty"]:
            at = found.end()
            yield FoundObject(start, at, "{}")
            continue
        at = start + 1
        if start in dead:
            continue
        reading = _Reading(text, start)
        end = reading.run()
        work_left -= reading.work
        if end is not None:
            yield FoundObject(start, end, "".join(reading.pieces))
            at = end
        elif work_left < 0:
            raise SearchLimitError("the reply has too many unfinished braces to be searched")
        else:
            # What was open when the outer object broke off breaks off at the same place when it is tried alone.
            dead.update(reading.open_objects)


class _Reading:
    """One attempt to read an object from a brace on; no recursion, so depth costs nothing."""

    __slots__ = ("_expect", "_open", "pieces", "start", "text", "work")

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start
        self.work = 0
        self.pieces: list[str] = []
        self._open: list[tuple[str, int]] = []
        self._expect = _VALUE

    @property
    def open_objects(self) -> list[int]:
        return [start for closer, start in self._open if closer == "}"]

    def run(self) -> int | None:
        """Return where the object ends, or ``None`` when it is not one."""
        at = self.start
        while True:
            lexeme = _LEXEME.match(self.text, at)
            if lexeme is None:
                # An unfinished string or comment was followed to the end of the text.
                self.work = at - self.start if _ENDS_HERE.match(self.text, at) else len(self.text) - self.start
                return None
            at = lexeme.end()
            self.work = at - self.start
            if not self._take(lexeme[1], lexeme.start(1)):
                return None
            if not self._open:
                return at

    def _take(self, token: str, at: int) -> bool:
        kind = token[0]
        if kind in "}]":
            return self._close(kind)
        accepted = True
        if self._expect == _VALUE and kind in "{[":
            self._open.append(("}" if kind == "{" else "]", at))
            self._expect = _KEY if kind == "{" else _VALUE
        elif self._expect == _VALUE and kind not in ",:":
            self._expect = _END
        elif self._expect == _KEY and kind == '"':
            self._expect = _COLON
        elif self._expect == _COLON and kind == ":":
            self._expect = _VALUE
        elif self._expect == _END and kind == ",":
            self._expect = _KEY if self._open[-1][0] == "}" else _VALUE
        else:
            accepted = False
        self.pieces.append(_RAW_CONTROL.sub(_escaped, token) if kind == '"' else token)
        return accepted

    def _close(self, closer: str) -> bool:
        before = self.pieces[-1]
        empty_or_ended = self._expect == _END or before in ("{", "[", ",")
        if not self._open or self._open[-1][0] != closer or not empty_or_ended:
            return False
        if before == ",":
            self.pieces.pop()
        self._open.pop()
        self.pieces.append(closer)
        self._expect = _END
        return True


def _escaped(control: re.Match[str]) -> str:
    return f"\\u{ord(control[0]):04x}"
