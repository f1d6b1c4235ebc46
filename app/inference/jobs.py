"""Jobs for the inference threads, and the bounded queue in which they wait."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from heed.app.errors import FieldError
from heed.app.inference.fairness import RoundRobin, evicted_by, next_of
from heed.app.inference.work import Price, work_bytes
from heed.models.generation.protocol import AnyPipeline, Prepared, Progress
from heed.models.generation.requests import Request
from heed.models.trace import Trace, TraceHeader
from heed.output.encoding import compact

YIELD_SECONDS = 5e-4
MOST_PASSES = 2  # of other jobs before one with edits

Answer = bytes | FieldError


class AbandonedError(Exception):
    """The job was abandoned: no client waits for it."""


@dataclass(eq=False, slots=True)
class Job:
    """The texts, or the picture, of one HTTP request, for one model."""

    model: str
    requests: Sequence[Request]
    render: Callable[[Trace], bytes]
    """Called on the inference thread, so that a large trace does not hold up the event loop."""
    price: Price = work_bytes
    """Estimates the memory that one of the requests takes."""
    through: Callable[[AnyPipeline], AnyPipeline] | None = None
    """Returns the pipeline that runs its requests with the model."""
    on_start: Callable[[TraceHeader], None] | None = None
    """Called on the inference thread when the one request of the job is valid and is run."""
    on_progress: Callable[[Progress], None] | None = None
    """Called on the inference thread after every step of the one request of the job."""
    began: float = 0.0
    """Time from which its client waits, if that was before it is submitted."""
    keeps_place: bool = False
    """`True` if it goes on with work that had its place in the queue."""
    client: str = ""
    """The client that waits for it."""
    round: int = 0
    """The round in which it is taken from the queue."""
    submitted: float = 0.0
    deadline: float = 0.0
    abandoned: bool = False
    over: bool = False
    """True if all answers, or an error instead of them, are set."""
    prepared: list[Prepared | FieldError] | None = None
    """The requests as the model runs them, or their errors; `None` before they are prepared."""
    answered: dict[int, Answer] = field(default_factory=dict)
    """Answers by the index of the request."""
    answer_bytes: int = 0
    """Bytes of these answers, together."""
    passed: int = 0
    """How often another job was taken from the queue before it."""
    _error: BaseException | None = None
    _on_over: Callable[[], None] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def edited(self) -> bool:
        """`True` if a request has edits, as one after another has while a person drags."""
        return any(getattr(request, "edits", ()) for request in self.requests)

    @property
    def alone(self) -> bool:
        """`True` if it has its own batch.

        Edits would take the tiles (AMX) from the other texts of a batch.
        """
        return self.through is not None or self.edited

    @property
    def wanted(self) -> bool:
        """`True` while a client waits for it."""
        return not (self.over or self.abandoned)

    def settle(self, index: int, answer: Answer) -> None:
        """Set the answer of one request; the last one ends the job."""
        if isinstance(answer, bytes):  # its trace is free by now
            answer = compact(answer)
            self.answer_bytes += len(answer)
        self.answered[index] = answer
        if len(self.answered) == len(self.requests):
            self._end()

    def fail(self, error: BaseException) -> None:
        """End the job with an error, unless it is over."""
        self._end(error)

    def when_over(self, callback: Callable[[], None]) -> None:
        """Call back when the job is over, on the thread that ends it; at once if it is over."""
        with self._lock:
            over, self._on_over = self.over, callback
        if over:
            callback()

    def answers(self) -> list[Answer]:
        """Return the answers of a job that is over, or raise its error."""
        if self._error is not None:
            raise self._error
        return [self.answered[index] for index in range(len(self.requests))]

    def _end(self, error: BaseException | None = None) -> None:
        with self._lock:
            if self.over:
                return
            self._error, self.over = error, True
        if self._on_over is not None:
            self._on_over()


class JobQueue:
    """A bounded queue in which clients take turns. An abandoned job can be removed at once.

    The jobs of a client come in their order, and jobs without edits pass those with edits, so that
    others hardly wait for a person who drags.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._jobs: deque[Job] = deque()
        self._rounds = RoundRobin()
        self._changed = threading.Condition()
        self._closed = False

    def __len__(self) -> int:
        return len(self._jobs)

    @property
    def requests(self) -> int:
        """Texts and pictures in the queue, of all jobs."""
        with self._changed:
            return sum(len(job.requests) for job in self._jobs)

    def ahead(self, client: str) -> int:
        """Return the texts and pictures that come before one more job of a client."""
        with self._changed:
            last = self._rounds.round_of(client, self._jobs)
            return sum(len(job.requests) for job in self._jobs if job.round <= last)

    def has_room(self, client: str) -> bool:
        """Return whether one more job of a client finds a place, perhaps that of another client."""
        with self._changed:
            return len(self._jobs) < self._size or evicted_by(client, self._jobs) is not None

    @property
    def closed(self) -> bool:
        """`True` if the queue accepts no more jobs."""
        return self._closed

    def put(self, job: Job) -> Job | None:
        """Append a job; return the one that has no place now.

        That is this job if the queue is closed or full, or one of a client with more places. Work
        that goes on always has a place: it had one before, and loses it to nobody.
        """
        with self._changed:
            if self._closed:
                return job
            left_out = None
            if len(self._jobs) >= self._size and not job.keeps_place:
                left_out = evicted_by(job.client, self._jobs)
                if left_out is None:
                    return job
                self._jobs.remove(left_out)
            job.round = self._rounds.round_of(job.client, self._jobs)
            self._jobs.append(job)
            self._changed.notify()
            return left_out

    def take(self) -> Job | None:
        """Wait for the next job; return `None` once the queue is closed and empty."""
        with self._changed:
            while not self._jobs and not self._closed:
                self._changed.wait()
            return self._next() if self._jobs else None

    def _next(self) -> Job:
        """Remove the job whose turn it is, or one that passes it."""
        job = next_of(self._jobs)
        if job.edited and job.passed < MOST_PASSES:
            others = [other for other in self._jobs if not other.edited]
            if others:
                job.passed += 1
                job = next_of(others)
        self._jobs.remove(job)
        self._rounds.serve(job)
        return job

    def yield_thread(self) -> None:
        """Release the interpreter to the event loop for a moment, unless a job waits."""
        with self._changed:
            if not self._jobs and not self._closed:
                self._changed.wait(YIELD_SECONDS)

    def waiting(self, model: str) -> list[Job]:
        """Return the jobs that wait for this model, in order."""
        with self._changed:
            return [job for job in self._jobs if job.model == model]

    def remove(self, job: Job) -> bool:
        """Remove a job; return whether it was in the queue."""
        with self._changed:
            if job not in self._jobs:
                return False
            self._jobs.remove(job)
            return True

    def close(self) -> None:
        """Accept no more jobs."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def clear(self) -> list[Job]:
        """Remove all jobs and return them."""
        with self._changed:
            left = list(self._jobs)
            self._jobs.clear()
            return left
