"""Reads a corpus into chunks: a folder of Markdown files, or a JSONL file whose lines are chunks already."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

HEADING = re.compile(r"(#{1,6})\s+(.+)")
FENCE = re.compile(r"\s*(```|~~~)")


@dataclass(frozen=True)
class Chunk:
    """A piece of a document: `heading` says where it stands ("Leave: Annual leave", may be empty), `body` is its text.

    `properties` are the document's front matter, for example `{"valid_from": "2025-01-01"}`.
    """

    id: str
    document_id: str
    heading: str
    body: str
    properties: Mapping[str, str]

    @property
    def text(self) -> str:
        """What is searched and handed out: the heading, so that a chunk is understood alone, and the body."""
        return f"{self.heading}\n\n{self.body}" if self.heading else self.body

    def as_result(self, score: float) -> dict[str, object]:
        """The chunk in the shape that an evaluation expects from `retrieve()`."""
        metadata = {**self.properties, "document_id": self.document_id}
        return {"id": self.id, "text": self.text, "score": score, "metadata": metadata}


def load_corpus(path: Path, chunk_chars: int) -> list[Chunk]:
    """All chunks of a folder of `*.md` files (by file name, then in text order) or of a JSONL file (in file order).

    Raises ValueError when there is nothing to read, or when two chunks have the same id.
    """
    if path.is_dir():
        files = sorted(path.glob("*.md"))
        chunks = [chunk for file in files for chunk in split_markdown(file.stem, _read(file), chunk_chars)]
    elif path.is_file():
        lines = enumerate(_read(path).split("\n"), start=1)
        chunks = [_from_line(path, number, line) for number, line in lines if line.strip()]
    else:
        raise ValueError(f"corpus {path}: no such folder or file; expected a folder of .md files or a .jsonl file")
    if not chunks:
        raise ValueError(f"corpus {path}: holds no text")
    seen: set[str] = set()
    for chunk in chunks:
        if chunk.id in seen:
            raise ValueError(f"corpus {path}: the chunk id {chunk.id!r} occurs twice")
        seen.add(chunk.id)
    return chunks


def split_markdown(document_id: str, text: str, chunk_chars: int) -> list[Chunk]:
    """One chunk a section; a section above `chunk_chars` is cut between paragraphs, a paragraph or table never.

    Ids are `document#section`, `document#section-2`, ...: they stay when other sections change.
    """
    properties, text = _front_matter(text)
    chunks: list[Chunk] = []
    used: set[str] = set()
    for heading, blocks in _sections(text):
        slug = re.sub(r"\W+", "-", heading[-1].lower()).strip("-") if heading else "start"
        for body in _pack(blocks, chunk_chars):
            chunk_id = _unused(f"{document_id}#{slug}", used)
            chunks.append(Chunk(chunk_id, document_id, ": ".join(heading), body, properties))
    return chunks


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8-sig")


def _from_line(path: Path, number: int, line: str) -> Chunk:
    try:
        row = json.loads(line)
        return Chunk(str(row["id"]), str(row["document_id"]), "", str(row["text"]), {})
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"{path}:{number}: expected an object with id, document_id and text ({error!r})") from error


def _front_matter(text: str) -> tuple[dict[str, str], str]:
    """The `key: value` lines between two `---` lines at the top, and the rest of the text."""
    head, found, rest = text.partition("\n---\n")
    if not text.startswith("---\n") or not found:
        return {}, text
    pairs = (line.partition(":") for line in head.split("\n")[1:] if ":" in line)
    return {key.strip(): value.strip() for key, _, value in pairs}, rest


def _sections(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """Each (path of headings, blocks of text between blank lines) that holds text."""
    path: list[tuple[int, str]] = []
    blocks: list[str] = [""]
    fenced = False
    for line in text.split("\n"):
        fenced ^= bool(FENCE.match(line))
        heading = None if fenced else HEADING.fullmatch(line.rstrip())
        if heading:
            if any(blocks):
                yield [title for _, title in path], [block for block in blocks if block]
            depth = len(heading[1])
            path = [*(step for step in path if step[0] < depth), (depth, heading[2])]
            blocks = [""]
        elif line.strip() or fenced:
            blocks[-1] = f"{blocks[-1]}\n{line}".strip("\n")
        elif blocks[-1]:
            blocks.append("")
    if any(blocks):
        yield [title for _, title in path], [block for block in blocks if block]


def _pack(blocks: list[str], chunk_chars: int) -> Iterator[str]:
    packed = ""
    for block in blocks:
        joined = f"{packed}\n\n{block}" if packed else block
        if packed and len(joined) > chunk_chars:
            yield packed
            joined = block
        packed = joined
    yield packed


def _unused(chunk_id: str, used: set[str]) -> str:
    candidate, part = chunk_id, 1
    while candidate in used:
        part += 1
        candidate = f"{chunk_id}-{part}"
    used.add(candidate)
    return candidate
