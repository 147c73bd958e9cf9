"""stdout holds one JSON document, whoever prints; exit codes; no traceback without --debug."""

from __future__ import annotations

import json
import subprocess
import sys

RUN_KEYS = {
    "run_id", "status", "project", "label", "dataset", "labels", "k", "describe", "cases", "judge", "cost_usd",
    "duration_s", "plugins", "metrics",
}  # fmt: skip


def test_stdout_is_one_json_object_even_when_everybody_prints(ragproof, project):
    project(
        {
            "adapter": {"type": "python", "target": "chatty_pipeline:make"},
            "metrics": ["broken.prints", "retrieval.mrr"],
        },
        chatty_pipeline=(
            "import atexit, logging, os, subprocess, sys, threading\n"
            "print('pipeline imported')\n"
            "logging.basicConfig(stream=sys.stdout, level='INFO')\n"
            "atexit.register(lambda: print('at exit', file=sys.stderr))\n"
            "class P:\n"
            "    def retrieve(self, question):\n"
            "        print('retrieving'); logging.info('logged')\n"
            "        os.write(1, b'raw\\n')\n"
            "        subprocess.run([sys.executable, '-S', '-c', 'print(\"child\")'], check=True)\n"
            "        return [{'id': question}]\n"
            "    def close(self):\n"
            "        print('closing')\n"
            "def make():\n"
            "    print('pipeline made')\n"
            "    return P()\n"
        ),
    )
    for command in (["run", "--json"], ["check", "--json"]):
        ended = ragproof(*command, with_=["broken"])
        assert ended.code == 0
        assert isinstance(ended.json, dict)
        for line in ("pipeline imported", "pipeline made", "retrieving", "raw", "child", "printed at import"):
            assert line in ended.err
    for command in (["show", "--json"], ["runs", "--json"], ["show", "latest", "--case", "c1", "--json"]):
        ended = ragproof(*command)
        assert (ended.code, ended.err) == (0, "")
        assert isinstance(ended.json, dict)


def test_the_keys_of_run_show_and_runs(ragproof, project):
    project({"describe": {"embed": "bge", "when": "2026-01-02"}})
    ran = ragproof("run", "--json", "--label", "main", with_=["ok"]).json
    assert set(ran) >= RUN_KEYS
    assert (ran["label"], ran["judge"], ran["describe"]) == ("main", None, {"embed": "bge", "when": "2026-01-02"})
    assert ran["plugins"]["ragproof-test-ok"] == "1.0"
    shown = ragproof("show", "main", "--json").json
    assert set(shown) == {*ran, "results"}
    assert {key: shown[key] for key in ran} == ran
    assert [row["case_id"] for row in shown["results"]] == ["c1", "c2", "c3"]
    assert shown["results"][0]["scores"] == {"ok.half": {"status": "scored", "value": 0.5, "reason": None}}
    (row,) = ragproof("runs", "--json").json["runs"]
    assert (row["run_id"], row["label"], row["status"], row["dataset"], row["cases"], row["judge"]) == (
        ran["run_id"], "main", "completed", "cases.jsonl", 3, None,
    )  # fmt: skip


def test_exit_0(ragproof_here, project):
    project()
    for command in (["run"], ["check"], ["runs"], ["show"], ["plugins"], ["--help"], ["--version"], ["run", "--help"]):
        assert ragproof_here(*command, with_=["ok"]).code == 0
    assert ragproof_here("freeze", "cases.jsonl").code == 0
    assert ragproof_here("init", "fresh").code == 0


CONFIGURATION = [
    ["run", "-c", "none.yaml"],
    ["check", "-c", "none.yaml"],
    ["runs", "-c", "none.yaml"],
    ["show", "-c", "none.yaml"],
    ["run", "--dataset", "none.jsonl"],
    ["check", "--dataset", "none.jsonl"],
    ["run", "--limit", "0"],
    ["run", "--label", "latest"],
    ["run", "--metric", "none.*"],
    ["run", "--resume", "none"],
    ["run", "--nonsense"],
    ["show", "none"],
    ["show", "latest", "--case", "none"],
    ["runs", "--metric", "none"],
    ["freeze", "none.jsonl"],
    ["init"],
    ["plugins", "--role", "none"],
    ["plugins", "show", "none"],
    ["rnu"],
]


