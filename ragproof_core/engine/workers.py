"""Worker threads whose calls can be given up.

A thread that is stuck cannot be stopped in Python; it is abandoned. Threads are daemons, so an abandoned one neither
blocks another case (a fresh thread takes its place) nor the end of the process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic
from typing import Protocol

from ragproof_core.engine.deadline import OneCall


class Task(Protocol):
    """Something to run on a worker: it announces its guarded stretches to the worker that it gets."""

    def run(self, worker: Worker) -> None:
        """Do the work."""
        ...


class AbandonedError(BaseException):
    """Raised in a thread that was given up, so that it unwinds without touching anything."""


class Worker(threading.Thread):
    """A daemon thread that runs one task after the other."""

    def __init__(self, pool: Pool, number: int, first: Task | None) -> None:
        super().__init__(name=f"{pool.name}-{number}", daemon=True)
        self.task = first
        self.deadline: float | None = None
        self.abandoned = False
        self.lock = threading.Lock()
        self._pool = pool

    def run(self) -> None:
        """Run tasks until there are no more, or until this worker is given up."""
        try:
            while True:
                task = self.task or self._pool.next_task()
                if task is None:
                    return
                self.task = task
                task.run(self)
                self.task = None
        except AbandonedError:
            return
        except BaseException as problem:  # a fault of the engine must reach the main thread
            self._pool.broke(problem)

    def guard(self, seconds: float | None) -> None:
        """Begin a stretch that may last that long."""
        self.deadline = None if seconds is None else monotonic() + seconds

    def release(self) -> None:
        """End the stretch. Raises :class:`AbandonedError` when it was given up meanwhile."""
        with self.lock:
            self.deadline = None
            if self.abandoned:
                raise AbandonedError

    @property
    def late(self) -> bool:
        """Whether the current stretch is past its deadline."""
        deadline = self.deadline
        return deadline is not None and deadline <= monotonic()

    def abandon(self) -> Task | None:
        """Give the worker up if it is late; returns the task it was at."""
        with self.lock:
            if self.abandoned or not self.late:
                return None
            self.abandoned = True
            return self.task


class Pool:
    """A number of workers that draw tasks from one source."""

    def __init__(self, name: str, size: int, source: Callable[[], Task | None], wake: Callable[[], None]) -> None:
        self.name = name
        self.next_task = source
        self.problem: BaseException | None = None
        self._wake = wake
        self._made = 0
        self._workers: list[Worker] = []
        for _ in range(size):
            self.add_worker(None)

    def add_worker(self, first: Task | None) -> None:
        """Start one more worker, on a task if given."""
        worker = Worker(self, self._made, first)
        self._made += 1
        self._workers.append(worker)
        worker.start()

    @property
    def size(self) -> int:
        """How many workers there are."""
        return len(self._workers)

    def late(self) -> list[Worker]:
        """Return the workers that are past their deadline."""
        return [worker for worker in self._workers if worker.late]

    def give_up(self, worker: Worker) -> Task | None:
        """Abandon a worker if it is still late; returns the task it was at."""
        task = worker.abandon()
        if task is not None:
            self._workers.remove(worker)
        return task

    def broke(self, problem: BaseException) -> None:
        """Keep a fault of the engine itself for the main thread."""
        self.problem = self.problem or problem
        self._wake()


def any_stuck() -> bool:
    """Whether a call of this process is still running although nobody waits for it any more.

    The pipeline may have left threads behind that Python would wait for at the end of the process.
    """
    threads = threading.enumerate()
    return any(
        (isinstance(thread, Worker) and thread.deadline is not None) or isinstance(thread, OneCall)
        for thread in threads
    )
