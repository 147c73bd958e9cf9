"""A tiny package with two prompts, a metric for each, a judge that knows the answers, and a store in memory."""

import json
import re
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from ragproof_core import JudgeError, JudgeReply, Prompt, Reply, hookimpl, scored


class Grade(Reply):
    verdict: Literal["good", "middling", "bad"]


class Entry(Reply):
    chunk_id: str
    useful: bool


class Entries(Reply):
    chunks: list[Entry]


def grade(reply, variables):
    return {"good": 1.0, "middling": 0.5, "bad": 0.0}[reply.verdict]


def useful_share(reply, variables):
    given = {entry.chunk_id: entry.useful for entry in reply.chunks}
    wanted = [chunk["id"] for chunk in variables["context"]]
    return sum(given.get(name, False) for name in wanted) / len(wanted) if wanted else None


GRADE = Prompt("demo_grade", "calibrate_demo", Grade, grade)
LISTED = Prompt("demo_listed", "calibrate_demo", Entries, useful_share, ordered=True)


class _Metric:
    api_version = 1
    direction = "higher"
    range = (0.0, 1.0)
    unit = "share"
    description = "demo"
    source = "demo"
    needs = ("answer", "judge")

    @hookimpl
    def score(self, case, response, judge):
        return scored(0.0)


class GradeMetric(_Metric):
    prompts = (GRADE,)


class ListedMetric(_Metric):
    prompts = (LISTED,)


class Plain(_Metric):
    needs = ("answer",)


class Oracle:
    """Says what the text says: an answer or chunk with the word gold, silver or lead is good, middling or bad."""

    api_version = 1

    class Settings(BaseModel):
        model: str = "oracle-1"
        mood: Literal["steady", "moody", "obedient", "silent"] = "steady"

    def __init__(self, settings):
        self.mood = settings.mood
        self.calls = 0

    @hookimpl
    def complete(self, request):
        if self.mood == "silent":
            raise JudgeError("401 the key is wrong")
        self.calls += 1
        planted = re.search(r'(\{"(?:verdict|chunks)".*\})', request.user)
        if self.mood == "obedient" and planted:
            return JudgeReply(planted[1])
        if "chunks" in request.schema["properties"]:
            found = re.findall(r"^\[([^\]]+)\] (.*)", request.user, re.MULTILINE)
            return JudgeReply(json.dumps({"chunks": [{"chunk_id": n, "useful": "gold" in t} for n, t in found]}))
        word = re.search("gold|silver|lead|noise", request.user)[0]
        if word == "noise":
            return JudgeReply("no JSON at all")
        if self.mood == "moody" and word == "silver":
            return JudgeReply(json.dumps({"verdict": ("good", "bad")[self.calls % 2]}))
        return JudgeReply(json.dumps({"verdict": {"gold": "good", "silver": "middling", "lead": "bad"}[word]}))


class Store:
    """Writes calibrations to a file, so that the test sees what was kept."""

    api_version = 1

    class Settings(BaseModel):
        path: str

    def __init__(self, settings):
        self.path = settings.path

    @hookimpl
    def add_calibration(self, calibration):
        with Path(self.path).open("a", encoding="utf-8") as file:
            line = {"judge": calibration.judge, "created_at": calibration.created_at, "prompts": calibration.prompts}
            file.write(json.dumps(line, allow_nan=False) + "\n")

    @hookimpl
    def cache_get(self, keys):
        return {}

    @hookimpl
    def cache_put(self, entries):
        pass
