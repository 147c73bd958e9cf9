"""Every code block of the page on testing runs, and its tables name every flag with its default."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ragproof_core.testing import AdapterConformance, JudgeConformance, MetricConformance, StoreConformance
from ragproof_core.testing.conformance import Conformance

PAGE = (Path(__file__).parents[2] / "docs" / "authors" / "testing.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
SUITES = [AdapterConformance, MetricConformance, JudgeConformance, StoreConformance]


def test_every_block_passes(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n", encoding="utf-8")
    for number, block in enumerate(BLOCKS):
        whole = (
            block if "class Test" in block else f"def test_block():\n{re.sub('^', '    ', block, flags=re.MULTILINE)}"
        )
        whole = (
            whole.replace("my_adapter import Adapter", "my_adapter import OnceAdapter as Adapter")
            if "xfail" in block
            else whole
        )
        (tmp_path / f"test_block_{number}.py").write_text(whole, encoding="utf-8")
    modules = os.pathsep.join(str(Path(__file__).with_name(name)) for name in ("documented", "mutants"))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "pytest.ini"],
        capture_output=True, text=True, check=False, cwd=tmp_path, env={**os.environ, "PYTHONPATH": modules},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    assert "1 xfailed" in done.stdout


@pytest.mark.parametrize("suite", SUITES)
def test_the_tables_have_every_flag_with_its_default(suite):
    rows = [row.split("|")[1:3] for row in PAGE.splitlines() if row.startswith("| `")]
    section = PAGE.partition(f"import {suite.__name__}")[2]
    for name in flags(suite):
        value = getattr(suite, name)
        shown = f'`"{value}"`' if isinstance(value, str) else f"`{value}`"
        defaults = [default.strip() for names, default in rows if f"`{name}`" in names]
        assert f"`{name}`" in section, name
        assert shown in defaults, (name, shown)


def flags(suite):
    return [
        name
        for base in suite.__mro__
        if issubclass(base, Conformance) and base is not Conformance
        for name, value in vars(base).items()
        if not name.startswith(("_", "test_"))
        and name != "role"
        and isinstance(value, (bool, int, float, str, dict, type(None)))
    ]
