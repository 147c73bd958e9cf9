import subprocess
import sys

import pytest

import ragproof_core.statistics as public

WITHOUT_NUMPY = "import sys; sys.modules['numpy'] = None"


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_import_loads_no_numpy():
    assert (
        run("import sys, ragproof_core.statistics as s; print('numpy' in sys.modules, s.available())") == "False True"
    )


def test_pure_python_part_works_without_numpy():
    code = f"""{WITHOUT_NUMPY}
from ragproof_core.statistics import *
print(available(), mean([0.5, 1.0]), nearest_rank([1, 2, 3], 0.5), quantile_interval(range(10), 0.5), holm([0.5]),
      cohen_kappa("aab", "abb"), cases_needed(0.1, 0.5), len(pair({{"a": 1.0}}, {{"a": 1.0}}).base))
"""
    assert run(code) == "False 0.75 2 (1, 8) [0.5] 0.4 199 1"


def test_resampling_without_numpy_is_an_import_error():
    code = f"""{WITHOUT_NUMPY}
from ragproof_core.statistics import mean_interval
try:
    mean_interval([0.0, 0.387, 1.0])
except ImportError as error:
    print(error)
"""
    assert run(code) == "intervals and p-values need numpy: pip install 'ragproof-core[default]'"


@pytest.mark.parametrize("name", public.__all__)
def test_public_names_exist_and_are_documented(name):
    assert getattr(public, name).__doc__ or name in {"Direction", "Interval", "Outcome"}
