"""Reading the documentation's pages: their marked blocks, tables and headings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
_BLOCK = re.compile(
    r"^<!-- (?P<kind>file|run|python|output)(?:: (?P<name>.+?))? -->\n```\w*\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_ROW = re.compile(r"^\| `(?P<key>[^`]+)`[^|]* \| (?P<second>[^|]*) \|", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block with a marker above it."""

    kind: str
    name: str
    text: str


@dataclass(frozen=True)
class Page:
    """One page of the documentation."""

    path: Path

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def blocks(self) -> list[Block]:
        """Every marked block, in order; a marker without a block below it is a mistake."""
        found = [Block(match["kind"], match["name"] or "", match["text"]) for match in _BLOCK.finditer(self.text)]
        markers = re.findall(r"^<!-- (?:file|run|python|output)\b", self.text, re.MULTILINE)
        assert len(found) == len(markers), f"{self.path.name}: a marker has no block right below it"
        return found

    def section(self, heading: str) -> str:
        """The text below a heading, up to the next one of its level or above."""
        level = heading.partition(" ")[0]
        start = self.text.index(f"\n{heading}\n") + len(heading) + 2
        end = re.search(rf"^#{{1,{len(level)}}} ", self.text[start:], re.MULTILINE)
        return self.text[start : start + end.start()] if end else self.text[start:]

    def rows(self, heading: str) -> dict[str, str]:
        """First and second cell of the tables below a heading; the first holds code."""
        return {match["key"]: match["second"].strip() for match in _ROW.finditer(self.section(heading))}


@pytest.fixture
def page():
    """Open a page by its path inside docs/."""
    return lambda name: Page(DOCS / name)
