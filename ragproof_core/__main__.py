"""``python -m ragproof_core`` is ``ragproof``."""

from ragproof_core.cli import main

main()
