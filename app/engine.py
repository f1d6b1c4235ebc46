"""From a request to its traces: one thread that runs the models, behind a bounded queue.

PyTorch called from several threads of a pool is a few times slower than from one, so everything
that touches weights (reading them, checking a text against a vocabulary, running) happens on the
one inference thread, and the event loop never waits for it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Sequence
from functools import partial
from typing import Any

from app.errors import FieldError, ServiceError
from app.jobs import AbandonedError, Answer, Job, JobQueue
from models.errors import CheckpointError, InputError
from models.writer import Writer
from models.zoo import Zoo

RETRY_SECONDS = 1
JOIN_SECONDS = 10.0

log = logging.getLogger("heed.engine")


class Engine:
    """Runs jobs one after the other on a thread of its own."""

    def __init__(self, zoo: Zoo, *, queue_size: int, deadline_seconds: float, threads: int) -> None:
        self._zoo = zoo
        self._threads = threads
        self._queue_size = queue_size
        self._deadline_seconds = deadline_seconds
        self._queue = JobQueue(queue_size)
        self._preloaded = False
        self._unreadable: dict[str, ServiceError] = {}
        self._thread: threading.Thread | None = None

    @property
    def waiting(self) -> int:
        """Jobs that wait, not counting the one that runs."""
        return len(self._queue)

    # --- on the event loop --------------------------------------------------------------------

    def start(self, preload: Sequence[str] = ()) -> None:
        """Start the inference thread; it reads the weights of `preload` first."""
        self._thread = threading.Thread(
            target=self._work, args=(tuple(preload),), name="heed-inference", daemon=True
        )
        self._thread.start()

    def check_ready(self) -> None:
        """Raise the error that says why requests cannot be answered, if they cannot."""
        if self._queue.closed:
            raise _shutting_down()
        for error in self._unreadable.values():
            raise ServiceError(error.code, error.message)
        if not self._preloaded:
            message = "Weights are still being read. Ask again in a moment."
            raise ServiceError("not_ready", message, headers=_retry())

    def submit(self, job: Job) -> None:
        """Put a job at the end of the queue, or refuse it at once if the queue is full."""
        if self._thread is None:
            self.start()
        if self._queue.closed:
            raise _shutting_down()
        job.deadline = time.monotonic() + self._deadline_seconds
        if not self._queue.put(job):
            message = f"{self._queue_size} requests wait already. Try again in a moment."
            raise ServiceError("overloaded", message, headers=_retry())

    async def answers(self, job: Job, gone: Awaitable[None]) -> list[Answer]:
        """What came of a submitted job; it is given up when its time is over or the client gone."""
        answers = asyncio.wrap_future(job.answers)
        leaving = asyncio.ensure_future(gone)
        seconds = max(job.deadline - time.monotonic(), 0.0)
        try:
            await asyncio.wait(
                (answers, leaving), timeout=seconds, return_when=asyncio.FIRST_COMPLETED
            )
            if answers.done():
                return answers.result()
            if leaving.done():
                raise AbandonedError
            raise self._too_late()
        finally:
            leaving.cancel()
            if not answers.done():
                answers.cancel()
                job.abandoned = True
                self._queue.remove(job)

    def close(self) -> None:
        """Take no more jobs, answer those that wait with an error, stop the one that runs."""
        for job in self._queue.close():
            if job.answers.set_running_or_notify_cancel():
                job.answers.set_exception(_shutting_down())

    async def join(self) -> None:
        """Wait until the thread has ended."""
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join, JOIN_SECONDS)
            if self._thread.is_alive():
                log.warning("the inference thread still runs after %.0f s", JOIN_SECONDS)

    # --- on the inference thread --------------------------------------------------------------

    def _work(self, preload: Sequence[str]) -> None:
        for model in preload:
            if not self._queue.closed:
                self._preload(model)
        self._preloaded = True
        while (job := self._queue.take()) is not None:
            if job.answers.set_running_or_notify_cancel():
                try:
                    job.answers.set_result(self._run(job))
                except Exception as error:  # noqa: BLE001 - whoever waits gets it, whatever it is
                    job.answers.set_exception(error)

    def _preload(self, model: str) -> None:
        try:
            self._load(model)
        except ServiceError as error:
            self._unreadable[model] = error

    def _run(self, job: Job) -> list[Answer]:
        began = time.monotonic()
        model = self._load(job.model)
        refused = [_refusal(model, ask) for ask in job.asks]
        good = [ask for ask, refusal in zip(job.asks, refused, strict=True) if refusal is None]
        if job.on_start and good:
            job.on_start(model.read(good[0]).opening)
        go_on = partial(self._go_on, job)
        traces = iter(
            model.run(good, between_steps=go_on, on_progress=job.on_progress) if good else ()
        )
        answers: list[Answer] = []
        for refusal in refused:
            go_on()
            answers.append(refusal or job.render(next(traces)))
        seconds = time.monotonic() - began
        log.debug("ran model=%s texts=%d seconds=%.4f", job.model, len(good), seconds)
        return answers

    def _go_on(self, job: Job) -> None:
        if job.abandoned:
            raise AbandonedError
        if self._queue.closed:
            raise _shutting_down()
        if time.monotonic() > job.deadline:
            raise self._too_late()

    def _load(self, model: str) -> Writer[Any, Any]:
        if self._zoo.loaded(model):
            return self._zoo.load(model)
        began = time.monotonic()
        try:
            loaded = self._zoo.load(model, self._threads)
        except Exception as error:
            if isinstance(error, CheckpointError):
                log.error("model=%s cannot be read: %s", model, error)  # noqa: TRY400 - says enough
            else:
                log.exception("model=%s cannot be loaded", model)
            message = f"The weights of the model '{model}' cannot be read; the log says why."
            raise ServiceError("weights_unreadable", message) from None
        log.info("loaded model=%s seconds=%.2f", model, time.monotonic() - began)
        return loaded

    def _too_late(self) -> ServiceError:
        message = (
            f"This took longer than {self._deadline_seconds:g} s. "
            "Send a shorter text, or try again later."
        )
        return ServiceError("deadline_exceeded", message, headers=_retry())


def _refusal(model: Writer[Any, Any], ask: Any) -> FieldError | None:
    try:
        model.check(ask)
    except InputError as error:
        return FieldError(error.code, error.message, error.field)
    return None


def _shutting_down() -> ServiceError:
    message = "The server is stopping. Try again when it is back."
    return ServiceError("shutting_down", message, headers=_retry())


def _retry() -> dict[str, str]:
    return {"Retry-After": str(RETRY_SECONDS)}
