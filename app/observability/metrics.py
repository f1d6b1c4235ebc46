"""What Prometheus is told: how much is asked, how long it takes, what is refused, what is held.

Each application counts for itself, so that tests may have several in one process.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial, wraps
from typing import Concatenate, ParamSpec

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

MEDIA = "text/plain; version=1.0.0; charset=utf-8"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
STAGE_SECONDS = (0.0005, 0.001, 0.0025, *SECONDS)
BATCH_SIZES = (1, 2, 4, 8, 16, 32, 64)
MOST_NOTED = 200  # that are not counted yet

Told = ParamSpec("Told")
Count = Callable[Concatenate["Metrics", Told], None]


def _later(count: Count[Told]) -> Count[Told]:
    """A method that counts later, when no answer waits for it."""

    @wraps(count)
    def noted(metrics: Metrics, /, *args: Told.args, **named: Told.kwargs) -> None:
        metrics.note(partial(count, metrics, *args, **named))

    return noted


class Metrics:
    """The figures of one application. Every one of them may be counted from any thread."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)  # memory, time, open files
        self.requests = Counter(
            "heed_requests",
            "Requests that were answered.",
            ("method", "route", "status"),
            registry=registry,
        )
        self.request_seconds = Histogram(
            "heed_request_seconds",
            "Seconds from the headers of a request to the end of its answer.",
            ("route",),
            registry=registry,
            buckets=SECONDS,
        )
        self.in_flight = 0  # counted on the event loop alone
        self.watch(
            "requests_in_flight", "Requests that are being answered.", lambda: self.in_flight
        )
        self.refusals = Counter(
            "heed_refusals", "Errors that were told, by their code.", ("code",), registry=registry
        )
        self.batch_size = Histogram(
            "heed_batch_size",
            "Inputs that a model was given at once.",
            registry=registry,
            buckets=BATCH_SIZES,
        )
        self.stage_seconds = Histogram(
            "heed_stage_seconds",
            "Seconds of one stage of answering: wait, load, run, render.",
            ("stage",),
            registry=registry,
            buckets=STAGE_SECONDS,
        )
        self.cache = Counter(
            "heed_cache",
            "Answers that were looked for among those known already: hit or miss.",
            ("result",),
            registry=registry,
        )
        # The figure of some labels is looked up once: that takes longer than to count.
        self._requests = cache(self.requests.labels)
        self._request_seconds = cache(self.request_seconds.labels)
        self._stage_seconds = cache(self.stage_seconds.labels)
        self._cache = cache(self.cache.labels)
        self._noted: deque[Callable[[], None]] = deque()

    @_later
    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """One more request has its answer."""
        self._requests(method, route, str(status)).inc()
        self._request_seconds(route).observe(seconds)

    @_later
    def measured(self, what: str, value: float) -> None:
        """Told by the inference threads: the size of a batch, or the seconds of a stage."""
        if what == "batch_size":
            self.batch_size.observe(value)
        else:
            self._stage_seconds(what.removesuffix("_seconds")).observe(value)

    @_later
    def looked_up(self, hit: bool) -> None:
        """Told by the cache: whether an answer was known."""
        self._cache("hit" if hit else "miss").inc()

    def note(self, count: Callable[[], None]) -> None:
        """Have something counted when the figures are asked for, or many wait to be."""
        self._noted.append(count)
        if len(self._noted) > MOST_NOTED:
            self.count_all()

    def count_all(self) -> None:
        """Count what was noted."""
        with suppress(IndexError):  # there is no more, or another thread counts it
            while True:
                self._noted.popleft()()

    def watch(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """Tell a figure that is looked up whenever it is asked for."""
        Gauge(f"heed_{name}", meaning, registry=self._registry).set_function(value)

    def text(self) -> bytes:
        """All figures, in the form that Prometheus reads. Not for the event loop: it may wait."""
        self.count_all()
        return generate_latest(self._registry)
