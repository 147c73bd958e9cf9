"""Finding a stored run by what a person types."""

from __future__ import annotations

import pytest

from ragproof_core.errors import RunNotFoundError
from ragproof_core.models.run import DatasetInfo, RunRecord, RunSettings
from ragproof_core.stored_runs import find_run


class Store:
    """Holds runs, newest first."""

    def __init__(self, *runs):
        self._runs = [
            RunRecord(
                run_id=run_id, project="p", label=label, status="completed", started_at="", describe={}, judge=None,
                dataset=DatasetInfo("d", "", 1), settings=RunSettings(), plugins={}, metrics=(), fingerprint={},
            )
            for run_id, label in runs
        ]  # fmt: skip

    def call(self, hook):
        assert hook == "runs"
        return self._runs


STORE = Store(("20260103-ccc", None), ("20260102-bbb", "main"), ("20260101-aaa", "main"), ("2025-x", "20260101-aaa"))


@pytest.mark.parametrize(
    ("wanted", "run_id"),
    [
        ("latest", "20260103-ccc"),
        ("20260102-bbb", "20260102-bbb"),
        ("main", "20260102-bbb"),  # the newest of that label
        ("20260102", "20260102-bbb"),
        ("2025", "2025-x"),
        ("20260101-aaa", "20260101-aaa"),  # an id before a label
    ],
)
def test_a_run_is_found(wanted, run_id):
    assert find_run(STORE, wanted).run_id == run_id


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("2026", "'2026' fits several runs: 20260103-ccc, 20260102-bbb, 20260101-aaa"),
        (
            "mai",
            (
                "no run has the id or label 'mai'; the newest are: 20260103-ccc, 20260102-bbb (main), "
                "20260101-aaa (main), 2025-x (20260101-aaa)"
            ),
        ),
        ("", "no run has the id or label ''; the newest are: 20260103-ccc"),
    ],
)
def test_a_run_is_not_found(wanted, message):
    with pytest.raises(RunNotFoundError) as caught:
        find_run(STORE, wanted)
    assert str(caught.value).startswith(message)


def test_an_empty_store():
    with pytest.raises(RunNotFoundError, match=r"^the store has no runs yet; make one with 'ragproof run'$"):
        find_run(Store(), "latest")
