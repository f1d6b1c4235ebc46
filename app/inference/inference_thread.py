"""The inference thread, which takes jobs from the queue and runs them in batches.

A batch consists of the first job and of those that wait for the same model with inputs of similar
length; it never waits for jobs that might still come. A request leaves the batch when it is
finished or abandoned. One that breaks the batch fails alone.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from heed.app.errors import FieldError, ServiceError, ServiceUnavailable, retry_headers
from heed.app.inference.allocator import GROWTH_BYTES
from heed.app.inference.batching import (
    MAX_ROWS,
    BatchItem,
    batches,
    bytes_of,
    grown,
    item_of,
    prepare,
    rows_of,
    similar,
)
from heed.app.inference.jobs import AbandonedError, Answer, Job, JobQueue
from heed.app.inference.work import WorkBudget, answer_too_large, batch_too_costly
from heed.models.catalogue import Catalogue
from heed.models.errors import (
    CheckpointError,
    InputError,
    NonFiniteOutputError,
    RecordingError,
)
from heed.models.generation.protocol import AnyPipeline, RunningBatch

LOAD_SECONDS = 120.0  # after which weights that are still being read count as a hanging thread
BEAT_SECONDS = 0.25
GROWTH_TOKENS = 16  # for which memory is reserved at once, beyond the expected length
SMOOTHING = 0.2  # weight of the last batch in the expected time of a request

log = logging.getLogger("heed.engine")

Measured = Callable[[str, float], None]
"""Receives metrics of a batch: `batch_size`, `load_`, `wait_`, `run_` and `render_seconds`."""


@dataclass(slots=True)
class Heartbeat:
    """The state of the thread, for the engine that watches it."""

    running: list[Job] = field(default_factory=list)
    beat: float = 0.0  # time of the last sign of life
    seconds: float = 0.0  # expected time of a request
    loading: float | None = None  # time since which weights are read

    def update(self, seconds: float, requests: int) -> None:
        """Update the expected time of a request after a batch."""
        own = seconds / requests
        self.seconds += SMOOTHING * (own - self.seconds) if self.seconds else own


class InferenceThread:
    """One inference thread. The engine replaces it if it hangs."""

    def __init__(
        self,
        catalogue: Catalogue,
        queue: JobQueue,
        heartbeat: Heartbeat,
        budget: WorkBudget,
        *,
        threads: int | None,
        deadline_seconds: float,
        measured: Measured,
    ) -> None:
        self._catalogue = catalogue
        self._queue = queue
        self._budget = budget
        self._threads = threads
        self._deadline_seconds = deadline_seconds
        self._measured = measured
        self.heartbeat = heartbeat
        self.preloaded = False
        self.unreadable: dict[str, ServiceError] = {}
        self.replaced = False
        self.stopping = False  # running jobs are to be stopped
        self.thread: threading.Thread | None = None
        self._admitted = 0  # bytes of the running batch

    def start(self, preload: Sequence[str] = ()) -> None:
        """Start the thread; it loads the models in `preload` first."""
        self.thread = threading.Thread(
            target=self._work, args=(tuple(preload),), name="heed-inference", daemon=True
        )
        self.thread.start()

    def _work(self, preload: Sequence[str]) -> None:
        for model in preload:
            if not self._queue.closed:
                self._preload(model)
        self.preloaded = True
        while not self.replaced and (job := self._queue.take()) is not None:
            self.heartbeat.running, self.heartbeat.beat = [job], time.monotonic()
            try:
                self._serve(job)
            finally:  # also after an error, or an idle thread would look like one that hangs
                self.heartbeat.running = []

    def _preload(self, model: str) -> None:
        try:
            self._load(model)
        except ServiceError as error:
            self.unreadable[model] = error

    def _serve(self, first: Job) -> None:
        """Run a job, together with waiting jobs that fit into its batch."""
        if not first.wanted:
            return
        try:
            model = self._load(first.model)
            if first.through is not None:
                model = first.through(model)
            items = self._items(model, first)
            if items and not first.alone and rows_of(items) < MAX_ROWS:
                items += self._matching_items(model, items)
        except Exception as error:  # noqa: BLE001 - the client gets it, whatever it is
            first.fail(_answered_error(error, first.model))
            return
        self.heartbeat.running = list(dict.fromkeys(item.job for item in items))
        began = time.monotonic()
        for job in self.heartbeat.running:
            self._measured("wait_seconds", began - job.submitted)
        several = max((len(item.job.requests) for item in items), default=1)
        for batch in batches(items, self._budget.most(several)):
            self._admit(model, batch)
        if items and not self.replaced:
            self.heartbeat.update(time.monotonic() - began, len(items))

    def _items(self, model: AnyPipeline, job: Job) -> list[BatchItem]:
        """Return the valid requests of a job, and settle the others."""
        items = []
        go_on = partial(self._continue_or_raise, job)
        for index, prepared in enumerate(prepare(model, job, go_on)):
            if isinstance(prepared, FieldError):
                job.settle(index, prepared)
                continue
            item = item_of(model, job, index, prepared)
            if item.bytes > (most := self._budget.most(len(job.requests))):
                job.settle(index, answer_too_large(item.bytes, most))
            else:
                items.append(item)
        if items and job.on_start:
            job.on_start(items[0].prepared.opening)
        return items

    def _matching_items(
        self, model: AnyPipeline, items: Sequence[BatchItem]
    ) -> Iterator[BatchItem]:
        """Take jobs from the queue that have the same model and a similar length, and fit in."""
        room, memory = MAX_ROWS - rows_of(items), self._budget.most(2) - bytes_of(items)
        lengths = [item.tokens for item in items]
        for job in self._queue.waiting(items[0].job.model):
            if job.alone or len(job.requests) > room:
                continue
            try:
                prepared = prepare(model, job, partial(self._continue_or_raise, job))
                others = [
                    item_of(model, job, 0, candidate)
                    for candidate in prepared
                    if not isinstance(candidate, FieldError)
                ]
            except Exception:  # noqa: BLE001, S112 - it fails by itself when its turn comes
                continue
            rows, joined = rows_of(others), [*lengths, *(other.tokens for other in others)]
            if rows > room or bytes_of(others) > memory or not similar(joined):
                continue
            if self._queue.remove(job) and job.wanted:
                room -= rows
                memory -= bytes_of(others)
                lengths = joined
                yield from self._items(model, job)

    def _admit(self, model: AnyPipeline, items: Sequence[BatchItem]) -> None:
        """Run a batch as soon as there is memory for it, and return the memory to the system."""
        waiting = sum(
            job.answer_bytes for job in {id(item.job): item.job for item in items}.values()
        )
        self._admitted = bytes_of(items) + waiting
        if not self._budget.wait(self._admitted, lambda: self._still_wanted(items)):
            return
        try:
            self._run(model, items)
        finally:
            end = self._budget.end if self._admitted > GROWTH_BYTES else self._budget.release
            end(self._admitted)

    def _still_wanted(self, items: Sequence[BatchItem]) -> bool:
        """Return true if any of the items is to be run; fail the jobs of the others."""
        self.heartbeat.beat = time.monotonic()
        for item in items:
            if (reason := self._reason_to_stop(item.job)) is not None:
                item.job.fail(reason)
        return any(item.job.wanted for item in items)

    def _run(self, model: AnyPipeline, items: Sequence[BatchItem]) -> None:
        """Run a batch. If it fails, run each item alone, so that only the cause fails."""
        began = time.monotonic()
        self._measured("batch_size", len(items))
        left = dict(enumerate(items))
        try:
            batch = model.batch([item.prepared for item in items])
            enough = min(item.written for item in items)
            for step, _ in enumerate(batch.steps(), 1):
                self.heartbeat.beat = time.monotonic()
                self._after_step(batch, left)
                if step >= enough:
                    enough = step + GROWTH_TOKENS
                    self._reserve_more(model, batch, left, enough)
        except Exception as error:  # noqa: BLE001 - the client gets it, whatever it is
            if len(items) == 1:
                _answer_error(items[0], error)
            for item in left.values() if len(items) > 1 else ():
                self._run(model, [item])
            return
        seconds = time.monotonic() - began
        self._measured("run_seconds", seconds)
        log.debug("ran model=%s texts=%d seconds=%.3f", items[0].job.model, len(items), seconds)
        if any(item.job.over for item in items):
            self._queue.yield_thread()  # send the answers before the batch is freed

    def _after_step(self, batch: RunningBatch, left: dict[int, BatchItem]) -> None:
        """Report progress of a step, and drop the items that are finished or not wanted.

        Answers are set when all answers of this step are rendered: a client that has its answer
        starts to work with it, and would delay the rendering of the others.
        """
        answers: list[tuple[BatchItem, bytes]] = []
        try:
            for place, item in list(left.items()):
                if (reason := self._reason_to_stop(item.job)) is not None:
                    batch.leave_out(place)
                    item.job.fail(reason)
                    del left[place]
                    continue
                if item.job.on_progress:
                    item.job.on_progress(batch.progress(place))
                if batch.ended(place):
                    if (answer := self._rendered(batch, place, item)) is not None:
                        answers.append((item, answer))
                    del left[place]
        finally:
            for item, answer in answers:
                item.job.settle(item.request_index, self._answer(item.job, answer))

    def _reserve_more(
        self, model: AnyPipeline, batch: RunningBatch, left: dict[int, BatchItem], written: int
    ) -> None:
        """Reserve memory for longer outputs than was expected; drop items that find none."""
        for place, item in list(left.items()):
            if item.written >= written:
                continue
            longer = left[place] = grown(model, item, written)
            if longer.bytes > (most := self._budget.most(len(item.job.requests))):
                item.job.settle(item.request_index, answer_too_large(longer.bytes, most))
            elif self._budget.reserve(longer.bytes - item.bytes):
                self._admitted += longer.bytes - item.bytes
                continue
            else:
                item.job.fail(ServiceUnavailable("There is no memory left for this. Try again."))
            batch.leave_out(place)
            del left[place]

    def _answer(self, job: Job, answer: bytes) -> Answer:
        """Return the answer, or an error if those of its batch of texts take too much memory."""
        most = self._budget.answer_bytes
        if len(job.requests) > 1 and job.answer_bytes + len(answer) > most:
            return batch_too_costly(most)
        return answer

    def _rendered(self, batch: RunningBatch, place: int, item: BatchItem) -> bytes | None:
        """Return the answer of a finished item; if that fails, fail its job."""
        try:
            trace = batch.trace(place, lambda: self._continue_or_raise(item.job))
            began = time.monotonic()
            answer = item.job.render(trace)
            self._measured("render_seconds", time.monotonic() - began)
        except Exception as error:  # noqa: BLE001 - the others of the batch go on
            item.job.fail(_answered_error(error, item.job.model))
            return None
        return answer

    def _continue_or_raise(self, job: Job) -> None:
        self.heartbeat.beat = time.monotonic()
        if (reason := self._reason_to_stop(job)) is not None:
            raise reason

    def _reason_to_stop(self, job: Job) -> Exception | None:
        if job.abandoned or self.replaced:
            return AbandonedError()
        if self.stopping:
            return shutting_down()
        if time.monotonic() > job.deadline:
            return too_late(self._deadline_seconds)
        if job.over:  # another request of the same job has failed
            return AbandonedError()
        return None

    @contextmanager
    def _beating(self) -> Iterator[None]:
        """Give signs of life for at most `LOAD_SECONDS`."""
        ended, heartbeat = threading.Event(), self.heartbeat
        last = time.monotonic() + LOAD_SECONDS

        def beat() -> None:
            while not ended.wait(BEAT_SECONDS) and time.monotonic() < last:
                heartbeat.beat = time.monotonic()

        thread = threading.Thread(target=beat, name="heed-loading", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()

    def _load(self, model: str) -> AnyPipeline:
        if self._catalogue.loaded(model):
            return self._catalogue.load(model)
        began = self.heartbeat.loading = time.monotonic()
        try:
            with self._beating():  # transformers alone takes seconds to import
                loaded = self._catalogue.load(model, self._threads)
        except Exception as error:
            if isinstance(error, CheckpointError):
                log.error("model=%s cannot be read: %s", model, error)  # noqa: TRY400 - says enough
            else:
                log.exception("model=%s cannot be loaded", model)
            message = f"The weights of the model '{model}' cannot be read; the log says why."
            raise ServiceError("weights_unreadable", message) from None
        finally:
            self.heartbeat.loading = None
        seconds = time.monotonic() - began
        self._measured("load_seconds", seconds)
        log.info("loaded model=%s seconds=%.2f", model, seconds)
        return loaded


def _answer_error(item: BatchItem, error: Exception) -> None:
    """Answer a request that failed; the other texts of its batch have answers of their own."""
    answered = _answered_error(error, item.job.model)
    if isinstance(answered, FieldError):
        item.job.settle(item.request_index, answered)
    else:
        item.job.fail(answered)


def _answered_error(error: Exception, model: str) -> Exception:
    """Return the error that the client gets for one of a model."""
    if isinstance(error, InputError):  # found while it runs, as a row that does not exist
        return FieldError(error.code, error.message, error.field)
    if isinstance(error, NonFiniteOutputError):
        log.error("model=%s computed NaN or infinity", model)
        message = f"The model '{model}' computed NaN or infinity; its weights may be damaged."
        return ServiceError("non_finite_output", message)
    if isinstance(error, RecordingError | CheckpointError):
        log.error("model=%s cannot run: %s", model, error)
        message = f"The model '{model}' cannot run this; the log says why."
        return ServiceError("weights_unreadable", message)
    return error


def shutting_down() -> ServiceError:
    """Return the error while the server stops."""
    message = "The server is stopping. Try again when it is back."
    return ServiceError("shutting_down", message, headers=retry_headers())


def too_late(seconds: float) -> ServiceError:
    """Return the error of a request that took longer than its deadline."""
    message = f"This took longer than {seconds:g} s. Send a shorter text, or try again later."
    return ServiceError("deadline_exceeded", message, headers=retry_headers())
