"""Secrets reach the plugin that they are for and nobody else: no output, no store, no JSON."""

from __future__ import annotations

import subprocess
import sys

import pytest

KEY, HEADER = "sk-live-0123456789", "Bearer abcdefghij"
ASKED = ["raise", "shape", "plain"]
METRICS = {"metrics": ["retrieval.mrr", "echo.exact_match"]}


@pytest.fixture
def secretive(project):
    def write(**settings):
        section = {"type": "secretive", "api_key": "env:SERVICE_KEY", "header": "env:SERVICE_HEADER", **settings}
        questions = [{"id": q, "question": q, "expected_source_ids": ["a"], "expected_answer": "x"} for q in ASKED]
        return project({"adapter": section, **METRICS}, questions)

    return write


def leaks(text):
    return [secret for secret in (KEY, HEADER, "0123456789", "abcdefghij") if secret in text]


@pytest.mark.parametrize("literal", [False, True], ids=["from the environment", "in the file"])
def test_secrets_are_nowhere(ragproof, secretive, literal):
    given = {"api_key": KEY} if literal else {}
    folder = secretive(**given)
    variables = {"SERVICE_KEY": KEY, "SERVICE_HEADER": HEADER}
    ran = ragproof("run", "--json", with_=["adapters"], **variables)
    assert ran.code == 0
    assert ran.json["cases"] == {"total": 3, "ok": 1, "error": 2, "timeout": 0}
    seen = [ran.out, ran.err]
    for command in (["check"], ["show", "--json"], ["show", "--failures"], ["show", "latest", "--case", "plain"]):
        ended = ragproof(*command, with_=["adapters"], **variables)
        seen += [ended.out, ended.err]
    assert leaks("".join(seen)) == []
    stored = {path.name: path.read_bytes().decode("latin-1") for path in (folder / ".ragproof").iterdir()}
    assert stored
    assert leaks("".join(stored.values())) == []
    rows = {row["case_id"]: row for row in ragproof("show", "--json").json["results"]}
    assert rows["raise"]["error"] == "RuntimeError: 401 for [redacted] and [redacted]"
    assert rows["plain"]["answer_text"] == "my keys are [redacted] and [redacted]"
    assert "cannot log out with [redacted] and [redacted]" in ran.err


@pytest.mark.parametrize("match", ["chunk", "document"])
def test_ids_keys_and_names_are_without_secrets_and_still_belong_together(ragproof, project, match):
    keys = f"{KEY} and {HEADER}"
    expected = keys if match == "chunk" else f"doc {keys}"
    questions = [
        {"id": f"e{n}", "question": f"{start} {keys}", "expected_source_ids": [expected], "expected_answer": keys}
        for n, start in enumerate(["everywhere", "everywhere", "everywhere", "raise"])
    ]
    section = {"type": "secretive", "api_key": "env:SERVICE_KEY", "header": "env:SERVICE_HEADER"}
    config = {"adapter": section, "project": f"p {KEY}", "describe": {KEY: [HEADER]}, "run": {"source_match": match}}
    folder = project({**config, "metrics": None}, questions)
    (folder / "cases.jsonl").rename(folder / f"{KEY}.jsonl")
    variables = {"SERVICE_KEY": KEY, "SERVICE_HEADER": HEADER}
    ran = ragproof("run", "--json", "--dataset", f"{KEY}.jsonl", "--label", HEADER, with_=["adapters"], **variables)
    assert (ran.code, ran.json["notes"]) == (0, [])
    named = (ran.json["project"], ran.json["label"], ran.json["dataset"]["name"], ran.json["describe"])
    hidden = "[redacted]"
    assert named == (f"p {hidden}", hidden, f"{hidden}.jsonl", {hidden: [hidden]})
    shown = ragproof("show", "--json")
    row, *_, last = shown.json["results"]
    both = f"{hidden} and {hidden}"
    assert row["retrieved_ids"] == row["citations"] == [both]
    assert row["context_ids"] == [both, "other"]
    assert row["expected_source_ids"] == last["expected_source_ids"] == [expected.replace(keys, both)]
    assert (row["question"], row["expected_answer"]) == (f"everywhere {both}", both)
    assert (last["status"], last["question"]) == ("error", f"raise {both}")
    case = ragproof("show", "--case", "e0").out
    assert f"*  1  {both}" in case
    assert leaks(ran.out + ran.err + shown.out + case + ragproof("runs").out) == []
    assert leaks("".join(path.read_bytes().decode("latin-1") for path in (folder / ".ragproof").iterdir())) == []


def test_check_shows_no_part_of_a_secret(ragproof, project):
    section = {"type": "secretive", "api_key": "env:SERVICE_KEY", "header": "env:SERVICE_HEADER"}
    project({"adapter": section, **METRICS})
    ended = ragproof("check", with_=["adapters"], SERVICE_KEY=KEY * 9, SERVICE_HEADER=HEADER)  # it is cut at 60
    assert ended.code == 0
    assert "answer 'my keys are [redacted] and [redacted]'" in ended.out
    assert leaks(ended.out + ended.err) == []


def test_a_pipeline_that_cannot_be_built_tells_nothing(ragproof, secretive):
    secretive(fail_building=True)
    ended = ragproof("run", with_=["adapters"], SERVICE_KEY=KEY, SERVICE_HEADER=HEADER)
    assert (ended.code, ended.out) == (3, "")
    assert leaks(ended.err) == []
    assert "refused: [redacted] and [redacted]" in ended.err


def test_not_even_the_traceback_tells(environment, secretive, tmp_path):
    secretive(fail_building=True)
    done = subprocess.run(
        [sys.executable, "-m", "ragproof_core", "--debug", "run"],
        env=environment("adapters", SERVICE_KEY=KEY, SERVICE_HEADER=HEADER), cwd=tmp_path, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 3
    assert "Traceback" in done.stderr
    assert leaks(done.stderr) == []


def test_a_variable_that_is_not_set_is_named(ragproof, secretive):
    secretive()
    ended = ragproof("run", with_=["adapters"], SERVICE_KEY=KEY)
    assert ended.code == 3
    assert ended.err == "error: adapter.header: the environment variable SERVICE_HEADER is not set\n"


def test_a_wrong_setting_beside_a_secret_does_not_show_it(ragproof, secretive):
    secretive(api_keys=KEY)
    ended = ragproof("run", with_=["adapters"], SERVICE_KEY=KEY, SERVICE_HEADER=HEADER)
    assert ended.code == 3
    assert ended.err == "error: adapter.api_keys: unknown key; did you mean 'api_key'?\n"


def test_a_stores_password_is_hidden_too(ragproof, project):
    project({"store": {"type": "rude", "password": "env:STORE_PASSWORD"}})
    for command in (["run", "--json"], ["runs"], ["show"]):
        ended = ragproof(*command, with_=["ok", "stores"], STORE_PASSWORD=KEY)
        assert (ended.code, ended.out) == (2, "")
        assert leaks(ended.err) == []
        assert "cannot log in with [redacted]" in ended.err


def test_the_fingerprint_of_a_secret_is_not_stored(ragproof, secretive):
    secretive()
    variables = {"SERVICE_HEADER": HEADER}
    for key in (KEY, "sk-live-9876543210"):  # a new key is not another pipeline
        assert ragproof("run", "--label", "r", "--json", with_=["adapters"], SERVICE_KEY=key, **variables).code == 0
    resumed = ragproof("run", "--resume", "r", "--json", with_=["adapters"], SERVICE_KEY="another-key", **variables)
    assert resumed.code == 0
