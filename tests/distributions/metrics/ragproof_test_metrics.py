import asyncio
import math
import sys
import threading

from ragproof_core import Outcome, hookimpl, scored


class Metric:
    api_version = 1
    direction = "higher"
    range = (0.0, 1.0)


def returning(name, value):
    """Make a metric class that always returns the value."""

    @hookimpl
    def score(self):
        return value

    return type(name, (Metric,), {"score": score, "__module__": __name__})


class Unshowable:
    def __repr__(self):
        raise RuntimeError("no repr either")


class Panic(BaseException):
    pass


Above = returning("Above", 1.7)
NotANumber = returning("NotANumber", math.nan)
Infinite = returning("Infinite", math.inf)
Bool = returning("Bool", True)
Text = returning("Text", "0.5")
Nothing = returning("Nothing", None)
PlainTuple = returning("PlainTuple", ("scored", 1.0, None))
Huge = returning("Huge", 10**400)
Status = returning("Status", Outcome("fine", None, "all is well"))
Reason = returning("Reason", Outcome("skipped", None, 5))
NoRepr = returning("NoRepr", Unshowable())
Fine = returning("Fine", 0.75)
Integer = returning("Integer", 1)
ScoredNan = returning("ScoredNan", scored(math.nan))


class Raises(Metric):
    @hookimpl
    def score(self, case):
        raise KeyError(case.id)


class Exits(Metric):
    @hookimpl
    def score(self):
        sys.exit(7)


class Panics(Metric):
    @hookimpl
    def score(self):
        raise Panic("index out of bounds")


class Hangs(Metric):
    @hookimpl
    def score(self, case):
        if case.id == "c1":
            threading.Event().wait(600)
        return 1.0


class Async(Metric):
    @hookimpl
    async def score(self):
        await asyncio.sleep(0)
        return 0.25


class BadSummary(Metric):
    returned = {"half": math.nan}

    @hookimpl
    def score(self):
        return 1.0

    @hookimpl
    def summarize(self):
        return self.returned
