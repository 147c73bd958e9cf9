import json
from importlib.metadata import entry_points

import pytest

from ragproof_core.judging.rendering import read_template, render

METRICS = {
    entry.name: entry.load()
    for entry in entry_points(group="ragproof.metrics")
    if entry.value.startswith("ragproof_metrics_generation.")
}
PROMPTS = [prompt for metric in METRICS.values() for prompt in getattr(metric, "prompts", ())]
FIXTURES = [(prompt, fixture) for prompt in PROMPTS for fixture in prompt.fixtures()]
SHAPES = {
    "groundedness": {"claims": [{"claim": "x", "supported": True}]},
    "citation_support": {"citations": [{"chunk_id": "x", "supports": True}]},
    "answer_relevance": {"verdict": "relevant"},
    "answer_correctness": {"verdict": "correct"},
    "completeness": {"verdict": "complete"},
    "context_precision": {"chunks": [{"chunk_id": "x", "useful": True}]},
    "context_recall": {"statements": [{"statement": "x", "supported": True}]},
    "context_utilization": {"claims": [{"claim": "x", "used": True}]},
}


def test_every_metric_of_both_tables_is_there():
    assert sorted(METRICS) == [
        "context.precision", "context.recall", "context.utilization",
        "generation.answer_correctness", "generation.answer_relevance", "generation.answer_tokens",
        "generation.citation_support", "generation.citation_validity", "generation.completeness",
        "generation.groundedness", "generation.keyword_hit",
    ]  # fmt: skip
    assert sorted(prompt.name for prompt in PROMPTS) == sorted(SHAPES)


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.name)
def test_template_states_the_reply_and_keeps_data_out_of_the_system_text(prompt):
    system, separator, _ = prompt.template.partition("\n---\n")
    assert separator
    assert "{{" not in system
    examples = [json.loads(line) for line in system.splitlines() if line.startswith("{")]
    assert examples
    for example in examples:
        prompt.reply.model_validate_json(json.dumps(example))
    assert prompt.reply.model_validate_json(json.dumps(SHAPES[prompt.name])).model_dump() == SHAPES[prompt.name]


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.name)
def test_fixtures_are_enough_distinct_and_varied(prompt):
    fixtures = list(prompt.fixtures())
    assert len(fixtures) >= 12
    texts = {json.dumps(fixture.variables, ensure_ascii=False) for fixture in fixtures}
    assert len(texts) == len(fixtures)
    bands = {fixture.expected for fixture in fixtures}
    assert {0.0, 0.5, 1.0} <= bands
    assert any(not text.isascii() for text in texts)
    assert any("NOTE TO THE REVIEWER" in text or "Ignore the rules" in text for text in texts) or prompt.name in {
        "answer_correctness", "completeness",
    }  # fmt: skip


@pytest.mark.parametrize(("prompt", "fixture"), FIXTURES, ids=lambda value: getattr(value, "name", ""))
def test_every_fixture_renders_and_is_in_range(prompt, fixture):
    rendered = render(read_template(prompt), fixture.variables)
    assert rendered.user
    assert fixture.expected is None or 0.0 <= fixture.expected <= 1.0


def best_reply(prompt, fixture, verdict):
    if prompt.name == "context_precision":
        return {"chunks": [{"chunk_id": chunk["id"], "useful": verdict} for chunk in fixture.variables["context"]]}
    if prompt.name == "citation_support":
        return {"citations": [{"chunk_id": chunk["id"], "supports": verdict} for chunk in fixture.variables["cited"]]}
    return None


@pytest.mark.parametrize("prompt", [p for p in PROMPTS if p.name in {"context_precision", "citation_support"}])
@pytest.mark.parametrize("verdict", [True, False])
def test_prompts_about_chunks_score_fixtures_by_their_ids(prompt, verdict):
    for fixture in prompt.fixtures():
        reply = prompt.reply.model_validate_json(json.dumps(best_reply(prompt, fixture, verdict)))
        assert prompt.score(reply, fixture.variables) == float(verdict)
