"""The standard tests of a store."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import pytest

from ragproof_core.hookspecs import StoreSpec
from ragproof_core.models.outcome import error, scored, skipped
from ragproof_core.models.response import Chunk
from ragproof_core.models.run import CacheEntry, Calibration, CaseResult, DatasetInfo
from ragproof_core.plugins.component import Component
from ragproof_core.plugins.contract import hook_arguments
from ragproof_core.testing.checking import require, shown, within
from ragproof_core.testing.hostile_texts import HOSTILE_TEXTS, LONE_SURROGATES
from ragproof_core.testing.store_records import (
    RUN_ID,
    case_result,
    full_result,
    full_run,
    result_of_text,
    run_record,
)
from ragproof_core.testing.store_sharing import StoreSharing

_TEXTS = {**HOSTILE_TEXTS, **LONE_SURROGATES, "empty": "", "long": "word " * 100_000}
_CACHE_KEYS = 1200
_BATCH = 100


class StoreConformance(StoreSharing):
    """Subclass with a static method ``make_store(path)`` that returns the built store.

    It is static because the suite also calls it in processes of its own, which it kills. Called twice with one path, it
    opens the same store. ``persistent``: what was stored is there for the next process. ``concurrent``: several
    processes may write at once. ``rows`` is how many results the largest run of the suite has; 50,000 is what a store
    should be tried with once.
    """

    rows: int = 5_000

    def test_it_has_every_hook(self, component: Component) -> None:
        """A store keeps all that the kernel gives it."""
        missing = sorted(set(hook_arguments("store")) - component.hooks)
        require(not missing, f"{StoreSpec.__name__} has {', '.join(missing)}, which the store has not; it needs them")

    def test_nothing_stored_yet(self, store: Component) -> None:
        """A new store is empty, and reading it is no error."""
        for hook, arguments in (("runs", {}), ("calibrations", {}), ("results", {"run_id": "none"})):
            found = list(store.call(hook, **arguments))
            require(found == [], f"{hook}() of a new store returned {shown(found)}; expected nothing")
        cached = dict(store.call("cache_get", keys=["none"]))
        require(not cached, f"cache_get() of a new store returned {shown(cached)}; expected nothing")

    def test_every_field_of_a_result_comes_back(self, store: Component) -> None:
        """A result is read as it was written, with the order of its scores."""
        (found,) = self._stored(store, [full_result()])
        _same(found, full_result(), "a result")
        require(list(found.scores) == ["b", "a", "c"], f"scores came back in the order {list(found.scores)}")

    def test_every_field_of_a_run_comes_back(self, store: Component) -> None:
        """A finished run is read as the kernel finished it, with its summaries in order."""
        final = full_run()
        start = dataclasses.replace(final, status="running", summaries=(), cost_usd=0.0, ended_at=None, notes=())
        store.call("open_run", run=start)
        _same(store.call("runs")[0], start, "a run that was opened")
        store.call(
            "finish_run",
            run_id=RUN_ID,
            status=final.status,
            summaries=final.summaries,
            cost_usd=final.cost_usd,
            run=dataclasses.replace(final, status="running", summaries=(), cost_usd=0.0),
        )
        (found,) = store.call("runs")
        _same(found, final, "a run that was finished")

    @pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in _TEXTS.items()])
    def test_any_text_comes_back(self, store: Component, text: str) -> None:
        """Texts of every kind come back wherever they stand: results, runs, cache, calibrations."""
        (found,) = self._stored(store, [result_of_text(text)])
        _same(found, result_of_text(text), "a result")
        run = run_record(
            text or "id",
            project=text,
            label=text,
            started_at="2027-01-01T00:00:00+00:00",
            dataset=DatasetInfo(text, "a" * 64, 1, {"qa": 1}),
            describe={text: text},
            judge={"model": text},
            notes=(text,),
        )
        store.call("open_run", run=run)
        _same(next(one for one in store.call("runs") if one.run_id == run.run_id), run, "a run")
        store.call("cache_put", entries=[CacheEntry("key", text, text, text, "now")])
        require(dict(store.call("cache_get", keys=["key"])) == {"key": text}, f"the cache changed {shown(text)}")
        calibration = Calibration({"model": text}, "2026-01-01", ({"prompt": text},))
        store.call("add_calibration", calibration=calibration)
        _same(store.call("calibrations")[0], calibration, "a calibration")

    def test_none_and_empty_stay_apart(self, store: Component) -> None:
        """``None`` (not known) and empty (known to be nothing) are different results."""
        results = [
            case_result(0, retrieved=None, context=None, answer_text=None, expected_answer=None, error=None),
            case_result(1, retrieved=(), context=(), answer_text="", expected_answer="", error=""),
            case_result(2, scores={}),
        ]
        for found, result in zip(self._stored(store, results), results, strict=True):
            _same(found, result, "a result")

    @pytest.mark.parametrize("value", [0.0, 1.0, 0.1 + 0.2, 1 / 3, 5e-324, -1.5, 1.7976931348623157e308])
    def test_values_keep_all_their_bits(self, store: Component, value: float) -> None:
        """A score is read exactly as it was written."""
        (found,) = self._stored(store, [case_result(scores={"m": scored(value)}, duration_ms=abs(value))])
        require(found.scores["m"].value == value, f"{value!r} came back as {found.scores['m'].value!r}")
        require(found.duration_ms == abs(value), f"{abs(value)!r} came back as {found.duration_ms!r}")

    def test_results_come_in_dataset_order(self, store: Component) -> None:
        """Batches arrive in any order, as cases finish; they are read by ``index``."""
        store.call("open_run", run=run_record())
        for batch in ((4, 1), (3,), (), (0, 2)):
            store.call("add_results", run_id=RUN_ID, results=[case_result(index) for index in batch])
        found = [result.index for result in self.kept(store)]
        require(found == [0, 1, 2, 3, 4], f"results came in the order {found}; expected that of the dataset (index)")

    def test_a_case_is_replaced(self, store: Component, path: Any) -> None:
        """A resumed run opens the same run again, keeps its results, and replaces those of cases run again."""
        store.call("open_run", run=run_record())
        failed = case_result(0, status="error", error="boom", scores={"m": error("boom")})
        store.call("add_results", run_id=RUN_ID, results=[failed, case_result(1)])
        resumed = self.reopened(path) if self.persistent else store
        resumed.call("open_run", run=run_record(notes=("resumed",)))
        require(self.kept(resumed) == [failed, case_result(1)], "open_run of a run that is there lost its results")
        resumed.call("add_results", run_id=RUN_ID, results=[case_result(2), case_result(0)])
        found = self.kept(resumed)
        require(
            found == [case_result(0), case_result(1), case_result(2)],
            f"after a resumed run {[(result.index, result.status) for result in found]} are there; expected 0, 1 and "
            "2, each once, the failed one replaced",
        )
        require([run.notes for run in resumed.call("runs")] == [("resumed",)], "open_run did not update the run")
        if resumed is not store:
            resumed.call("close")

    def test_runs_keep_apart(self, store: Component) -> None:
        """The same cases in two runs are two sets of results."""
        for run_id in ("a", "b"):
            store.call("open_run", run=run_record(run_id))
            store.call("add_results", run_id=run_id, results=[case_result(index, run_id) for index in range(3)])
        changed = case_result(1, "b", question="Another question?", scores={"m": skipped("other")})
        store.call("add_results", run_id="b", results=[changed])
        require(self.kept(store, "a") == [case_result(i, "a") for i in range(3)], "run b changed the results of run a")
        require(self.kept(store, "b")[1] == changed, "run b lost its own result")

    def test_runs_and_calibrations_come_newest_first(self, store: Component) -> None:
        """``runs`` by ``started_at``, ``calibrations`` by ``created_at``."""
        for run_id, day in (("b", 2), ("c", 3), ("a", 1)):
            store.call("open_run", run=run_record(run_id, started_at=f"2026-01-0{day}T00:00:00+00:00"))
            store.call("add_calibration", calibration=Calibration({"model": run_id}, f"2026-01-0{day}", ({"n": day},)))
        found = [run.run_id for run in store.call("runs")]
        require(found == ["c", "b", "a"], f"runs came as {found}; expected the newest (started_at) first")
        models = [calibration.judge["model"] for calibration in store.call("calibrations")]
        require(models == ["c", "b", "a"], f"calibrations came as {models}; expected the newest (created_at) first")

    def test_cache_entries_are_found_and_replaced(self, store: Component) -> None:
        """Many keys are asked for at once, of which some are there; a later entry takes an earlier one's place."""
        entries = [CacheEntry(f"k{i}", f"reply {i}", "judge", "prompt", "now") for i in range(_CACHE_KEYS)]
        store.call("cache_put", entries=entries)
        store.call("cache_put", entries=[CacheEntry("k7", "newer", "judge", "prompt", "later")])
        store.call("cache_put", entries=[])
        found = dict(store.call("cache_get", keys=[f"k{i}" for i in range(_CACHE_KEYS + 100)]))
        expected = {entry.key: entry.reply for entry in entries}
        require(
            found.keys() == expected.keys(), f"{len(found)} of {_CACHE_KEYS} cached keys were found, of 1,300 asked for"
        )
        require(found in (expected, expected | {"k7": "newer"}), "cached replies came back under another key")
        require(dict(store.call("cache_get", keys=[])) == {}, "cache_get of no keys returned something")

    def test_results_may_be_written_while_others_are_read(self, store: Component) -> None:
        """Reading goes on, whether it is lazy or not, while more is stored."""
        store.call("open_run", run=run_record())
        store.call("add_results", run_id=RUN_ID, results=[case_result(index) for index in range(200)])
        reading = iter(store.call("results", run_id=RUN_ID))
        first = next(reading)
        store.call("add_results", run_id=RUN_ID, results=[case_result(index) for index in range(200, 210)])
        found = [first, *reading][:200]
        require(found == [case_result(i) for i in range(200)], "results that were being read changed meanwhile")

    def test_a_large_run_comes_back(self, store: Component) -> None:
        """``rows`` results, written in batches of 100, are read in order."""
        store.call("open_run", run=run_record())
        for start in range(0, self.rows, _BATCH):
            batch = [_row(index) for index in range(start, min(start + _BATCH, self.rows))]
            store.call("add_results", run_id=RUN_ID, results=batch)
        count = 0
        for expected, found in enumerate(store.call("results", run_id=RUN_ID)):
            require(found == _row(expected), f"result {expected} of {self.rows} came back as {shown(found)}")
            count += 1
        require(count == self.rows, f"{count} of {self.rows} results are there")

    def test_it_can_be_closed_twice(self, component: Component) -> None:
        """``close`` after ``close`` does nothing."""
        component.call("open_run", run=run_record())
        for _ in range(2):
            within(self.seconds_to_start, lambda: component.call("close"), "close()")

    def _stored(self, store: Component, results: Sequence[CaseResult]) -> list[CaseResult]:
        store.call("open_run", run=run_record())
        store.call("add_results", run_id=RUN_ID, results=results)
        found = self.kept(store)
        require(len(found) == len(results), f"{len(results)} results were stored and {len(found)} came back")
        return found


def _row(index: int) -> CaseResult:
    return case_result(index, retrieved=(Chunk("c", f"text {index} " * 20),))


def _same(found: Any, expected: Any, what: str) -> None:
    require(
        isinstance(found, type(expected)), f"{what} came back as {type(found).__name__}, not {type(expected).__name__}"
    )
    for field in dataclasses.fields(expected):
        was, now = getattr(expected, field.name), getattr(found, field.name)
        require(was == now, f"{what}: {field.name} was {shown(was)} and came back as {shown(now)}")
