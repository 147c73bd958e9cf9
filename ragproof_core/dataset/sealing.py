"""Frozen datasets: the first line holds a hash of the rest, and an edited file is refused."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from ragproof_core.errors import DatasetError, ExecutionError

SEAL_KEY = "ragproof_frozen"


def seal_of(lines: Iterable[str]) -> str:
    """Return the sha256 over the lines, each ended by one line feed."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()


def sealed_text(lines: list[str]) -> str:
    """Return the text of a frozen dataset: its seal, then the lines as they are."""
    header = {SEAL_KEY: 1, "cases": len(lines), "sha256": seal_of(lines)}
    return "\n".join([json.dumps(header), *lines]) + "\n"


def freeze_file(source: Path, target: Path) -> str:
    """Write the sealed form of a dataset file, atomically; returns the seal. An old seal is replaced.

    Raises :class:`ExecutionError` when the target cannot be written.
    """
    text = source.read_bytes().decode("utf-8-sig")
    lines = [line for line in (part.strip(" \t\r") for part in text.split("\n")) if line]
    if SEAL_KEY in lines[0][:200] and check_seal(source, list(enumerate(lines, 1))):
        lines = lines[1:]
    part = target.with_name(f"{target.name}.part")
    try:
        part.write_bytes(sealed_text(lines).encode())
        part.replace(target)
    except OSError as problem:
        raise ExecutionError(f"{target}: cannot be written: {problem.strerror or problem}") from None
    return seal_of(lines)


def check_seal(path: Path, lines: list[tuple[int, str]]) -> bool:
    """Return whether the first line is a seal. Raises :class:`DatasetError` when the rest does not fit it."""
    try:
        header = json.loads(lines[0][1])
    except ValueError:
        return False
    if not isinstance(header, dict) or SEAL_KEY not in header:
        return False
    if header[SEAL_KEY] != 1:
        raise DatasetError(f"{path}: is frozen in format {header[SEAL_KEY]!r}; upgrade ragproof-core to read it")
    rest = [line for _, line in lines[1:]]
    if header.get("cases") != len(rest) or header.get("sha256") != seal_of(rest):
        raise DatasetError(
            f"{path}: was changed after it was frozen (cases sealed: {header.get('cases')}, found: {len(rest)}); "
            f"restore it, or freeze the new version with 'ragproof freeze'"
        )
    return True
