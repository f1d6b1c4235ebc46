"""Thousands of requests made to be expensive, in all manners at once, against 512 MiB."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import httpx
import pytest

from heed.app.errors import all_codes
from heed.app.settings import Settings
from tests.conftest import SECONDS
from tests.fuzz.attack import Outcomes, Target, attack
from tests.fuzz.expensive import Requests
from tests.limited import Limited, limited
from tests.scale import LONG, amount, percentile, report
from tests.traffic import TRANSLATE

REQUESTS = int(os.environ.get("FUZZ_REQUESTS", amount(300, 10_000)))  # of each event loop
OF_A_KIND = 3
"""Requests that are sent in the gate of those that differ in nothing but their draws."""
PROCESSES = amount(1, 2)
AT_ONCE = 8  # of each process
MAX_BYTES = 512 << 20
MAX_STALL_SECONDS = amount(0.3, 0.1)
MAX_WAIT_SECONDS = 10.0
"""For an answer of `/healthz`, as another process sees it; both wait for a core, too."""
MAX_SECONDS = 1200.0
DEADLINE_SECONDS = Settings.model_fields["deadline_seconds"].default
CACHE_BYTES = Settings.model_fields["cache_bytes"].default
USUAL = {"text": "3 may 1979"}


def chosen(target: Target, first: int) -> Sequence[int]:
    """Return the seeds of the requests to send."""
    seeds = range(first, first + REQUESTS)
    if LONG:
        return seeds
    requests, counts = Requests(target.document, target.models), Counter[str]()
    kept = []
    for seed in seeds:
        kind = requests.draw(seed).name
        counts[kind] += 1
        if counts[kind] <= OF_A_KIND:
            kept.append(seed)
    return kept


async def use(server: Limited, ended: asyncio.Event) -> Counter[int]:
    """Translate as a usual client does, and try again if the server is busy."""
    statuses: Counter[int] = Counter()
    async with httpx.AsyncClient(base_url=server.url, timeout=SECONDS) as client:
        while not ended.is_set():
            statuses[(await client.post(TRANSLATE, json=USUAL)).status_code] += 1
            await asyncio.sleep(0.5)
    return statuses


async def among_others(
    server: Limited, target: Target, seeds: Sequence[int]
) -> tuple[Outcomes, Counter[int]]:
    """Attack from several processes while a usual client works."""
    ended, loop = asyncio.Event(), asyncio.get_running_loop()
    using = asyncio.create_task(use(server, ended))
    try:
        with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
            parts = (
                loop.run_in_executor(pool, attack, target, seeds[n::PROCESSES], AT_ONCE)
                for n in range(PROCESSES)
            )
            outcomes = Outcomes()
            for part in await asyncio.gather(*parts):
                outcomes.add(part)
    finally:
        ended.set()
    return outcomes, await using


LOOPS = [pytest.param(True, id="watched loop"), pytest.param(False, id="usual loop")]


@pytest.mark.parametrize("watchdog", LOOPS if LONG else LOOPS[:1])
def test_expensive_requests_are_held_to_memory_and_time(tmp_path: Path, watchdog: bool) -> None:
    began = time.monotonic()
    with limited(tmp_path, watchdog=watchdog, cache_bytes=CACHE_BYTES) as server:
        with httpx.Client(base_url=server.url, timeout=SECONDS) as client:
            models: dict[str, list[str]] = {}
            for model in client.get("/api/v1/models").json()["models"]:
                models.setdefault(model["task"], []).append(model["id"])
            document = client.get("/openapi.json").json()
            target = Target(server.host, server.port, document, models)
            seeds = chosen(target, 0 if watchdog else REQUESTS)
            with server.watched() as watch:
                outcomes, usual = asyncio.run(among_others(server, target, seeds))
            assert client.post(TRANSLATE, json=USUAL).json()["text"] == "1979-05-03"
        took, peak = time.monotonic() - began, server.peak_bytes
        stalls = server.stalls if watchdog else []
        server.forget()
        report(
            requests=len(seeds),
            seconds=took,
            processor_seconds=server.processor_seconds,
            of_clients=outcomes.processor_seconds,
            late_clients=outcomes.late_seconds,
            peak_mb=peak / 1e6,
            left_mb=server.peak_bytes / 1e6,
            of_files_mb=server.file_bytes / 1e6,
            longest_answer=outcomes.slowest,
            answer_p99=percentile(outcomes.seconds, 0.99),
            healthz=f"{watch.answered}/{watch.asked}, longest {watch.longest_seconds:.3f} s",
            usual=dict(usual),
        )
        report(statuses=dict(sorted(outcomes.statuses.items())), unanswered=outcomes.none)
        report(codes=dict(outcomes.codes.most_common()))
        for stall in stalls[:20]:
            print("   ", stall)
    assert not outcomes.defects
    assert outcomes.codes.keys() <= all_codes().keys()
    assert watch.answered == watch.asked
    assert watch.longest_seconds < MAX_WAIT_SECONDS
    assert usual[200]
    assert usual.keys() <= {200, 503}
    assert peak < MAX_BYTES
    held = [stall for stall in stalls if stall.kind != "lock"]
    assert not held or held[0].seconds < MAX_STALL_SECONDS, held[0]
    if LONG:
        seconds, request = outcomes.slowest
        assert seconds - outcomes.late_seconds < DEADLINE_SECONDS + 2, request
        assert took < MAX_SECONDS / len(LOOPS)
