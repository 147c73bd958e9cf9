"""Writing a report where it was asked for, whole or not at all."""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from ragproof_core.errors import ExecutionError

STDOUT = Path("-")


def write_report(path: Path, text: str, option: str, stdout: TextIO) -> None:
    """Write UTF-8 text to a file, or to stdout for ``-``; folders on the way are made.

    A regular file is replaced in one step, so that a reader never sees half of it. Raises :class:`ExecutionError`
    with the reason when it cannot be written.
    """
    data = text.encode("utf-8", "backslashreplace")
    if path == STDOUT:
        stdout.write(data.decode("utf-8"))
        stdout.flush()
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a pipe or a device; a folder raises
        else:
            _replace(path, data)
    except OSError as problem:
        raise ExecutionError(f"{option} {path}: cannot be written: {problem.strerror or problem}") from None


def _replace(path: Path, data: bytes) -> None:
    target = path.resolve()
    beside = target.with_name(f".{target.name[:80]}.{secrets.token_hex(4)}.tmp")
    try:
        with beside.open("xb") as file:
            file.write(data)
        beside.replace(target)
    finally:
        with suppress(OSError):
            beside.unlink()
