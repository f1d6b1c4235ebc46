"""Metrics for Prometheus: requests, durations, errors, queues, caches, memory.

Each application has a registry of its own, so that tests may have several in one process. With
several workers, prometheus_client keeps counters and histograms in files that all of them read, and
each worker publishes its gauges there every second.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Literal

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

MEDIA = "text/plain; version=1.0.0; charset=utf-8"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
STAGE_SECONDS = (0.0005, 0.001, 0.0025, *SECONDS)
BATCH_SIZES = (1, 2, 4, 8, 16, 32, 64)
PUBLISH_SECONDS = 1.0
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
PROCESS = {
    "process_resident_memory_bytes": "Resident memory size in bytes, of all workers.",
    "process_open_fds": "Number of open file descriptors, of all workers.",
}
Mode = Literal["livesum", "livemax"]


class Metrics:
    """The metrics of one application. Any thread may update them."""

    def __init__(self) -> None:
        self._shared = FOLDER in os.environ
        self._registry = registry = CollectorRegistry()
        self._published: list[tuple[Gauge, Callable[[], float]]] = []
        self._process = ProcessCollector(registry=registry)  # memory, CPU time, open files
        if self._shared:
            for name, meaning in PROCESS.items():
                gauge = Gauge(name, meaning, multiprocess_mode="livesum", registry=None)
                self._published.append((gauge, partial(self._of_process, name)))
        self.requests = Counter(
            "heed_requests",
            "Finished requests.",
            ("method", "route", "status"),
            registry=registry,
        )
        self.request_seconds = Histogram(
            "heed_request_seconds",
            "Seconds from the headers of a request to the end of its response.",
            ("route",),
            registry=registry,
            buckets=SECONDS,
        )
        self.in_flight = 0  # changed on the event loop only
        self.watch("requests_in_flight", "Requests in progress.", lambda: self.in_flight)
        self.refusals = Counter(
            "heed_refusals", "Error responses by code.", ("code",), registry=registry
        )
        self.batch_size = Histogram(
            "heed_batch_size",
            "Inputs in a batch.",
            registry=registry,
            buckets=BATCH_SIZES,
        )
        self.stage_seconds = Histogram(
            "heed_stage_seconds",
            "Seconds of one stage of inference: wait, load, run, render.",
            ("stage",),
            registry=registry,
            buckets=STAGE_SECONDS,
        )
        self.cache = Counter(
            "heed_cache",
            "Lookups in the response cache: hit or miss.",
            ("result",),
            registry=registry,
        )
        self.shared_failures = Counter(
            "heed_shared_failures",
            "Calls that the shared server of HEED_SHARED did not answer.",
            registry=registry,
        )
        # A metric with given labels is looked up once: the lookup takes longer than the update.
        self._requests = cache(self.requests.labels)
        self._request_seconds = cache(self.request_seconds.labels)
        self._stage_seconds = cache(self.stage_seconds.labels)
        self._cache = cache(self.cache.labels)
        self._refusals = cache(self.refusals.labels)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a finished request."""
        self._requests(method, route, str(status)).inc()
        self._request_seconds(route).observe(seconds)

    def refused(self, code: str) -> None:
        """Count an error response."""
        self._refusals(code).inc()

    def measured(self, metric: str, value: float) -> None:
        """Record the size of a batch (`batch_size`) or the duration of a stage (`run_seconds`)."""
        if metric == "batch_size":
            self.batch_size.observe(value)
        else:
            self._stage_seconds(metric.removesuffix("_seconds")).observe(value)

    def looked_up(self, hit: bool) -> None:
        """Count a lookup in the cache."""
        self._cache("hit" if hit else "miss").inc()

    def watch(
        self, name: str, meaning: str, value: Callable[[], float], mode: Mode = "livesum"
    ) -> None:
        """Add a gauge whose value is read at each scrape, or published for all workers."""
        gauge = Gauge(f"heed_{name}", meaning, registry=self._registry, multiprocess_mode=mode)
        if self._shared:
            self._published.append((gauge, value))
        else:
            gauge.set_function(value)

    async def publish(self) -> None:
        """Publish the gauges of this worker again and again, if there are others."""
        while self._shared:
            await asyncio.to_thread(self._publish)
            await asyncio.sleep(PUBLISH_SECONDS)

    def _publish(self) -> None:
        for gauge, value in self._published:
            gauge.set(value())

    def _of_process(self, name: str) -> float:
        for metric in self._process.collect():
            if metric.name == name:
                return float(metric.samples[0].value)
        return 0.0

    def text(self) -> bytes:
        """Return all metrics in Prometheus' text format. It may block: not for the event loop."""
        if not self._shared:
            return generate_latest(self._registry)
        self._publish()
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


def forget_process(pid: int | None) -> None:
    """Remove the gauges of a worker that died; what it counted stays."""
    mark_process_dead(pid)  # type: ignore[no-untyped-call]


def forget_ended_processes() -> None:
    """Remove the gauges of all processes of this machine that ended; create the folder if needed.

    Only the gauges that are sums of living processes have files with their ids.
    """
    if FOLDER not in os.environ:
        return
    folder = Path(os.environ[FOLDER])
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    pids = {int(path.stem.rpartition("_")[2]) for path in folder.glob("gauge_live*.db")}
    for pid in pids:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            forget_process(pid)
        except PermissionError:  # it lives, of another user
            continue
