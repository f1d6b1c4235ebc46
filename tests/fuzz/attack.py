"""A client that sends expensive requests in all manners, in a process of its own."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Self

from tests.fuzz.delivery import Answer, Manner, deliver, dripping, leaving, slowly, unread, whole
from tests.fuzz.expensive import Request, Requests

TICK_SECONDS = 0.05
SLOW = 5
"""Slow requests that are under way at once for each quick one."""
CLIENTS = tuple(f"127.0.1.{number}" for number in range(1, 21))
MANNERS: tuple[tuple[Manner, int], ...] = (
    *((whole, 70), (slowly, 8), (dripping, 6), (unread, 8), (leaving, 8)),
)
SERVED = {503, 504, 507}
"""The server errors that say that it is busy, or full."""


@dataclass(frozen=True)
class Target:
    """A server, and what it offers."""

    host: str
    port: int
    document: Mapping[str, Any]
    models: Mapping[str, list[str]]
    """By task."""


@dataclass
class Outcomes:
    """The answers to the requests, and those that got none."""

    statuses: Counter[int] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    none: int = 0
    seconds: list[float] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    defects: list[str] = field(default_factory=list)
    processor_seconds: float = 0.0
    """Of the clients."""
    late_seconds: float = 0.0
    """The longest time for which a client could not look at its answers."""

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

    def add(self, other: Self) -> None:
        """Add those of another client."""
        self.statuses += other.statuses
        self.codes += other.codes
        self.none += other.none
        self.seconds += other.seconds
        self.slowest = max(self.slowest, other.slowest)
        self.defects += other.defects
        self.processor_seconds += other.processor_seconds
        self.late_seconds = max(self.late_seconds, other.late_seconds)


def attack(target: Target, seeds: Sequence[int], at_once: int) -> Outcomes:
    """Send the requests of these seeds, so many at once."""
    return asyncio.run(_attack(target, seeds, at_once))


async def _attack(target: Target, seeds: Sequence[int], at_once: int) -> Outcomes:
    """Send all requests; a slow one waits for other slow ones alone."""
    requests, outcomes = Requests(target.document, target.models), Outcomes()
    quick, slow = asyncio.Semaphore(at_once), asyncio.Semaphore(SLOW * at_once)
    tasks: set[asyncio.Task[None]] = set()

    async def one(seed: int, manner: Manner, room: asyncio.Semaphore) -> None:
        try:
            request = await asyncio.to_thread(requests.draw, seed)
            client = CLIENTS[seed % len(CLIENTS)]
            answer = await deliver(target.host, target.port, client, manner, request)
            outcomes.note(seed, request, answer)
            if answer and answer.status == 201:
                requests.saved.append(json.loads(answer.body)["id"])
        finally:
            room.release()

    ticking = asyncio.create_task(_tick(outcomes))
    for seed in seeds:
        rng = Random(f"manner {seed}")
        [manner] = rng.choices([m for m, _ in MANNERS], [weight for _, weight in MANNERS])
        room = quick if manner is whole else slow
        await room.acquire()
        task = asyncio.create_task(one(seed, manner, room))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)
    ticking.cancel()
    outcomes.processor_seconds = time.process_time()
    return outcomes


async def _tick(outcomes: Outcomes) -> None:
    """Measure how late the event loop of this process is."""
    while True:
        due = time.monotonic() + TICK_SECONDS
        await asyncio.sleep(TICK_SECONDS)
        outcomes.late_seconds = max(outcomes.late_seconds, time.monotonic() - due)
