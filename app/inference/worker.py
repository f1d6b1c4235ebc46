"""The inference thread: it takes jobs from the queue and runs them in batches.

A batch is what is waiting, never what might still come: the first job and those behind it for the
same model that are about as long, so that padding costs little. Each leaves the batch when it is
at its end, or when nobody waits for it any more; what breaks a batch breaks only itself.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from heed.app.errors import FieldError, ServiceError, retry_headers
from heed.app.inference.jobs import AbandonedError, Job, JobQueue
from heed.models.catalogue import Catalogue
from heed.models.errors import CheckpointError, InputError, NonFiniteOutputError
from heed.models.generation.pipeline import GenerationPipeline, PreparedInput

WIDEST = 16  # rows of a batch: more bring little, and make the first wait for the last
LONGER = 1.5  # how much longer than the shortest of a batch a text may be
SHORT = 6  # tokens that do not count in that
LEARNING = 0.2  # how much of what an ask is expected to take is what the last one took

log = logging.getLogger("heed.engine")

Measured = Callable[[str, float], None]
"""Told of what a batch was: `batch_size` of it, `load_`, `wait_`, `run_` and `render_seconds`."""


class BatchItem(NamedTuple):
    """One ask of a job, read."""

    job: Job
    place: int
    reading: PreparedInput[Any]

    @property
    def rows(self) -> int:
        """Rows of a batch that it takes."""
        plan = self.reading.plan
        return 1 if plan.forced or plan.search.kind != "beam" else plan.search.beam

    @property
    def tokens(self) -> int:
        """How long it is: what is read, or, of a picture, what is asked about it."""
        return max(self.reading.opening.lengths.values())


@dataclass(slots=True)
class Heartbeat:
    """What the thread is at, for whoever watches it from outside."""

    running: list[Job] = field(default_factory=list)
    beat: float = 0.0  # when it last showed a sign of life
    seconds: float = 0.0  # an ask is expected to take

    def took(self, seconds: float, asks: int) -> None:
        """Learn from a batch how long an ask takes."""
        each = seconds / asks
        self.seconds += LEARNING * (each - self.seconds) if self.seconds else each


class Worker:
    """One inference thread. It can be given up, when it hangs, and another takes the queue."""

    def __init__(
        self,
        zoo: Catalogue,
        queue: JobQueue,
        pace: Heartbeat,
        *,
        threads: int | None,
        deadline_seconds: float,
        measured: Measured,
    ) -> None:
        self._zoo = zoo
        self._queue = queue
        self._threads = threads
        self._deadline_seconds = deadline_seconds
        self._measured = measured
        self.pace = pace
        self.preloaded = False
        self.unreadable: dict[str, ServiceError] = {}
        self.given_up = False
        self.stopping = False  # what runs is to be stopped
        self.thread: threading.Thread | None = None

    def start(self, preload: Sequence[str] = ()) -> None:
        """Start the thread; it reads the weights of `preload` first."""
        self.thread = threading.Thread(
            target=self._work, args=(tuple(preload),), name="heed-inference", daemon=True
        )
        self.thread.start()

    def _work(self, preload: Sequence[str]) -> None:
        for model in preload:
            if not self._queue.closed:
                self._preload(model)
        self.preloaded = True
        while not self.given_up and (job := self._queue.take()) is not None:
            self.pace.running, self.pace.beat = [job], time.monotonic()
            try:
                self._serve(job)
            finally:  # whatever came of it: who watches must not take waiting for hanging
                self.pace.running = []

    def _preload(self, model: str) -> None:
        try:
            self._load(model)
        except ServiceError as error:
            self.unreadable[model] = error

    def _serve(self, first: Job) -> None:
        """Run a job, together with what waits and goes well with it."""
        if not first.wanted:
            return
        try:
            model = self._load(first.model)
            units = self._read(model, first)
            if units and sum(unit.rows for unit in units) < WIDEST:
                units += self._company(model, units)
        except Exception as error:  # noqa: BLE001 - whoever waits gets it, whatever it is
            first.fail(error)
            return
        self.pace.running = list(dict.fromkeys(unit.job for unit in units))
        began = time.monotonic()
        for job in self.pace.running:
            self._measured("wait_seconds", began - job.submitted)
        for batch in _batches(units):
            self._run(model, batch)
        if units and not self.given_up:
            self.pace.took(time.monotonic() - began, len(units))

    def _read(self, model: GenerationPipeline[Any, Any], job: Job) -> list[BatchItem]:
        """The asks of a job that can be run; the others are answered."""
        units = []
        for place, reading in enumerate(_readings(model, job)):
            if isinstance(reading, FieldError):
                job.settle(place, reading)
            else:
                units.append(BatchItem(job, place, reading))
        if units and job.on_start:
            job.on_start(units[0].reading.opening)
        return units

    def _company(
        self, model: GenerationPipeline[Any, Any], units: Sequence[BatchItem]
    ) -> Iterator[BatchItem]:
        """What waits for the same model and is about as long, as far as there is room."""
        room = WIDEST - sum(unit.rows for unit in units)
        lengths = [unit.tokens for unit in units]
        for job in self._queue.waiting(units[0].job.model):
            try:
                readings = _readings(model, job)
            except Exception:  # noqa: BLE001, S112 - it breaks by itself when its turn comes
                continue
            theirs = [BatchItem(job, 0, one) for one in readings if not isinstance(one, FieldError)]
            rows, both = sum(unit.rows for unit in theirs), [*lengths, *(u.tokens for u in theirs)]
            alike = max(both) <= LONGER * min(both) + SHORT
            if rows > room or not alike or not self._queue.remove(job):
                continue
            if job.wanted:
                room -= rows
                lengths = both
                yield from self._read(model, job)

    def _run(self, model: GenerationPipeline[Any, Any], units: Sequence[BatchItem]) -> None:
        """Run these together. If that breaks, each alone: what broke it is answered with that."""
        began = time.monotonic()
        self._measured("batch_size", len(units))
        left = dict(enumerate(units))
        try:
            batch = model.batch([unit.reading for unit in units])
            for _ in batch.steps():
                self.pace.beat = time.monotonic()
                self._look_after(batch, left)
        except Exception as error:  # noqa: BLE001 - whoever waits gets it, whatever it is
            if len(units) == 1:
                units[0].job.fail(_told(error, units[0].job.model))
            for unit in left.values() if len(units) > 1 else ():
                self._run(model, [unit])
            return
        seconds = time.monotonic() - began
        self._measured("run_seconds", seconds)
        log.debug("ran model=%s texts=%d seconds=%.3f", units[0].job.model, len(units), seconds)
        if any(unit.job.over for unit in units):
            self._queue.breathe()  # answers go out before all that the batch was is cleared away

    def _look_after(self, batch: Any, left: dict[int, BatchItem]) -> None:
        """Tell those of a batch who are to be told after a step, and drop those who are done.

        The answers are given when all of this step are made: whoever has one begins to work with
        it, and would hold up the making of the others.
        """
        answers: list[tuple[BatchItem, bytes]] = []
        try:
            for place, unit in list(left.items()):
                if (reason := self._reason_to_stop(unit.job)) is not None:
                    batch.leave_out(place)
                    unit.job.fail(reason)
                    del left[place]
                    continue
                if unit.job.on_progress:
                    unit.job.on_progress(batch.progress(place))
                if batch.ended(place):
                    if (answer := self._rendered(batch, place, unit)) is not None:
                        answers.append((unit, answer))
                    del left[place]
        finally:
            for unit, answer in answers:
                unit.job.settle(unit.place, answer)

    def _rendered(self, batch: Any, place: int, unit: BatchItem) -> bytes | None:
        """The answer to an ask that is written to its end, or none if it was told why not."""
        try:
            trace = batch.trace(place, lambda: self._go_on(unit.job))
            began = time.monotonic()
            answer = unit.job.render(trace)
            self._measured("render_seconds", time.monotonic() - began)
        except Exception as error:  # noqa: BLE001 - the others of the batch go on
            unit.job.fail(_told(error, unit.job.model))
            return None
        return answer

    def _go_on(self, job: Job) -> None:
        self.pace.beat = time.monotonic()
        if (reason := self._reason_to_stop(job)) is not None:
            raise reason

    def _reason_to_stop(self, job: Job) -> Exception | None:
        if job.abandoned or self.given_up:
            return AbandonedError()
        if self.stopping:
            return shutting_down()
        if time.monotonic() > job.deadline:
            return too_late(self._deadline_seconds)
        if job.over:  # another ask of the same job has failed
            return AbandonedError()
        return None

    def _load(self, model: str) -> GenerationPipeline[Any, Any]:
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
        seconds = time.monotonic() - began
        self._measured("load_seconds", seconds)
        log.info("loaded model=%s seconds=%.2f", model, seconds)
        return loaded


def _batches(units: Sequence[BatchItem]) -> Iterator[list[BatchItem]]:
    """Units of about the same length together, as many as make a batch."""
    batch: list[BatchItem] = []
    for unit in sorted(units, key=lambda unit: unit.tokens):
        wide = sum(one.rows for one in batch) + unit.rows > WIDEST
        if batch and (wide or unit.tokens > LONGER * batch[0].tokens + SHORT):
            yield batch
            batch = []
        batch.append(unit)
    if batch:
        yield batch


def _readings(model: GenerationPipeline[Any, Any], job: Job) -> list[Any]:
    """What is to be run of each ask of a job, or why not; made when it is first looked at."""
    if job.readings is None:
        job.readings = [_reading(model, ask) for ask in job.asks]
    return job.readings


def _reading(model: GenerationPipeline[Any, Any], ask: Any) -> PreparedInput[Any] | FieldError:
    try:
        return model.read(ask)
    except InputError as error:
        return FieldError(error.code, error.message, error.field)


def _told(error: Exception, model: str) -> Exception:
    if isinstance(error, NonFiniteOutputError):
        log.error("model=%s gave no numbers", model)
        message = (
            f"The model '{model}' gave something else than numbers; its weights may be broken."
        )
        return ServiceError("non_finite_output", message)
    return error


def shutting_down() -> ServiceError:
    """What is said while the server stops."""
    message = "The server is stopping. Try again when it is back."
    return ServiceError("shutting_down", message, headers=retry())


def too_late(seconds: float) -> ServiceError:
    """What is said when a request has taken longer than it may."""
    message = f"This took longer than {seconds:g} s. Send a shorter text, or try again later."
    return ServiceError("deadline_exceeded", message, headers=retry())


def retry(seconds: float = 0.0) -> dict[str, str]:
    """The header that says when to ask again."""
    return retry_headers(seconds)
