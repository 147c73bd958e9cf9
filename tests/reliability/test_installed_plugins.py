"""Plugins that cannot be used: listed with the reason, and nobody else's problem."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

BROKEN = {
    "broken.asserts": "AssertionError: arithmetic is off",
    "broken.attribute": "AttributeError: module 'ragproof_test_prints' has no attribute 'Absent'",
    "broken.exits": "it called sys.exit(0) while being imported",
    "broken.missing": "ModuleNotFoundError: No module named 'a_dependency_that_nobody_has'",
    "broken.panics": "PanicException: called unwrap() on None",
    "broken.raises": "ValueError: no licence file\x1b[31m found",
}
KEYS = {"name", "role", "distribution", "version", "entry_point", "state", "reason"}
ALL = ("ok", "broken", "contract", "twins", "half", "metrics", "adapters", "stores")


def test_listing_imports_no_plugin_and_nothing_heavy(environment, tmp_path):
    code = (
        "import json, sys, io, contextlib\n"
        "from ragproof_core.cli import run_line\n"
        "out = io.StringIO()\n"
        "with contextlib.redirect_stdout(out): code = run_line(['plugins'])\n"
        "loaded = [m for m in sys.modules if m.startswith(('ragproof_', 'pydantic', 'httpx', 'sqlite'))]\n"
        "kernel = [m for m in loaded if not m.startswith('ragproof_core')]\n"
        "print(json.dumps([code, out.getvalue().count('ragproof-test-'), kernel]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(*ALL), capture_output=True, text=True, check=True, cwd=tmp_path
    )
    code, listed, loaded = json.loads(done.stdout)
    assert code == 0
    assert listed > 50
    assert loaded == []


def test_the_list_as_json(ragproof):
    ended = ragproof("plugins", "--json", with_=ALL)
    assert ended.code == 0
    rows = {(row["name"], row["distribution"]): row for row in ended.json["plugins"]}
    assert all(set(row) == KEYS for row in rows.values())
    assert rows["ok.half", "ragproof-test-ok"] == {
        "name": "ok.half", "role": "metric", "distribution": "ragproof-test-ok", "version": "1.0",
        "entry_point": "ragproof_test_ok:Half", "state": "found", "reason": None,
    }  # fmt: skip
    assert rows["twin.score", "ragproof-test-twin-a"]["state"] == "duplicate"
    assert rows["broken.exits", "ragproof-test-broken"]["state"] == "found"
    adapters = ragproof("plugins", "--role", "adapter", "--json", with_=ALL).json["plugins"]
    assert {row["role"] for row in adapters} == {"adapter"}


def test_check_imports_all_and_says_what_is_wrong_with_which(ragproof):
    ended = ragproof("plugins", "--check", "--json", with_=ALL)
    assert ended.code == 2
    rows = {row["name"]: row for row in ended.json["plugins"] if row["distribution"].startswith("ragproof-test")}
    for name, reason in BROKEN.items():
        assert rows[name]["state"] == "broken"
        assert rows[name]["reason"] == f"metric {name!r} of ragproof-test-broken 1.0 cannot be imported: {reason}"
    assert (rows["broken.prints"]["state"], rows["ok.half"]["state"], rows["ok"]["state"]) == ("ok",) * 3
    assert rows["contract.forgotten"]["state"] == "refused"
    assert rows["twin.score"]["state"] == "duplicate"
    for line in ("printed at import", "written at import", "printed by a child", "leaving"):
        assert line in ended.err


def test_check_succeeds_when_all_is_well(ragproof):
    ended = ragproof("plugins", "--check", with_=["ok"])
    assert (ended.code, "broken" in ended.out) == (0, False)


def test_the_check_for_people_shows_no_control_characters(ragproof):
    ended = ragproof("plugins", "--check", with_=["broken"])
    assert ended.code == 2
    assert "\x1b" not in ended.out
    assert r"ValueError: no licence file\x1b[31m found" in ended.out


def test_a_run_goes_on_without_what_a_pattern_cannot_use(ragproof, project):
    project({"metrics": ["ok.half", "broken.*", "twin.*"]})
    ended = ragproof("run", "--json", with_=["ok", "broken", "twins"])
    assert ended.code == 0
    assert [(row["metric"], row["mean"]) for row in ended.json["metrics"]] == [("broken.prints", 1.0), ("ok.half", 0.5)]
    for name, reason in BROKEN.items():
        said = f"warning: left out: metric {name!r} of ragproof-test-broken 1.0 cannot be imported: {reason}"
        assert said.replace("\x1b", r"\x1b") in ended.err
    assert "warning: metric 'twin.score' is left out: also provided by ragproof-test-twin-b" in ended.err
    assert "\x1b" not in ended.err


def test_a_default_run_goes_on_without_metrics_that_wait_for_each_other(ragproof, project):
    project({"metrics": None})
    ended = ragproof("run", "--json", with_=["ok", "circle"])
    measured = {row["metric"] for row in ended.json["metrics"]}
    assert (ended.code, {name for name in measured if "circle" in name}) == (0, {"circle.outside"})
    assert "warning: left out: metrics wait for each other: circle.first → circle.second → circle.first" in ended.err


@pytest.mark.parametrize(
    ("name", "reason"), [*BROKEN.items(), ("twin.score", "is provided by several packages; name one")]
)
def test_what_the_config_names_must_be_usable(ragproof_here, project, name, reason):
    project({"metrics": ["ok.half", name]})
    ended = ragproof_here("run", "--json", with_=["ok", "broken", "twins"])
    assert (ended.code, ended.out) == (3, "")
    assert reason.replace("\x1b", r"\x1b") in ended.err


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            {"adapter": {"type": "broken"}},
            "error: adapter 'broken' of ragproof-test-broken 1.0 cannot be imported: ModuleNotFoundError: ",
        ),
        ({"adapter": {"type": "okk"}}, "error: no adapter is called 'okk'; did you mean 'ok'"),
        ({"adapter": {"type": "twin"}}, "error: adapter 'twin' is provided by several packages; name one of: "),
        ({"adapter": {"type": "ok", "dept": 2}}, "error: adapter.dept: unknown key; did you mean 'depth'?"),
        ({"adapter": {"type": "ok", "depth": 0}}, "error: adapter.depth: input should be greater than or equal to 1"),
        ({"store": {"type": "sqlit"}}, "error: no store is called 'sqlit'; did you mean 'sqlite'?"),
        ({"metrics": ["ok.haf"]}, "error: no metric is called 'ok.haf'; did you mean 'ok.half'"),
    ],
)
def test_a_component_that_the_config_names_and_that_cannot_be_had(ragproof_here, project, config, message):
    project(config)
    ended = ragproof_here("run", with_=["ok", "broken", "twins"])
    assert (ended.code, ended.out) == (3, "")
    assert ended.err.startswith(message)


def test_a_twin_is_picked_by_its_distribution(ragproof, project):
    project({"metrics": ["ragproof-test-twin-b:twin.score"], "adapter": {"type": "ragproof-test-twin-a:twin"}})
    ended = ragproof("run", "--json", with_=["twins"])
    assert ended.code == 0
    assert [(row["metric"], row["mean"]) for row in ended.json["metrics"]] == [("twin.score", 0.75)]


def test_blocking_before_import(ragproof, project):
    project({"metrics": ["ok.*", "broken.*"]})
    used = ragproof(
        "run", "--json", "--no-plugin", "ok.after", "--no-plugin", "ragproof-test-broken", with_=["ok", "broken"]
    )
    assert [row["metric"] for row in used.json["metrics"]] == ["ok.deep", "ok.half"]
    assert "printed at import" not in used.err
    used = ragproof("run", "--json", with_=["ok", "broken"], RAGPROOF_DISABLE_PLUGINS="broken.*, ok.after")
    assert [row["metric"] for row in used.json["metrics"]] == ["ok.deep", "ok.half"]
    assert used.err == ""
    used = ragproof("run", "--json", with_=["ok", "broken"], RAGPROOF_LOAD_PLUGINS="ok,ok.half")
    assert [row["metric"] for row in used.json["metrics"]] == ["ok.half"]
    project({"metrics": ["ok.*"], "plugins": {"block": ["ok.d*"]}})
    used = ragproof("run", "--json", with_=["ok"])
    assert [row["metric"] for row in used.json["metrics"]] == ["ok.half", "ok.after"]
    ended = ragproof("run", with_=["ok"], RAGPROOF_DISABLE_PLUGINS="ok")
    assert (ended.code, ended.err) == (3, "error: adapter 'ok' is blocked by RAGPROOF_DISABLE_PLUGINS\n")


def test_a_name_that_blocks_nothing_is_one_warning_and_the_run_goes_on(ragproof, project):
    project({"plugins": {"block": ["ok.aftr"]}})
    ended = ragproof("run", "--json", "--no-plugin", "ok.haf", with_=["ok"], RAGPROOF_DISABLE_PLUGINS="ok.dep")
    assert (ended.code, [row["metric"] for row in ended.json["metrics"]]) == (0, ["ok.half"])
    assert ended.err.splitlines() == [
        "warning: RAGPROOF_DISABLE_PLUGINS: no component is called 'ok.dep'; did you mean 'ok.deep'?",
        "warning: plugins.block in the config: no component is called 'ok.aftr'; did you mean 'ok.after'?",
        "warning: --no-plugin: no component is called 'ok.haf'; did you mean 'ok.half'?",
    ]


@pytest.mark.parametrize("arguments", [("plugins", "--json"), ("plugins", "show", "ok.half", "--json")])
def test_commands_without_a_project_warn_of_unknown_names_too(ragproof, arguments):
    ended = ragproof(*arguments, with_=["ok"], RAGPROOF_LOAD_PLUGINS="ok.half,ok.dep")
    assert (ended.code, bool(ended.json)) == (0, True)
    assert ended.err == "warning: RAGPROOF_LOAD_PLUGINS: no component is called 'ok.dep'; did you mean 'ok.deep'?\n"


def test_the_page_of_a_component(ragproof_here):
    page = ragproof_here("plugins", "show", "ok.deep", "--json", with_=["ok"]).json
    assert (page["name"], page["role"], page["state"], page["hooks"]) == ("ok.deep", "metric", "ok", ["score"])
    (setting,) = page["settings"]
    assert (setting["field"], setting["type"], setting["default"]) == ("k", "int", 2)
    page = ragproof_here("plugins", "show", "adapter:ok", "--json", with_=["ok"]).json
    assert [each["hook"] for each in page["missing_hooks"]] == ["retrieve_exact", "close"]
    broken = ragproof_here("plugins", "show", "broken.missing", with_=["broken"])
    assert "cannot be imported: ModuleNotFoundError" in broken.out
    ended = ragproof_here("plugins", "show", "nothing", with_=["ok"])
    assert (ended.code, ended.out) == (3, "")
    assert ended.err.startswith("error: no component is called 'nothing'")


def test_what_a_package_says_of_itself_moves_no_cursor(ragproof_here):
    page = ragproof_here("plugins", "show", "escapes.metric", with_=["escapes"])
    assert page.code == 0
    assert page.out.splitlines()[:3] == [
        r"metric escapes.metric: says \x1b[31mred and \x9b2J",
        "ragproof-test-escapes 1.0, ragproof_test_escapes:Metric, ok",
        r"https://example.org/\x1b]0;title\x07",
    ]
    assert r"description: moves the \x1b[Acursor" in page.out
    assert r"source: \u202eReversed, 2020" in page.out
    assert r"rings the \x07bell" in page.out
    helped = ragproof_here("--help")
    assert r"escapes    says \x1b[31mred and \x9b2J" in helped.out
    stopped = ragproof_here("escapes")
    assert (stopped.code, stopped.err) == (2, "stopped \\x1b[31mhere\n")
    assert not set("\x07\x1b\x9b\u202e") & set(page.out + helped.out)


def test_a_default_store_that_cannot_be_imported_is_left_out_unless_named(ragproof, project):
    project()
    blocked = {"RAGPROOF_DISABLE_PLUGINS": "ragproof-store-sqlite"}
    ended = ragproof("run", "--json", with_=["ok", "default_store"], **blocked)
    assert (ended.code, ended.json["status"]) == (0, "completed")
    assert "a_dependency_that_nobody_has" in ended.err
    assert "not kept" in ended.err
    project({"store": "x.db"})
    ended = ragproof("run", "--json", with_=["ok", "default_store"], **blocked)
    assert (ended.code, ended.out) == (3, "")


def test_without_any_store_the_results_are_printed_and_not_kept(ragproof, project):
    folder = project()
    ended = ragproof("run", with_=["ok"], RAGPROOF_DISABLE_PLUGINS="sqlite")
    assert ended.code == 0
    assert "ok.half" in ended.out
    assert "not kept" in ended.err
    assert not (folder / ".ragproof").exists()
    ended = ragproof("runs", with_=["ok"], RAGPROOF_DISABLE_PLUGINS="sqlite")
    assert ended.code == 3
