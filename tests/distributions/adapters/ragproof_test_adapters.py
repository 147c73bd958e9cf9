import asyncio
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from pydantic import BaseModel, SecretStr

from ragproof_core import hookimpl


class Secretive:
    """Tells its keys wherever it can."""

    api_version = 1

    class Settings(BaseModel, extra="forbid"):
        api_key: SecretStr
        header: str
        fail_building: bool = False

    def __init__(self, settings):
        self.keys = f"{settings.api_key.get_secret_value()} and {settings.header}"
        if settings.fail_building:
            raise RuntimeError(f"refused: {self.keys}")

    @hookimpl
    def retrieve(self, question):
        if question.startswith("raise"):
            raise RuntimeError(f"401 for {self.keys}")
        if question == "shape":
            return [{"id": None, "text": self.keys}]
        if question.startswith("everywhere"):
            return [{"id": self.keys, "metadata": {self.keys: {self.keys: 1}, "document_id": f"doc {self.keys}"}}]
        return [{"id": "a", "text": f"found with {self.keys}", "metadata": {"asked": ["with", self.keys]}}]

    @hookimpl
    def answer(self, question):
        if question.startswith("everywhere"):
            return {
                "answer_text": self.keys,
                "citations": [self.keys],
                "retrieved_chunks": [{"id": self.keys}, {"id": "other"}],
                "timings_ms": {self.keys: 1},
                "trace": {self.keys: self.keys},
            }
        return f"my keys are {self.keys}"

    @hookimpl
    def close(self):
        raise RuntimeError(f"cannot log out with {self.keys}")


class Blocking:
    """An async pipeline in which one call blocks the loop that all share."""

    api_version = 1
    made = 0

    def __init__(self):
        type(self).made += 1

    @hookimpl
    async def retrieve(self, question):
        if question == "block":
            time.sleep(600)  # noqa: ASYNC251 - the fault under test
        if question == "block inside":
            await asyncio.wait_for(self.blocked(), 1000)
        await asyncio.sleep(0.05)
        return [{"id": question}]

    async def blocked(self):
        await asyncio.sleep(0)
        time.sleep(600)  # noqa: ASYNC251 - the fault under test

    @hookimpl
    async def close(self):
        print(f"closed one of {type(self).made}", file=sys.stderr)


class Pooled:
    """Hangs in a thread pool of its own, for which Python waits at the end of a process."""

    api_version = 1

    def __init__(self):
        self.pool = ThreadPoolExecutor(4)

    @hookimpl
    def retrieve(self, question):
        return self.pool.submit(self.search, question).result()

    def search(self, question):
        if question == "hang":
            threading.Event().wait(600)
        return [{"id": question}]


class OneAtATime:
    """Not thread-safe: fails when two calls overlap."""

    api_version = 1
    max_concurrency = 1

    def __init__(self):
        self.lock = threading.Lock()

    @hookimpl
    def retrieve(self, question):
        if not self.lock.acquire(blocking=False):
            raise RuntimeError("two calls at once")
        if question == "hang":
            threading.Event().wait(600)
        time.sleep(0.002)
        self.lock.release()
        return [{"id": question}]


class Chatty:
    """Prints in every way that there is."""

    api_version = 1

    @hookimpl
    def retrieve(self, question):
        print("printed while retrieving")
        os.write(1, b"written to descriptor 1\n")
        subprocess.run([sys.executable, "-S", "-c", "print('printed by a child')"], check=True)
        return [{"id": question}]

    @hookimpl
    def close(self):
        print("printed while closing")


class HangsClosing:
    api_version = 1

    @hookimpl
    def retrieve(self, question):
        return [{"id": question}]

    @hookimpl
    def close(self):
        threading.Event().wait(600)
