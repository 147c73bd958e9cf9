"""Machines as they are: no network, a HOME that cannot be written or is not there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

BLOCKED = """
import socket, sys

class Refused(socket.socket):
    def connect(self, *_):
        raise AssertionError("the network was asked for")
    connect_ex = bind = sendto = connect

def refuse(*_, **__):
    raise AssertionError("the network was asked for")

socket.socket = Refused
socket.create_connection = socket.getaddrinfo = socket.gethostbyname = refuse
from ragproof_core.cli import main
main()
"""


def test_no_command_asks_for_the_network(environment, project, tmp_path):
    project({"metrics": ["ok.*", "retrieval.*", "echo.*"]})
    commands = [["plugins"], ["plugins", "--check"], ["check"], ["run"], ["runs"], ["show"], ["freeze", "cases.jsonl"]]
    for command in commands:
        done = subprocess.run(
            [sys.executable, "-c", BLOCKED, *command],
            cwd=tmp_path, env=environment("ok"), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (command, done.returncode, done.stderr) == (command, 0, "")


HOMES = {"missing": "/nonexistent/home", "a file": "/dev/null", "not set": None}


@pytest.mark.parametrize("home", HOMES)
def test_without_a_home_to_write_to(environment, project, tmp_path, home):
    project()
    env = environment("ok")
    del env["HOME"]
    if HOMES[home]:
        env["HOME"] = HOMES[home]
    for command in (["plugins"], ["run"], ["show"]):
        done = subprocess.run(
            [sys.executable, "-m", "ragproof_core", *command],
            cwd=tmp_path, env=env, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (command, done.returncode, done.stderr) == (command, 0, "")


def test_nothing_is_written_outside_the_project(environment, ragproof, project, tmp_path):
    folder = project()
    for command in (["plugins", "--check"], ["run"], ["show"]):
        assert ragproof(*command, with_=["ok"]).code == 0
    assert list((tmp_path / "home").rglob("*")) == []
    written = {path.relative_to(folder).parts[0] for path in folder.rglob("*")} - {"home"}
    assert written == {"ragproof.yaml", "cases.jsonl", ".ragproof"}


@pytest.mark.skipif(os.geteuid() == 0 and sys.platform != "linux", reason="root writes everywhere")
def test_a_project_folder_that_cannot_be_written(ragproof, project):
    project({"store": "/proc/ragproof/runs.db"})
    ended = ragproof("run", "--json", with_=["ok"])
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("error: ")
    assert "/proc/ragproof" in ended.err


def test_importing_patches_nothing(environment, tmp_path):
    code = (
        "import asyncio, json, logging, socket, sys, threading, warnings, signal\n"
        "def state():\n"
        "    return [asyncio.get_event_loop_policy().__class__, asyncio.run, socket.socket, threading.Thread.start,\n"
        "            sys.excepthook, threading.excepthook, sys.stdout, logging.getLogger().handlers[:],\n"
        "            logging.getLogger().level, warnings.showwarning, signal.getsignal(signal.SIGINT), json.dumps,\n"
        "            threading.active_count(), sys.path[:]]\n"
        "before = state()\n"
        "import ragproof_core\n"
        "from ragproof_core import *\n"
        "ragproof_core.evaluate(cases=[{'id': '1', 'question': 'q'}], metrics='ok.half',\n"
        "                       adapter=type('P', (), {'answer': lambda self, question: question})())\n"
        "assert state() == before, 'something was patched'\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", code],
        cwd=tmp_path, env=environment("ok"), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
