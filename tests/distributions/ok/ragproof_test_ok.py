from collections.abc import Iterable

from pydantic import BaseModel, Field, SecretStr

from ragproof_core import hookimpl, scored


class Pipeline:
    """Finds the chunk that is named like the question, behind a fixed one."""

    api_version = 1

    class Settings(BaseModel, extra="forbid"):
        depth: int = Field(3, ge=1, description="how many chunks to return")
        token: SecretStr | None = Field(None, description="a key")

    def __init__(self, settings):
        self.settings = settings

    @hookimpl
    def retrieve(self, question, k):
        return [{"id": "first", "text": "first"}, {"id": question, "text": question}][: min(k, self.settings.depth)]

    @hookimpl
    def answer(self, question):
        return {"answer_text": question, "citations": [question]}


class AsyncPipeline:
    api_version = 1

    @hookimpl
    async def retrieve(self, question):
        return [{"id": question}]

    @hookimpl
    async def close(self):
        return None


class Half:
    """Half a point for everybody."""

    api_version = 1
    direction = "higher"
    range = (0.0, 1.0)
    unit = "share"
    description = "always one half"

    @hookimpl
    def score(self):
        return 0.5

    @hookimpl
    def summarize(self, rows):
        return {"half.cases": float(len(rows))}


class After:
    """Twice what ok.half gave."""

    api_version = 1
    direction = "lower"
    after = ("ok.half", "echo.exact_match")

    @hookimpl
    def score(self, outcomes):
        return scored(outcomes["ok.half"].value * 2, "twice")


class Deep:
    """The rank of the last chunk, at most k."""

    api_version = 1
    direction = "none"
    needs = ("retrieval",)

    class Settings(BaseModel, extra="forbid"):
        k: int = Field(2, ge=1)

    def __init__(self, settings):
        self.k = settings.k

    @hookimpl
    def score(self, response):
        return min(len(response.ranked), self.k)


class MemoryStore:
    """Keeps runs for the life of the process."""

    api_version = 1

    def __init__(self):
        self._runs = {}
        self._results = {}

    @hookimpl
    def open_run(self, run):
        self._runs[run.run_id] = run

    @hookimpl
    def add_results(self, run_id, results):
        self._results.setdefault(run_id, {}).update({result.index: result for result in results})

    @hookimpl
    def finish_run(self, run):
        self._runs[run.run_id] = run

    @hookimpl
    def runs(self):
        return list(reversed(self._runs.values()))

    @hookimpl
    def results(self, run_id) -> Iterable:
        return (result for _, result in sorted(self._results.get(run_id, {}).items()))
