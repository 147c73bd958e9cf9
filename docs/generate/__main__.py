"""Write the generated parts of the documentation: ``python docs/generate``; ``--check`` only tells what is stale.

A part stands in a page between ``<!-- generated: NAME -->`` and ``<!-- end -->``. The packages of ``plugins/`` must be
installed, so that what they declare can be read.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from command_options import command_parts
from generated_parts import fill
from metric_table import metric_table
from plugin_directory import plugin_directory
from prompt_table import prompt_table

DOCS = Path(__file__).parents[1]
PLUGINS = DOCS.parent / "plugins"
PAGES: Mapping[str, Callable[[], Mapping[str, str]]] = {
    "metrics.md": lambda: {"metrics": metric_table(PLUGINS)},
    "judges.md": lambda: {"prompts": prompt_table(PLUGINS)},
    "cli.md": command_parts,
    "authors/plugins.md": lambda: {"plugins": plugin_directory(PLUGINS)},
}


def main() -> int:
    """Write or check every page; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python docs/generate", description="Write the generated parts of the docs.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a page is stale")
    parser.add_argument("--docs", type=Path, default=DOCS, help="folder of the pages")
    options = parser.parse_args()
    stale = []
    for page, parts in PAGES.items():
        path = options.docs / page
        text = path.read_text(encoding="utf-8")
        wanted = fill(text, parts(), page)
        if wanted != text:
            stale.append(page)
            if not options.check:
                path.write_text(wanted, encoding="utf-8")
    for page in stale:
        print(f"{page}: stale; run 'python docs/generate'" if options.check else f"{page}: written")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
