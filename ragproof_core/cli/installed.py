"""What is installed, for commands without a project."""

from __future__ import annotations

import sys

from ragproof_core.plugins.catalog import Blocking, Entry, scan
from ragproof_core.reporting.printable import printable


def installed() -> list[Entry]:
    """Return every installed component; a name in the environment that means none of them is a warning on stderr."""
    blocking = Blocking.from_sources()
    found = scan(blocking)
    for message in blocking.unknown(found):
        print(f"warning: {printable(message)}", file=sys.stderr)
    return found
