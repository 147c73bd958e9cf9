from dataclasses import replace

import pytest
from ragproof_gate import require_comparable, run_differences
from ragproof_gate.comparability import remarks

from ragproof_core.errors import ConfigError
from ragproof_core.models.run import DatasetInfo, RunSettings

JUDGE = {"type": "openai", "model": "small", "identity": "a" * 64, "prompts": {"groundedness": "1" * 64}}


@pytest.fixture
def base(stored):
    return stored("base", {"retrieval.mrr": {"a": 1.0}}, judge=JUDGE, fingerprint={"templates": "t1"}).run


@pytest.mark.parametrize(
    ("changes", "what", "of_judge"),
    [
        ({"dataset": DatasetInfo("cases.jsonl", "e" * 64, 1)}, "dataset", False),
        ({"settings": RunSettings(k=3)}, "run.k", False),
        ({"settings": RunSettings(source_match="document")}, "run.source_match", False),
        ({"judge": {**JUDGE, "identity": "b" * 64}}, "judge", True),
        ({"judge": None}, "judge", True),
        ({"judge": {**JUDGE, "prompts": {"groundedness": "2" * 64}}}, "template groundedness", True),
        ({"fingerprint": {"templates": "t2"}}, "templates of the metrics' prompts", True),
    ],
)
def test_each_difference_is_named_and_refused(base, changes, what, of_judge):
    cand = replace(base, run_id="cand", **changes)
    assert [(found.what, found.of_judge) for found in run_differences(base, cand)] == [(what, of_judge)]
    with pytest.raises(ConfigError, match=what) as refused:
        require_comparable(base, cand)
    assert refused.value.exit_code == 3
    assert ("--allow-mixed-judges" in str(refused.value)) == of_judge
    if of_judge:
        assert [found.what for found in require_comparable(base, cand, allow_mixed_judges=True)] == [what]
    else:
        with pytest.raises(ConfigError, match=what):
            require_comparable(base, cand, allow_mixed_judges=True)


def test_every_difference_is_listed_at_once(base):
    settings = RunSettings(k=3, source_match="document")
    with pytest.raises(ConfigError) as refused:
        require_comparable(base, replace(base, run_id="cand", settings=settings, judge=None))
    lines = str(refused.value).splitlines()
    assert lines[1:3] == ["  run.k: 5 against 3", "  run.source_match: chunk against document"]
    assert lines[3].startswith("  judge: openai/small (identity aaaaaaaaaaaa) against none")
    assert len(lines) == 4


def test_prompts_that_one_run_did_not_ask_are_no_difference(base):
    """A run with fewer metrics asked fewer prompts, and its digest of templates is another one."""
    fewer = replace(base, run_id="cand", metrics=(), judge={**JUDGE, "prompts": {}}, fingerprint={"templates": "t2"})
    assert run_differences(base, fewer) == []


def test_what_may_differ_is_remarked(base):
    cand = replace(
        base, run_id="cand", status="partial", settings=RunSettings(retrieve_k=10), fingerprint={"metrics": "m2"}
    )
    assert remarks(replace(base, fingerprint={"metrics": "m1"}), cand) == [
        "candidate run cand is partial: not all of its cases have a result",
        "run.retrieve_k differs (5 against 10): mrr and map look that deep",
        "the metrics' versions or settings differ",
    ]
    assert remarks(base, base) == ["both are one and the same run"]