def test_exit_3_says_what_is_wrong_and_prints_nothing_on_stdout(ragproof_here, project):
    project()
    assert ragproof_here("run", with_=["ok"]).code == 0
    for command in CONFIGURATION:
        ended = ragproof_here(*command)
        assert (command, ended.code) == (command, 3)
        assert ended.out == "" or command[0] == "check"  # which prints what it found so far
        assert ended.err.lower().splitlines()[-1].startswith("error: "), ended.err
    assert "Did you mean 'run'?" in ragproof_here("rnu").err


def test_exit_2_when_every_case_failed(ragproof, project):
    project(
        {"adapter": {"type": "python", "target": "failing_pipeline:P"}, "metrics": ["retrieval.mrr"]},
        failing_pipeline="class P:\n    def retrieve(self, question):\n        raise RuntimeError('down')\n",
    )
    ended = ragproof("run", "--json")
    assert ended.code == 2
    assert ended.json["status"] == "completed"
    assert ended.json["cases"] == {"total": 3, "ok": 0, "error": 3, "timeout": 0}
    assert "3 of 3 cases failed; see 'ragproof show " in ended.err
    checked = ragproof("check")
    assert checked.code == 2
    assert checked.err == "error: adapter: asked 'c1', RuntimeError: down\n".replace("'c1',", "'c1':")


def test_exit_0_when_some_cases_failed(ragproof, project):
    project(
        {"adapter": {"type": "python", "target": "shaky_pipeline:P"}, "metrics": ["retrieval.mrr"]},
        shaky_pipeline=(
            "class P:\n    def retrieve(self, question):\n"
            "        if question == 'q2':\n            raise RuntimeError('down')\n        return [{'id': question}]\n"
        ),
    )
    ended = ragproof("run", "--json")
    (metric,) = ended.json["metrics"]
    assert ended.code == 0
    assert (metric["mean"], metric["scored"], metric["errors"]) == (1.0, 2, 1)
    failures = ragproof("show", "--failures")
    assert failures.out.partition("\n\n")[2] == "c2\n  question  q2\n  expected  q2\n  error: RuntimeError: down\n"


WORST = """
c1
  question  q1
  expected  with \\x1b[31m and 字字字字…
  answer    q1
  echo.exact_match: 0

c2
  question  q2
  expected  no such word, only a story…
  answer    (empty)
  echo.exact_match: 0
"""


def test_failures_are_the_headline_and_each_case_on_lines_of_their_own(ragproof, project):
    expected = ["with \x1b[31m\n and 字字字字字字", f"no such word,\tonly a story {'that goes on ' * 9}", "q3"]
    project(
        {"adapter": {"type": "python", "target": "wordy_pipeline:P"}, "metrics": ["echo.exact_match"]},
        [{"id": f"c{n}", "question": f"q{n}", "expected_answer": text} for n, text in enumerate(expected, 1)],
        wordy_pipeline=(
            "class P:\n    def answer(self, question):\n        return ' ' if question == 'q2' else question\n"
        ),
    )
    assert ragproof("run").code == 0
    shown = ragproof("show", "--failures", COLUMNS="40")
    assert shown.out.startswith("test · run ")
    assert shown.out[shown.out.index("\n\n") + 1 :] == WORST
    assert "metric  " not in shown.out
    assert "not scored" not in shown.out
    whole = ragproof("show").out
    assert whole.startswith(shown.out.partition("\n\n")[0])
    assert "echo.exact_match" in whole


