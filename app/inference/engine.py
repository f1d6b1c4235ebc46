"""The inference engine: a thread behind a bounded queue, and a watchdog that replaces it.

All work with weights (loading, tokenizing, running) happens on that one thread: a model called from
several threads of a pool is a few times slower than from one. The event loop never waits.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from heed.app.errors import ServiceError, ServiceUnavailable, retry_headers
from heed.app.http.current_client import CURRENT_CLIENT
from heed.app.http.disconnect import OnDisconnect
from heed.app.inference.inference_thread import (
    Heartbeat,
    InferenceThread,
    Measured,
    shutting_down,
    too_late,
)
from heed.app.inference.jobs import AbandonedError, Answer, Job, JobQueue
from heed.app.inference.work import WorkBudget
from heed.models.catalogue import Catalogue

JOIN_SECONDS = 2.0
WATCH_SECONDS = 0.25
LOADING_SHARE = 0.5  # of the deadline, after which no request waits for a model to be loaded
HANG_SECONDS = 2.0  # without a sign of life after the deadline of a job

# A thread that waits for the interpreter takes it from another after so long. While requests are
# refused, Python's default lets the event loop keep it from the inference thread too long.
SWITCH_SECONDS = sys.getswitchinterval()
REFUSING_SWITCH_SECONDS = SWITCH_SECONDS / 10
REFUSING_SECONDS = 0.5  # after a refusal


log = logging.getLogger("heed.engine")


class Engine:
    """Runs jobs on one thread, which is replaced if it hangs."""

    def __init__(
        self,
        catalogue: Catalogue,
        budget: WorkBudget,
        *,
        queue_size: int,
        deadline_seconds: float,
        threads: int | None,
        measured: Measured = lambda _name, _value: None,
    ) -> None:
        self._catalogue = catalogue
        self._budget = budget
        self._queue_size = queue_size
        self.deadline_seconds = deadline_seconds
        self._queue = JobQueue(queue_size)
        self._heartbeat = Heartbeat()
        self._threads = threads
        self._measured = measured
        self._worker = self._new_worker()
        self._submitted = 0.0  # time of the last job
        self._refused = 0.0  # time of the last refusal
        self._watching: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> int:
        """Jobs in the queue, without those that run."""
        return len(self._queue)

    @property
    def expected_seconds(self) -> float:
        """Expected time of all jobs in the queue."""
        return self._queue.requests * self._heartbeat.seconds

    @property
    def idle(self) -> bool:
        """`True` if a job submitted now would run at once."""
        return self._worker.preloaded and not (self._heartbeat.running or len(self._queue))

    def start(self, preload: Sequence[str] = ()) -> None:
        """Start the inference thread, which loads the models in `preload` first."""
        self._worker.start(preload)

    def check_ready(self) -> None:
        """Raise a `ServiceError` if requests cannot be answered."""
        if self._queue.closed:
            raise shutting_down()
        for error in self._worker.unreadable.values():
            raise ServiceError(error.code, error.message)
        if self._overdue() > WATCH_SECONDS:
            message = "The inference thread hangs and is about to be replaced."
            raise ServiceError("not_ready", message, headers=retry_headers())
        self._check_loading("not_ready")
        if not self._worker.preloaded:
            message = "Models are still being loaded. Try again in a moment."
            raise ServiceError("not_ready", message, headers=retry_headers())

    def check_room(self, requests: int = 1) -> None:
        """Raise a `ServiceError` if one more job would wait too long, or the queue is full."""
        if self._queue.closed:
            raise shutting_down()
        client = CURRENT_CLIENT.get()
        if not self._queue.has_room(client):
            raise self._full()
        self._check_loading("overloaded")
        if not len(self._queue):
            return
        expected = self._queue.ahead(client) * self._heartbeat.seconds
        if expected + requests * self._heartbeat.seconds > self.deadline_seconds:
            message = (
                f"The queue needs about {expected:.0f} s, longer than the deadline of a request. "
                "Try again later."
            )
            raise ServiceUnavailable(message, expected)

    def submit(self, job: Job) -> None:
        """Append a job to the queue, or raise a `ServiceError` if the queue is full."""
        if self._worker.thread is None:
            self.start()
        if not job.keeps_place:
            self.check_room(len(job.requests))
        job.client = CURRENT_CLIENT.get()
        job.submitted = self._submitted = time.monotonic()
        job.deadline = (job.began or job.submitted) + self.deadline_seconds
        if job.submitted - self._refused > REFUSING_SECONDS:
            sys.setswitchinterval(SWITCH_SECONDS)
        left_out = self._queue.put(job)
        if left_out is job:
            raise shutting_down() if self._queue.closed else self._full()
        if left_out is not None:
            left_out.fail(self._full())
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch())

    async def answers(self, job: Job, on_disconnect: OnDisconnect) -> list[Answer]:
        """Wait for the answers of a submitted job; abandon it at its deadline or on disconnect.

        One future with three ways to end, and no task: after a model has run the CPU caches are
        cold, and every object on the way from the answer to the socket costs time.
        """
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[bool] = loop.create_future()
        job.when_over(partial(_end_threadsafe, loop, ended))
        unregister = on_disconnect(partial(_end, ended, disconnected=True))
        timer = loop.call_later(max(job.deadline - time.monotonic(), 0.0), _end, ended)
        try:
            disconnected = await ended
            if job.over:
                return job.answers()
            raise AbandonedError if disconnected else too_late(self.deadline_seconds)
        finally:
            timer.cancel()
            unregister()
            if not job.over:
                job.abandoned = True
                self._queue.remove(job)

    def close(self) -> None:
        """Accept no more jobs. Jobs in the queue are still run, until `stop`."""
        self._queue.close()

    def stop(self) -> None:
        """Fail the jobs in the queue and stop those that run."""
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
                log.warning("the inference thread is still running after %.0f s", JOIN_SECONDS)

    # --- watching -----------------------------------------------------------------------------

    def _full(self) -> ServiceError:
        self._refused = time.monotonic()
        sys.setswitchinterval(REFUSING_SWITCH_SECONDS)
        message = f"The queue of {self._queue_size} requests is full. Try again in a moment."
        return ServiceUnavailable(message, self.expected_seconds)

    def _check_loading(self, code: str) -> None:
        """Raise a `ServiceError` while a model is read for so long that others would time out."""
        since = self._heartbeat.loading
        if since is not None and time.monotonic() - since > LOADING_SHARE * self.deadline_seconds:
            message = "A model is being loaded, and takes long. Try again later."
            raise ServiceError(code, message, headers=retry_headers(self.deadline_seconds))

    def _new_worker(self) -> InferenceThread:
        return InferenceThread(
            self._catalogue,
            self._queue,
            self._heartbeat,
            self._budget,
            threads=self._threads,
            deadline_seconds=self.deadline_seconds,
            measured=self._measured,
        )

    def _overdue(self) -> float:
        """Seconds without a sign of life since the deadline of the running jobs."""
        heartbeat = self._heartbeat
        if not heartbeat.running:
            return 0.0
        due = max(job.deadline for job in heartbeat.running)
        return time.monotonic() - max(due, heartbeat.beat)

    async def _watch(self) -> None:
        """While there is work, replace the thread if it hangs, and return free memory.

        Memory is returned once more after the last answers were sent.
        """
        ended = False
        while not ended:
            await asyncio.sleep(WATCH_SECONDS)
            if self._overdue() > HANG_SECONDS:
                self._replace()
            ended = not self._busy()
            await asyncio.to_thread(self._budget.trim)  # a job may be submitted meanwhile
            ended = ended and not self._busy()

    def _busy(self) -> bool:
        """Return whether jobs wait or run, or were submitted a moment ago."""
        recent = time.monotonic() < self._submitted + 4 * WATCH_SECONDS
        return bool(self._heartbeat.running or len(self._queue)) or recent

    def _replace(self) -> None:
        hung, running = self._worker, self._heartbeat.running
        models = {job.model for job in running}
        log.error("the inference thread hangs in %s and is replaced", ", ".join(sorted(models)))
        hung.replaced = True
        for job in running:
            job.fail(too_late(self.deadline_seconds))
        self._heartbeat = Heartbeat(seconds=self._heartbeat.seconds)
        for model in models:
            self._catalogue.forget_hung(model)
        self._worker = self._new_worker()
        self._worker.start()


def _end(ended: asyncio.Future[bool], *, disconnected: bool = False) -> None:
    if not ended.done():
        ended.set_result(disconnected)


def _end_threadsafe(loop: asyncio.AbstractEventLoop, ended: asyncio.Future[bool]) -> None:
    with suppress(RuntimeError):  # the loop is closed, so nothing waits for it
        loop.call_soon_threadsafe(_end, ended)
