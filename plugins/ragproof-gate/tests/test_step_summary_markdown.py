from dataclasses import replace

from ragproof_gate import Check, GateResult, step_summary


def test_the_page(stored):
    run = stored("r-1", {"retrieval.mrr": {"a": 1.0}}, label="pr|1").run
    checks = (
        Check("retrieval.mrr", None, "min", "pass", 1.0, 0.5, "1.000 ≥ 0.5"),
        Check("retrieval.mrr", "num|eric", "max_drop", "fail", 0.3, 0.1, "drop 0.300 > 0.1"),
    )
    assert step_summary(GateResult(run, replace(run, run_id="b-1", label=None), checks, ("a remark",))) == (
        "### RAGProof gate failed: 1 fail, 1 pass\n"
        "\n"
        "run r\\-1 \\(pr\\|1\\) · handbook\n"
        "<br>baseline b\\-1 · handbook\n"
        "\n"
        "| status | check | finding |\n"
        "|---|---|---|\n"
        "| ❌ fail | retrieval\\.mrr \\[num\\|eric\\] max\\_drop | drop 0\\.300 &gt; 0\\.1 |\n"
        "| ✅ pass | retrieval\\.mrr min | 1\\.000 ≥ 0\\.5 |\n"
        "\n"
        "a remark\n"
        "\n"
    )
