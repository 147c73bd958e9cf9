"""``ragproof init``: a config, a dataset and a pipeline to start from."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from ragproof_core.errors import ConfigError, ExecutionError
from ragproof_core.reporting.printable import printable

_FILES = ("ragproof.yaml", "cases.jsonl", "my_pipeline.py")


@click.command("init")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=Path())
def command(folder: Path) -> None:
    """Write a commented ragproof.yaml, a small dataset and a pipeline to replace. Nothing is overwritten."""
    present = [name for name in _FILES if (folder / name).exists()]
    if present:
        raise ConfigError(f"{folder / present[0]} is already there; nothing was written")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in _FILES:
            text = (files("ragproof_core") / "starter" / f"{name}.txt").read_text(encoding="utf-8")
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    except OSError as problem:
        raise ExecutionError(f"{folder}: cannot be written: {problem.strerror or problem}") from None
    print(printable(f"wrote {', '.join(str(folder / name) for name in _FILES)}"))
    print("next: ragproof check, then ragproof run" + (f" (in {printable(str(folder))})" if folder != Path() else ""))
