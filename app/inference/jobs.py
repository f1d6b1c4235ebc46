"""What waits for the models: jobs, in a bounded queue."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from heed.app.errors import FieldError
from heed.models.generation.pipeline import Progress
from heed.models.trace import Trace, TraceHeader

BREATH_SECONDS = 5e-4

Answer = bytes | FieldError


class AbandonedError(Exception):
    """Nobody waits for this job any more."""


@dataclass(eq=False, slots=True)
class Job:
    """One request's texts, or its picture, for one model."""

    model: str
    asks: Sequence[Any]
    """As the model takes them."""
    render: Callable[[Trace], bytes]
    """Applied on the inference thread, so that a large trace does not hold up the event loop."""
    on_start: Callable[[TraceHeader], None] | None = None
    """Told, on the inference thread, that the one ask of the job is good and now run."""
    on_progress: Callable[[Progress], None] | None = None
    """Told, on the inference thread, of every step of the one ask of the job."""
    submitted: float = 0.0
    deadline: float = 0.0
    abandoned: bool = False
    over: bool = False
    """Whether it has its answers, or the error that came instead of them."""
    readings: list[Any] | None = None
    """Of each ask what is to be run, or the error that says why not; once it was looked at."""
    done: dict[int, Answer] = field(default_factory=dict)
    """The answers there are, by the place of the ask."""
    _error: BaseException | None = None
    _told: Callable[[], None] | None = None
    _ending: threading.Lock = field(default_factory=threading.Lock)

    @property
    def wanted(self) -> bool:
        """Whether somebody still waits for it."""
        return not (self.over or self.abandoned)

    def settle(self, place: int, answer: Answer) -> None:
        """Answer one ask; the job is done with the last of them."""
        self.done[place] = answer
        if len(self.done) == len(self.asks):
            self._end()

    def fail(self, error: BaseException) -> None:
        """Answer the whole job with an error, unless it is answered."""
        self._end(error)

    def when_over(self, told: Callable[[], None]) -> None:
        """Have this called when the job is over, by the thread that ends it; or now, if it is."""
        with self._ending:
            over, self._told = self.over, told
        if over:
            told()

    def answers(self) -> list[Answer]:
        """What came of a job that is over: of each ask its answer, or the error of them all."""
        if self._error is not None:
            raise self._error
        return [self.done[place] for place in range(len(self.asks))]

    def _end(self, error: BaseException | None = None) -> None:
        with self._ending:
            if self.over:
                return
            self._error, self.over = error, True
        if self._told is not None:
            self._told()


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
    def asks(self) -> int:
        """Texts and pictures that wait, of all jobs."""
        with self._changed:
            return sum(len(job.asks) for job in self._jobs)

    @property
    def closed(self) -> bool:
        """Whether the queue takes no more jobs."""
        return self._closed

    def put(self, job: Job) -> bool:
        """Put a job at the end, unless the queue is full."""
        with self._changed:
            if len(self._jobs) >= self._size or self._closed:
                return False
            self._jobs.append(job)
            self._changed.notify()
            return True

    def take(self) -> Job | None:
        """Wait for the next job; nothing once the queue is closed and empty."""
        with self._changed:
            while not self._jobs and not self._closed:
                self._changed.wait()
            return self._jobs.popleft() if self._jobs else None

    def breathe(self) -> None:
        """Leave the interpreter to the event loop for a moment, unless there is a job to take."""
        with self._changed:
            if not self._jobs and not self._closed:
                self._changed.wait(BREATH_SECONDS)

    def waiting(self, model: str) -> list[Job]:
        """The jobs that wait for this model, the first come first."""
        with self._changed:
            return [job for job in self._jobs if job.model == model]

    def remove(self, job: Job) -> bool:
        """Take a job out of the queue; whether it still was in it."""
        with self._changed:
            if job not in self._jobs:
                return False
            self._jobs.remove(job)
            return True

    def close(self) -> None:
        """Take no more jobs."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def clear(self) -> list[Job]:
        """Hand back the jobs that still wait."""
        with self._changed:
            left = list(self._jobs)
            self._jobs.clear()
            return left
