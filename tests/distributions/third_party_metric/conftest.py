"""Leaves these tests out where the package is not installed, as in a run of the whole repository."""

import importlib.util

collect_ignore = [] if importlib.util.find_spec("acme_metrics") else ["tests"]
