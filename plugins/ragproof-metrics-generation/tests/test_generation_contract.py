import subprocess
import sys
from importlib.metadata import entry_points

import pytest

from ragproof_core.plugins.contract import register

METRICS = {
    entry.name: entry.load()
    for entry in entry_points(group="ragproof.metrics")
    if entry.value.startswith("ragproof_metrics_generation.")
}

NEEDS = {
    "retrieval", "answer", "citations", "context", "expected_answer", "expected_sources", "expected_grades",
    "keywords", "payload", "judge",
}  # fmt: skip


@pytest.mark.parametrize("name", METRICS)
def test_metric_fits_the_contract(name):
    metric = METRICS[name]
    _, hooks = register("metric", metric(), name)
    assert hooks == {"score"}
    assert metric.api_version == 1
    assert set(metric.needs) <= NEEDS
    assert metric.direction == ("none" if name == "generation.answer_tokens" else "higher")
    assert metric.range == ((0.0, None) if name == "generation.answer_tokens" else (0.0, 1.0))
    assert all((metric.unit, metric.description, metric.source))
    assert ("judge" in metric.needs) == bool(getattr(metric, "prompts", ()))


def test_metrics_without_a_judge_import_no_reply_models():
    code = (
        "import sys, ragproof_metrics_generation.keyword_hit, ragproof_metrics_generation.citation_validity,"
        "ragproof_metrics_generation.answer_tokens; print('ragproof_core.models.judging' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
