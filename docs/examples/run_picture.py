"""Draw docs/images/run.svg: what ``ragproof run`` prints for the handbook example.

usage: python docs/examples/run_picture.py
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

DOCS = Path(__file__).resolve().parent.parent
COMMAND = "ragproof run -c docs/examples/handbook/ragproof.yaml"
WIDTH = 108


def printed() -> str:
    """Run the example and return what it prints, without the lines on what was not scored."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "ragproof_core", *COMMAND.split()[1:]],
        cwd=DOCS.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    return "\n".join(line for line in done.stdout.splitlines() if not line.startswith("not scored"))


def draw(text: str) -> str:
    """Return the text as a terminal window in SVG, with fonts that every system has."""
    console = Console(record=True, width=WIDTH, file=sys.stderr, force_terminal=True)
    console.print(Text(f"$ {COMMAND}", style="bold"))
    for line in text.splitlines():
        name = re.match(r"[A-Z][A-Za-z/]+(?: [a-z]+)?(?=  )", line)
        styled = Text(line)
        if name:
            styled.stylize("bold cyan", 0, name.end())
        console.print(styled, soft_wrap=False)
    svg = console.export_svg(title="ragproof run")
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)  # no font from elsewhere
    return svg.replace("Fira Code", "ui-monospace, Menlo, Consolas, DejaVu Sans Mono")


if __name__ == "__main__":
    (DOCS / "images").mkdir(exist_ok=True)
    (DOCS / "images" / "run.svg").write_text(draw(printed()), encoding="utf-8")
