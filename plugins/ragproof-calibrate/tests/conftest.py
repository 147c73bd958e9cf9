"""Makes the demo package look installed."""

from pathlib import Path

import pytest

ENTRY_POINTS = """\
[ragproof.metrics]
demo.grade = calibrate_demo:GradeMetric
demo.listed = calibrate_demo:ListedMetric
demo.plain = calibrate_demo:Plain
[ragproof.judges]
demo-oracle = calibrate_demo:Oracle
[ragproof.stores]
demo-store = calibrate_demo:Store
"""


@pytest.fixture
def demo(tmp_path_factory, monkeypatch):
    site = tmp_path_factory.mktemp("site")
    info = site / "calibrate_demo-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: calibrate-demo\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "demo"))
    for name in ("PROVIDER", "BASE_URL", "API_KEY"):
        monkeypatch.delenv(f"RAGPROOF_LLM_{name}", raising=False)
    for name in ("RAGPROOF_JUDGE_MODEL", "RAGPROOF_MAX_COST_USD", "RAGPROOF_LOAD_PLUGINS", "RAGPROOF_DISABLE_PLUGINS"):
        monkeypatch.delenv(name, raising=False)
    import calibrate_demo

    return calibrate_demo
