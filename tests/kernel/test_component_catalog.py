"""Finding components by name, and what must not be imported."""

from __future__ import annotations

import pytest

from ragproof_core.errors import PluginError, PluginNotFoundError
from ragproof_core.plugins.catalog import Blocking, find, scan, select


def entries(distributions, *names, **blocking):
    distributions(*names)
    return scan(Blocking.from_sources(**blocking))


def state(found, name, distribution=None):
    return [
        (entry.state, entry.reason)
        for entry in found
        if entry.name == name and distribution in (None, entry.distribution)
    ]


def test_an_entry_has_its_distribution_and_version(distributions):
    entry = find(entries(distributions, "ok"), "metric", "ok.half")
    assert (entry.role, entry.name, entry.distribution, entry.version) == (
        "metric",
        "ok.half",
        "ragproof-test-ok",
        "1.0",
    )
    assert (entry.id, entry.entry_point.value) == ("ragproof-test-ok:ok.half", "ragproof_test_ok:Half")
    assert (entry.state, entry.reason) == ("found", None)


def test_entries_are_sorted_by_role_then_name(distributions):
    found = [(entry.role, entry.name) for entry in entries(distributions, "ok") if "-test-ok" in entry.distribution]
    assert found == [
        ("adapter", "ok"), ("adapter", "ok_async"), ("metric", "ok.after"), ("metric", "ok.deep"),
        ("metric", "ok.half"), ("store", "ok_memory"),
    ]  # fmt: skip


def test_duplicates_name_each_other_and_the_way_out(distributions):
    found = entries(distributions, "twins")
    assert state(found, "twin.score", "ragproof-test-twin-a") == [
        ("duplicate", "also provided by ragproof-test-twin-b; pick one as 'ragproof-test-twin-a:twin.score'")
    ]
    with pytest.raises(PluginError) as caught:
        find(found, "metric", "twin.score")
    assert str(caught.value) == (
        "metric 'twin.score' is provided by several packages; "
        "name one of: ragproof-test-twin-a:twin.score, ragproof-test-twin-b:twin.score"
    )
    assert find(found, "metric", "ragproof-test-twin-b:twin.score").distribution == "ragproof-test-twin-b"


def test_blocking_one_twin_frees_the_name(distributions):
    found = entries(distributions, "twins", config=["ragproof-test-twin-a"])
    assert find(found, "metric", "twin.score").distribution == "ragproof-test-twin-b"
    assert state(found, "twin.score", "ragproof-test-twin-a") == [("blocked", "blocked by plugins.block in the config")]


@pytest.mark.parametrize("pattern", ["ok.half", "ok.h*", "ragproof-test-ok:ok.half", "ragproof-test-ok:*half"])
def test_names_that_block(distributions, pattern):
    found = entries(distributions, "ok", options=[pattern])
    assert state(found, "ok.half") == [("blocked", "blocked by --no-plugin")]
    assert state(found, "ok.deep") == [("found", None)]
    with pytest.raises(PluginError, match=r"^metric 'ok.half' is blocked by --no-plugin$"):
        find(found, "metric", "ok.half")


def test_a_whole_distribution_is_blocked_by_its_name(distributions):
    found = entries(distributions, "ok", options=["ragproof-test-ok"])
    assert {entry.state for entry in found if entry.distribution == "ragproof-test-ok"} == {"blocked"}


@pytest.mark.parametrize("text", ["ok.half,ok.deep", "ok.half ok.deep", " ok.half , ok.deep\n"])
def test_the_environment_blocks_a_list(distributions, monkeypatch, text):
    distributions("ok")
    monkeypatch.setenv("RAGPROOF_DISABLE_PLUGINS", text)
    found = scan()
    assert state(found, "ok.half") == state(found, "ok.deep") == [("blocked", "blocked by RAGPROOF_DISABLE_PLUGINS")]
    assert state(found, "ok.after") == [("found", None)]


def test_the_environment_allows_a_list_and_nothing_else(distributions, monkeypatch):
    distributions("ok")
    monkeypatch.setenv("RAGPROOF_LOAD_PLUGINS", "ok.half ok_memory")
    found = {entry.name: entry.reason for entry in scan()}
    assert [name for name, reason in found.items() if reason is None] == ["ok.half", "ok_memory"]
    assert found["ok.deep"] == "not in RAGPROOF_LOAD_PLUGINS"


def test_an_empty_allow_list_allows_nothing(distributions, monkeypatch):
    distributions("ok")
    monkeypatch.setenv("RAGPROOF_LOAD_PLUGINS", "")
    assert {entry.state for entry in scan()} == {"blocked"}


def test_names_that_block_or_allow_nothing_are_told_with_the_nearest(distributions, monkeypatch):
    distributions("ok")
    monkeypatch.setenv("RAGPROOF_DISABLE_PLUGINS", "ok.half ok.haf")
    monkeypatch.setenv("RAGPROOF_LOAD_PLUGINS", "ok*,ok_memroy")
    blocking = Blocking.from_sources(["ok.d*", "ragproof_test_ok"], ["zzzz.*", "a\x1bb"])
    assert list(blocking.unknown(scan(blocking))) == [
        "RAGPROOF_DISABLE_PLUGINS: no component is called 'ok.haf'; did you mean 'ok.half'?",
        "plugins.block in the config: no component is called 'ragproof_test_ok'; did you mean 'ragproof-test-ok'?",
        "--no-plugin: no component is called 'zzzz.*'; 'ragproof plugins' lists all",
        "--no-plugin: no component is called 'a\\x1bb'; 'ragproof plugins' lists all",
        "RAGPROOF_LOAD_PLUGINS: no component is called 'ok_memroy'; did you mean 'ok_memory'?",
    ]


def test_a_name_that_is_not_there_names_the_nearest(distributions):
    found = entries(distributions, "ok")
    with pytest.raises(PluginNotFoundError, match=r"^no metric is called 'ok.haf'; did you mean 'ok.half'"):
        find(found, "metric", "ok.haf")
    with pytest.raises(
        PluginNotFoundError, match=r"^no judge is installed, so 'zzz' cannot be found; try: pip install"
    ):
        find([entry for entry in found if entry.role != "judge"], "judge", "zzz")
    with pytest.raises(PluginNotFoundError, match=r"^no adapter is called 'zzzz'; installed: .*ok, ok_async"):
        find(found, "adapter", "zzzz")


def test_a_name_of_another_role_is_not_found(distributions):
    with pytest.raises(PluginNotFoundError):
        find(entries(distributions, "ok"), "adapter", "ok.half")


def test_patterns_select_by_role_whatever_the_state(distributions):
    found = entries(distributions, "ok", options=["ok.half"])
    assert [entry.name for entry in select(found, "metric", "ok.*")] == ["ok.after", "ok.deep", "ok.half"]
    assert select(found, "metric", "OK.*") == []


def test_a_package_that_lost_its_metadata_is_listed(distributions):
    entry = find(entries(distributions, "half", "ok"), "metric", "half.metric")
    assert (entry.distribution, entry.version) == ("unknown", "unknown")
