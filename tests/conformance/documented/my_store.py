"""The store that the page on testing speaks of: the toy store of the mutants."""

import importlib.util
from pathlib import Path

_spec = importlib.util.spec_from_file_location("toy_stores", Path(__file__).parents[1] / "mutants" / "stores.py")
_module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)
Store = _module.Toy
