"""``ragproof freeze``: seal a dataset."""

from __future__ import annotations

from pathlib import Path

import click

from ragproof_core.dataset.loading import load_dataset
from ragproof_core.dataset.sealing import freeze_file
from ragproof_core.reporting.numbers import counted
from ragproof_core.reporting.printable import printable


@click.command("freeze")
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="The sealed file; default: DATASET.frozen.jsonl.")
def command(dataset: Path, out: Path | None) -> None:
    """Seal DATASET with a hash: the sealed file refuses to load once it is edited."""
    checked = load_dataset(dataset)
    target = out or dataset.with_name(f"{dataset.stem.removesuffix('.frozen')}.frozen.jsonl")
    seal = freeze_file(dataset, target)
    print(f"{printable(str(target))}: {counted(checked.info.cases, 'case')}, sealed with sha256 {seal}")
