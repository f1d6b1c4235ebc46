"""From a request to its traces: an inference thread behind a bounded queue, and who watches it.

Everything that touches weights (reading them, checking a text against a vocabulary, running)
happens on that one thread: a model called from several threads of a pool is a few times slower
than from one, and the event loop never waits.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from heed.app.errors import ServiceError, ServiceUnavailable
from heed.app.inference.jobs import AbandonedError, Answer, Job, JobQueue
from heed.app.inference.worker import Heartbeat, Measured, Worker, retry, shutting_down, too_late
from heed.models.catalogue import Catalogue

JOIN_SECONDS = 2.0
WATCH_SECONDS = 0.25
HANGS_AFTER = 2.0  # seconds after its deadline in which a job shows no sign of life

Gone = Callable[[Callable[[], None]], Callable[[], object]]
"""Has something called when the client leaves; what it gives takes that back."""

log = logging.getLogger("heed.engine")


class Engine:
    """Runs jobs on a thread of its own, a new one if that hangs."""

    def __init__(
        self,
        zoo: Catalogue,
        *,
        queue_size: int,
        deadline_seconds: float,
        threads: int | None,
        measured: Measured = lambda _name, _value: None,
    ) -> None:
        self._zoo = zoo
        self._queue_size = queue_size
        self._deadline_seconds = deadline_seconds
        self._queue = JobQueue(queue_size)
        self._pace = Heartbeat()
        self._threads = threads
        self._measured = measured
        self._worker = self._new_worker()
        self._submitted = 0.0  # the last job, when
        self._watching: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> int:
        """Jobs that wait, not counting those that run."""
        return len(self._queue)

    @property
    def expected_seconds(self) -> float:
        """How long what waits is expected to take."""
        return self._queue.asks * self._pace.seconds

    @property
    def idle(self) -> bool:
        """Whether what is submitted now runs at once."""
        return self._worker.preloaded and not (self._pace.running or len(self._queue))

    def start(self, preload: Sequence[str] = ()) -> None:
        """Start the inference thread, which reads the weights of `preload` first."""
        self._worker.start(preload)

    def check_ready(self) -> None:
        """Raise the error that says why requests cannot be answered, if they cannot."""
        if self._queue.closed:
            raise shutting_down()
        for error in self._worker.unreadable.values():
            raise ServiceError(error.code, error.message)
        if self._late() > WATCH_SECONDS:
            message = "The thread that runs the models hangs, and is about to be replaced."
            raise ServiceError("not_ready", message, headers=retry())
        if not self._worker.preloaded:
            message = "Weights are still being read. Ask again in a moment."
            raise ServiceError("not_ready", message, headers=retry())

    def check_room(self, asks: int = 1) -> None:
        """Raise the error that says so if one more job would wait too long, or not be taken."""
        if self._queue.closed:
            raise shutting_down()
        if len(self._queue) >= self._queue_size:
            raise self._full()
        if not len(self._queue):
            return
        expected = self.expected_seconds
        if expected + asks * self._pace.seconds > self._deadline_seconds:
            message = (
                f"What waits already will take some {expected:.0f} s, longer than a request may. "
                "Try again later."
            )
            raise ServiceUnavailable(message, expected)

    def submit(self, job: Job) -> None:
        """Put a job at the end of the queue, or refuse it at once if the queue is full."""
        if self._worker.thread is None:
            self.start()
        self.check_room(len(job.asks))
        job.submitted = self._submitted = time.monotonic()
        job.deadline = job.submitted + self._deadline_seconds
        if not self._queue.put(job):
            raise self._full()
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch())

    async def answers(self, job: Job, gone: Gone) -> list[Answer]:
        """What came of a submitted job; it is given up when its time is over or the client gone.

        One future that three may end, and no task: after a model has run the caches are cold, and
        every object that is touched between its answer and the socket is fetched from far away.
        """
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[bool] = loop.create_future()
        job.when_over(partial(_from_outside, loop, ended))
        stay = gone(partial(_end, ended, left=True))
        timer = loop.call_later(max(job.deadline - time.monotonic(), 0.0), _end, ended)
        try:
            left = await ended
            if job.over:
                return job.answers()
            raise AbandonedError if left else too_late(self._deadline_seconds)
        finally:
            timer.cancel()
            stay()
            if not job.over:
                job.abandoned = True
                self._queue.remove(job)

    def close(self) -> None:
        """Take no more jobs. Those that wait or run are still answered, until `stop`."""
        self._queue.close()

    def stop(self) -> None:
        """Answer those that wait with an error, stop the one that runs."""
        self._queue.close()
        self._worker.stopping = True
        for job in self._queue.clear():
            job.fail(shutting_down())

    async def join(self) -> None:
        """Wait until the thread has ended."""
        if self._watching is not None:
            self._watching.cancel()
        thread = self._worker.thread
        if thread is not None:
            await asyncio.to_thread(thread.join, JOIN_SECONDS)
            if thread.is_alive():
                log.warning("the inference thread still runs after %.0f s", JOIN_SECONDS)

    # --- watching -----------------------------------------------------------------------------

    def _full(self) -> ServiceError:
        message = f"{self._queue_size} requests wait already. Try again in a moment."
        return ServiceUnavailable(message, self.expected_seconds)

    def _new_worker(self) -> Worker:
        return Worker(
            self._zoo,
            self._queue,
            self._pace,
            threads=self._threads,
            deadline_seconds=self._deadline_seconds,
            measured=self._measured,
        )

    def _late(self) -> float:
        """Seconds since the thread should have given up what it runs, if it shows no life."""
        pace = self._pace
        if not pace.running:
            return 0.0
        due = max(job.deadline for job in pace.running)
        return time.monotonic() - max(due, pace.beat)

    async def _watch(self) -> None:
        """While there is work: a thread that hangs is given up, and a new one takes its place."""
        while self._busy():
            await asyncio.sleep(WATCH_SECONDS)
            if self._late() > HANGS_AFTER:
                self._replace()

    def _busy(self) -> bool:
        """Whether something waits, or runs, or may just be on its way from the one to the other."""
        just_now = time.monotonic() < self._submitted + 4 * WATCH_SECONDS
        return bool(self._pace.running or len(self._queue)) or just_now

    def _replace(self) -> None:
        hung, running = self._worker, self._pace.running
        models = {job.model for job in running}
        log.error("the inference thread hangs in %s and is replaced", ", ".join(sorted(models)))
        hung.given_up = True
        for job in running:
            job.fail(too_late(self._deadline_seconds))
        self._pace = Heartbeat(seconds=self._pace.seconds)
        for model in models:
            self._zoo.forget(model)
        self._worker = self._new_worker()
        self._worker.start()


def _end(ended: asyncio.Future[bool], *, left: bool = False) -> None:
    """Wait no more, whatever the reason is; the client left, or not."""
    if not ended.done():
        ended.set_result(left)


def _from_outside(loop: asyncio.AbstractEventLoop, ended: asyncio.Future[bool]) -> None:
    """The same from another thread."""
    with suppress(RuntimeError):  # the loop is closed: nobody waits any more
        loop.call_soon_threadsafe(_end, ended)
