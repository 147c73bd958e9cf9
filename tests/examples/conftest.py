"""The example's modules, its pipeline, chunks and cases, for the tests of this folder."""

import importlib
import json
import sys
from pathlib import Path

import pytest

HANDBOOK = Path(__file__).parents[2] / "docs" / "examples" / "handbook"
MODULES = ("pipeline", "chunking", "ranking", "answering")


@pytest.fixture(scope="module")
def handbook():
    return HANDBOOK


@pytest.fixture(scope="module")
def example():
    """The modules, imported from the example's folder as the python adapter does; afterwards all is as before."""
    before = {name: sys.modules.pop(name) for name in MODULES if name in sys.modules}
    sys.path.insert(0, str(HANDBOOK))
    importlib.invalidate_caches()
    try:
        yield {name: importlib.import_module(name) for name in MODULES}
    finally:
        sys.path.remove(str(HANDBOOK))
        for name in MODULES:
            sys.modules.pop(name, None)
        sys.modules.update(before)


@pytest.fixture(scope="module")
def pipeline(example):
    return example["pipeline"].build()


@pytest.fixture(scope="module")
def chunks(example):
    return {chunk.id: chunk for chunk in example["chunking"].load_corpus(HANDBOOK / "corpus", 900)}


@pytest.fixture(scope="module")
def cases():
    return [json.loads(line) for line in (HANDBOOK / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
