"""A process of its own that writes to a store and says on stdout which results are safe.

Run as ``python -m ragproof_core.testing.store_writer`` with one JSON argument: the file and the qualified name of the
conformance class, the store's path, the run's id, how many batches, of how many results, and ``sys.path``.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from functools import reduce
from typing import Any

from ragproof_core.models.run import CacheEntry
from ragproof_core.plugins.component import from_object
from ragproof_core.testing.store_records import case_result, run_record


def main() -> None:
    """Write batch after batch; after each a line with the number of results that ``add_results`` returned for."""
    order: dict[str, Any] = json.loads(sys.argv[1])
    sys.path[:] = order["sys_path"]
    suite = _suite(order["file"], order["suite"])
    store = from_object("store", suite.make_store(order["path"]), "store")
    run_id, size = order["run_id"], order["size"]
    store.call("open_run", run=run_record(run_id))
    for start in range(0, order["batches"] * size, size):
        batch = [case_result(index, run_id) for index in range(start, start + size)]
        store.call("add_results", run_id=run_id, results=batch)
        store.call("cache_put", entries=[CacheEntry(f"{run_id}-{start}", "reply", "judge", "prompt", "now")])
        sys.stdout.write(f"{start + size}\n")
        sys.stdout.flush()
    store.close()


def _suite(file: str, qualified_name: str) -> Any:
    spec = importlib.util.spec_from_file_location("store_conformance", file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return reduce(getattr, qualified_name.split("."), module)


if __name__ == "__main__":
    main()
