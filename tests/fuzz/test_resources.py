"""Thousands of requests made to be expensive, in all manners at once, against 512 MiB."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx
import pytest

from heed.app.errors import all_codes
from heed.app.settings import Settings
from tests.conftest import SECONDS
from tests.fuzz.delivery import Answer, Manner, deliver, dripping, leaving, slowly, unread, whole
from tests.fuzz.expensive import Request, Requests
from tests.limited import Limited, limited
from tests.scale import LONG, amount, percentile, report
from tests.traffic import TRANSLATE

REQUESTS = int(os.environ.get("FUZZ_REQUESTS", amount(300, 10_000)))  # of each event loop
AT_ONCE = 8
SLOW_AT_ONCE = 40
CLIENTS = tuple(f"127.0.1.{number}" for number in range(1, 21))
MAX_BYTES = 512 << 20
MAX_STALL_SECONDS = amount(0.3, 0.1)
MAX_SECONDS = 1200.0
DEADLINE_SECONDS = Settings.model_fields["deadline_seconds"].default
MANNERS: tuple[tuple[Manner, int], ...] = (
    *((whole, 70), (slowly, 8), (dripping, 6), (unread, 8), (leaving, 8)),
)
SERVED = {503, 504, 507}
"""The server errors that say that it is busy, or full."""
USUAL = {"text": "3 may 1979"}


@dataclass
class Outcomes:
    """The answers to the requests, and those that got none."""

    statuses: Counter[int] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    none: int = 0
    seconds: list[float] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    defects: list[str] = field(default_factory=list)

    def note(self, seed: int, request: Request, answer: Answer | None) -> None:
        """Count an answer."""
        if answer is None:
            self.none += 1
            return
        self.statuses[answer.status] += 1
        self.seconds.append(answer.seconds)
        self.slowest = max(self.slowest, (answer.seconds, f"{seed}: {request.name}"))
        if answer.status >= 500 and answer.status not in SERVED:
            self.defects.append(f"{seed}: {request.name} got {answer.status}")
        if answer.status >= 400 and answer.body.startswith(b'{"error"'):
            self.codes[json.loads(answer.body)["error"]["code"]] += 1


async def attack(server: Limited, requests: Requests, first: int) -> Outcomes:
    """Send all requests; a slow one waits for other slow ones alone."""
    outcomes = Outcomes()
    quick, slow = asyncio.Semaphore(AT_ONCE), asyncio.Semaphore(SLOW_AT_ONCE)
    tasks: set[asyncio.Task[None]] = set()

    async def one(seed: int, manner: Manner, room: asyncio.Semaphore) -> None:
        try:
            request = await asyncio.to_thread(requests.draw, seed)
            client = CLIENTS[seed % len(CLIENTS)]
            answer = await deliver(server.host, server.port, client, manner, request)
            outcomes.note(seed, request, answer)
            if answer and answer.status == 201:
                requests.saved.append(json.loads(answer.body)["id"])
        finally:
            room.release()

    for seed in range(first, first + REQUESTS):
        rng = Random(f"manner {seed}")
        [manner] = rng.choices([m for m, _ in MANNERS], [weight for _, weight in MANNERS])
        room = quick if manner is whole else slow
        await room.acquire()
        task = asyncio.create_task(one(seed, manner, room))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)
    return outcomes


async def use(server: Limited, ended: asyncio.Event) -> Counter[int]:
    """Translate as a usual client does, and try again if the server is busy."""
    statuses: Counter[int] = Counter()
    async with httpx.AsyncClient(base_url=server.url, timeout=SECONDS) as client:
        while not ended.is_set():
            statuses[(await client.post(TRANSLATE, json=USUAL)).status_code] += 1
            await asyncio.sleep(0.5)
    return statuses


async def among_others(
    server: Limited, requests: Requests, first: int
) -> tuple[Outcomes, Counter[int]]:
    """Attack while a usual client works."""
    ended = asyncio.Event()
    using = asyncio.create_task(use(server, ended))
    try:
        outcomes = await attack(server, requests, first)
    finally:
        ended.set()
    return outcomes, await using


LOOPS = [pytest.param(True, id="watched loop"), pytest.param(False, id="usual loop")]


@pytest.mark.parametrize("watchdog", LOOPS if LONG else LOOPS[:1])
def test_expensive_requests_are_held_to_memory_and_time(tmp_path: Path, watchdog: bool) -> None:
    began = time.monotonic()
    with limited(tmp_path, watchdog=watchdog) as server:
        with httpx.Client(base_url=server.url, timeout=SECONDS) as client:
            models: dict[str, list[str]] = {}
            for model in client.get("/api/v1/models").json()["models"]:
                models.setdefault(model["task"], []).append(model["id"])
            requests = Requests(client.get("/openapi.json").json(), models)
            with server.watched() as watch:
                run = among_others(server, requests, 0 if watchdog else REQUESTS)
                outcomes, usual = asyncio.run(run)
            assert client.post(TRANSLATE, json=USUAL).json()["text"] == "1979-05-03"
        peak = server.peak_bytes
        stalls = server.stalls if watchdog else []
        server.forget()
        report(
            requests=REQUESTS,
            seconds=time.monotonic() - began,
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
    assert usual[200]
    assert usual.keys() <= {200, 503}
    assert peak < MAX_BYTES
    held = [stall for stall in stalls if stall.kind != "lock"]
    assert not held or held[0].seconds < MAX_STALL_SECONDS, held[0]
    if LONG:
        assert outcomes.slowest[0] < DEADLINE_SECONDS + 2, outcomes.slowest
        assert time.monotonic() - began < MAX_SECONDS / len(LOOPS)
