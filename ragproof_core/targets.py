"""Finding the Python object that a config names as ``package.module:attribute``."""

from __future__ import annotations

import importlib
import sys
from contextlib import redirect_stdout
from pathlib import Path

from ragproof_core.errors import ConfigError, reason_of


def load_target(target: str, base_dir: Path) -> object:
    """Import ``module:attr`` (dots allowed in both), looking in ``base_dir`` first.

    ``base_dir`` stays on ``sys.path``, because the module may import its neighbours later. What the module prints
    goes to stderr, so that stdout stays clean. Raises :class:`ConfigError` naming what was not found and where.
    """
    module_name, colon, attribute = target.partition(":")
    if not (colon and module_name and attribute):
        raise ConfigError(f"target {target!r}: expected 'package.module:attribute', such as 'my_pipeline:build'")
    folder = str(base_dir)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    importlib.invalidate_caches()
    try:
        with redirect_stdout(sys.stderr):
            found: object = importlib.import_module(module_name)
    except KeyboardInterrupt:
        raise
    except BaseException as problem:
        if isinstance(problem, ModuleNotFoundError) and f"{module_name}.".startswith(f"{problem.name}."):
            raise ConfigError(f"target {target!r}: there is no module {problem.name!r} in {folder}") from problem
        raise ConfigError(f"target {target!r}: importing {module_name} failed: {reason_of(problem)}") from problem
    for name in attribute.split("."):
        if not hasattr(found, name):
            raise ConfigError(f"target {target!r}: {module_name} has no attribute {attribute!r}")
        found = getattr(found, name)
    return found