def test_debug_shows_the_traceback(environment, project, tmp_path):
    project({"metrics": ["broken.raises"]})
    done = subprocess.run(
        [sys.executable, "-m", "ragproof_core", "--debug", "run"],
        env=environment("ok", "broken"), cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 3
    assert "Traceback" in done.stderr


def test_a_reader_that_leaves_is_no_error(environment, project, tmp_path):
    project()
    for command, size in (("plugins", 1), ("plugins", 0), ("--help", 0)):
        done = subprocess.run(
            ["bash", "-c", f"set -o pipefail; {sys.executable} -m ragproof_core {command} | head -c {size}"],
            env=environment("ok"), cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr, len(done.stdout)) == (0, "", size)


def test_bad_datasets_run_nothing(ragproof, project):
    folder = project()
    (folder / "cases.jsonl").write_text('{"id": "a"}\n{"id": "b", "question": "q", "keyword": []}\nnonsense\n')
    for command in (["run", "--json"], ["check"], ["freeze", "cases.jsonl"]):
        ended = ragproof(*command, with_=["ok"])
        assert ended.code == 3
        assert [line.partition("cases.jsonl")[2] for line in ended.err.splitlines()] == [
            ":1: question: is required",
            ":2: keyword: unknown field; did you mean 'keywords'?",
            ":3: not JSON: Expecting value at column 1",
        ]
    assert not (folder / ".ragproof").exists()


def test_windows_habits(ragproof, project):
    folder = project({"describe": {"text": "naïve → “quoted” 日本語"}})
    for name in ("ragproof.yaml", "cases.jsonl"):
        content = (folder / name).read_bytes().replace(b"\n", b"\r\n")
        (folder / name).write_bytes(b"\xef\xbb\xbf" + content)
    ran = ragproof("run", "--json", with_=["ok"], PYTHONIOENCODING="cp1252")
    assert (ran.code, ran.json["describe"]) == (0, {"text": "naïve → “quoted” 日本語"})
    for command in (["run"], ["show", "latest", "--case", "c1"], ["runs", "--metric", "ok.half"], ["plugins"]):
        assert ragproof(*command, with_=["ok"], PYTHONIOENCODING="cp1252").code == 0
    shown = ragproof("show", PYTHONIOENCODING="ascii")
    assert shown.code == 0
    assert r"na\xefve \u2192 \u201cquoted\u201d" in shown.out


def test_freeze_and_an_edit(ragproof, project):
    folder = project()
    ended = ragproof("freeze", "cases.jsonl")
    assert ended.code == 0
    frozen = folder / "cases.frozen.jsonl"
    assert ended.out.startswith("cases.frozen.jsonl: 3 cases, sealed with sha256 ")
    plain = ragproof("run", "--json", with_=["ok"]).json["dataset"]["sha256"]
    sealed = ragproof("run", "--json", "--dataset", "cases.frozen.jsonl", with_=["ok"]).json["dataset"]["sha256"]
    assert plain == sealed
    frozen.write_text(frozen.read_text().replace("q2", "q9"))
    ended = ragproof("run", "--json", "--dataset", "cases.frozen.jsonl", with_=["ok"])
    assert (ended.code, ended.out) == (3, "")
    assert "was changed after it was frozen (cases sealed: 3, found: 3)" in ended.err


def test_what_init_writes_runs_as_it_is(ragproof, tmp_path):
    assert ragproof("init").code == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert sorted(before) == ["cases.jsonl", "my_pipeline.py", "ragproof.yaml"]
    again = ragproof("init")
    assert (again.code, again.err) == (3, "error: ragproof.yaml is already there; nothing was written\n")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before
    assert ragproof("check").code == 0
    ran = ragproof("run", "--json")
    assert (ran.code, ran.json["cases"]) == (0, {"total": 4, "ok": 4, "error": 0, "timeout": 0})


def test_options_of_run(ragproof, project):
    project({"metrics": ["ok.half", {"use": "ok.deep", "k": 1, "as": "ok.shallow"}, "retrieval.mrr"]})
    limited = ragproof(
        "run", "--json", "--limit", "2", "--metric", "ok.shallow", "--metric", "ok.h*", with_=["ok"]
    ).json
    assert limited["dataset"]["cases"] == 2
    assert [(row["metric"], row["mean"]) for row in limited["metrics"]] == [("ok.half", 0.5), ("ok.shallow", 1.0)]
    whole = ragproof("run", "--json", with_=["ok"]).json
    assert limited["dataset"]["sha256"] != whole["dataset"]["sha256"]
    assert [row["metric"] for row in whole["metrics"]] == ["ok.half", "ok.shallow", "retrieval.mrr"]
    assert whole["metrics"][2]["mean"] == 0.5  # the expected one is always second
    assert json.dumps(whole).count("NaN") == 0


def test_retrieval_metrics_never_call_answer(ragproof, project):
    folder = project(
        {"adapter": {"type": "python", "target": "counting_pipeline:P"}, "metrics": ["retrieval.*", "echo.*"]},
        counting_pipeline=(
            "class P:\n"
            "    def retrieve(self, question, k):\n        return [{'id': question}]\n"
            "    def answer(self, question):\n"
            "        open('answered', 'a').write('x')\n        return question\n"
        ),
    )
    assert ragproof("run", "--metric", "retrieval.*").code == 0
    assert not (folder / "answered").exists()
    assert ragproof("run").code == 0
    assert (folder / "answered").read_text() == "xxx"
