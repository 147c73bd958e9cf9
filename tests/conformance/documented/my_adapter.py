"""The adapter that the page on testing speaks of."""

from pydantic import BaseModel, ConfigDict

from ragproof_core import Answer, Chunk, Usage, hookimpl


class Adapter:
    api_version = 1

    class Settings(BaseModel):
        model_config = ConfigDict(extra="forbid")
        max_chunks: int

    def __init__(self, settings):
        self.max_chunks = settings.max_chunks
        self.closed = False

    @hookimpl
    def retrieve(self, question, k):
        return [Chunk(f"c{rank}", "A refund takes five days.") for rank in range(min(k, self.max_chunks))]

    @hookimpl
    def answer(self, question):
        return Answer("Five days.", usage=Usage(9, 2))

    @hookimpl
    def close(self):
        pass


class OnceAdapter(Adapter):
    @hookimpl
    def close(self):
        if self.closed:
            raise RuntimeError("closed already")
        self.closed = True
