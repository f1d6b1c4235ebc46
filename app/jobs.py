"""What waits for the models: jobs, in a bounded queue."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from app.errors import FieldError
from models.trace import Opening, Trace
from models.writer import Progress

Answer = bytes | FieldError


class AbandonedError(Exception):
    """Nobody waits for this job any more."""


@dataclass(eq=False, slots=True)
class Job:
    """One request's texts, or its picture, for one model. They are run as one batch."""

    model: str
    asks: Sequence[Any]
    """As the model takes them."""
    render: Callable[[Trace], bytes]
    """Applied on the inference thread, so that a large trace does not hold up the event loop."""
    on_start: Callable[[Opening], None] | None = None
    """Told, on the inference thread, that the one ask of the job is good and now run."""
    on_progress: Callable[[Progress], None] | None = None
    """Told, on the inference thread, of every step of the one ask of the job."""
    deadline: float = 0.0
    abandoned: bool = False
    answers: Future[list[Answer]] = field(default_factory=Future)


class JobQueue:
    """First come, first served. A job that is given up frees its place at once."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._jobs: deque[Job] = deque()
        self._changed = threading.Condition()
        self._closed = False

    def __len__(self) -> int:
        return len(self._jobs)

    @property
    def closed(self) -> bool:
        """Whether the queue takes and gives no more jobs."""
        return self._closed

    def put(self, job: Job) -> bool:
        """Put a job at the end, unless the queue is full."""
        with self._changed:
            if len(self._jobs) >= self._size:
                return False
            self._jobs.append(job)
            self._changed.notify()
            return True

    def take(self) -> Job | None:
        """Wait for the next job; nothing once the queue is closed."""
        with self._changed:
            while not self._jobs and not self._closed:
                self._changed.wait()
            return None if self._closed else self._jobs.popleft()

    def remove(self, job: Job) -> None:
        """Take a job out of the queue if it is still in it."""
        with self._changed:
            if job in self._jobs:
                self._jobs.remove(job)

    def close(self) -> list[Job]:
        """Close the queue and hand back the jobs that were in it."""
        with self._changed:
            self._closed = True
            left = list(self._jobs)
            self._jobs.clear()
            self._changed.notify_all()
            return left
