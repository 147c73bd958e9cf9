import functools

from pydantic import BaseModel

from ragproof_core import hookimpl


def traced(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)

    del inner.__dict__["ragproof_impl"]
    return inner


class Metric:
    api_version = 1
    direction = "higher"


class Older(Metric):
    api_version = 0

    @hookimpl
    def score(self):
        return 1.0


class Newer(Metric):
    api_version = 2

    @hookimpl
    def score(self):
        return 1.0


class TextVersion(Metric):
    api_version = "1"

    @hookimpl
    def score(self):
        return 1.0


class BoolVersion(Metric):
    api_version = True

    @hookimpl
    def score(self):
        return 1.0


class NoVersion:
    direction = "higher"

    @hookimpl
    def score(self):
        return 1.0


class Forgotten(Metric):
    def score(self):
        return 1.0


class Hidden(Metric):
    @traced
    @hookimpl
    def score(self):
        return 1.0


class Unknown(Metric):
    @hookimpl
    def score(self):
        return 1.0

    @hookimpl
    def summarise(self, rows):
        return {}


class KeywordOnly(Metric):
    @hookimpl
    def score(self, *, case):
        return 1.0


class Default(Metric):
    @hookimpl
    def score(self, case=None):
        return 1.0


class Kwargs(Metric):
    @hookimpl
    def score(self, **kwargs):
        return 1.0


class Misnamed(Metric):
    @hookimpl
    def score(self, kase):
        return 1.0


class Hookless(Metric):
    pass


def function():
    return None


class Direction(Metric):
    direction = "up"

    @hookimpl
    def score(self):
        return 1.0


class Needs(Metric):
    needs = ("retreival",)

    @hookimpl
    def score(self):
        return 1.0


class Unbuildable(Metric):
    def __init__(self):
        raise RuntimeError("no model file")

    @hookimpl
    def score(self):
        return 1.0


class Required(Metric):
    class Settings(BaseModel):
        model: str

    def __init__(self, settings):
        pass

    @hookimpl
    def score(self):
        return 1.0


class Properties(Metric):
    @property
    def client(self):
        raise RuntimeError("evaluated a property")

    @functools.cached_property
    def session(self):
        raise RuntimeError("evaluated a cached property")

    @hookimpl
    def score(self):
        return 1.0
