"""A real server on a real port, with the models that ship."""

from __future__ import annotations

import asyncio
import gc
import json
import math
import os
import shutil
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# Before torch is loaded: on small tensors its threads mostly wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import httpx
import hypothesis
import pytest
from fastapi import FastAPI

from heed.app.inference.engine import Engine
from heed.app.inference.jobs import Job
from heed.app.main import create_app
from heed.app.pages.example import Example
from heed.app.server.serve import Server, listen
from heed.app.settings import Settings
from heed.models.catalogue import Catalogue
from heed.models.generation.pipeline import Batch, PreparedInput
from heed.models.generation.translator import Translator

# No example fails because the machine is busy. The gate tries the same examples every time.
hypothesis.settings.register_profile(
    "heed",
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("heed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests in a browser last, and the shortest of their files at the very end.

    Playwright keeps an event loop running in its process, and processes that share the files are
    to end together.
    """
    counts = Counter(item.path for item in items)

    def turn(item: pytest.Item) -> tuple[bool, int]:
        in_browser = "tests/browser/" in item.nodeid
        return in_browser, -counts[item.path] if in_browser else 0

    items.sort(key=turn)


SECONDS = 120.0
"""Timeout of a test for an event that must happen: only a failing test reaches it."""
DEFAULT = "dates-additive"
"""The model of tests that name none: the smallest, and nearly always right."""


@dataclass
class Running:
    """A server that runs in a thread of the tests."""

    app: FastAPI
    url: str
    client: httpx.Client
    stop: Callable[[], None]


@contextmanager
def running(settings: Settings) -> Iterator[Running]:
    """Serve with these settings until the block is left."""
    app = create_app(settings)
    sockets = listen("127.0.0.1", 0)
    server = Server(app)
    thread = threading.Thread(target=server.run, args=(sockets,))
    thread.start()

    def stop() -> None:
        server.should_exit = True
        thread.join(SECONDS)
        assert not thread.is_alive()

    url = f"http://127.0.0.1:{sockets[0].getsockname()[1]}"
    with httpx.Client(base_url=url, timeout=SECONDS) as client:
        wait_for(lambda: server.started)
        try:
            yield Running(app, url, client, stop)
        finally:
            stop()


def beside_the_event_loop() -> bool:
    """Return whether this thread is another one than that of an event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return True
    return False


def wait_for(done: Callable[[], Any], seconds: float = SECONDS) -> None:
    """Wait until a condition is true."""
    until = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < until, "timed out"
        time.sleep(0.005)


def node() -> str:
    """Return the path of Node, which comes with the test dependencies."""
    found = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
    assert found, "node comes with the test dependencies"
    return found


@contextmanager
def abandoned_request(server: Running, text: str) -> Iterator[None]:
    """Send a translation request, and disconnect at the end of the block without a response."""
    address = httpx.URL(server.url)
    body = json.dumps({"text": text}).encode()
    head = (
        f"POST /api/v1/translate HTTP/1.1\r\nHost: {address.host}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection((address.host, address.port)) as connection:
        connection.sendall(head.encode() + body)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_settings_from_outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.upper().startswith("HEED_")]:
            patch.delenv(name)
        patch.setenv("HEED_DEFAULT_MODEL", DEFAULT)
        patch.setenv("HEED_CACHE_BYTES", "0")  # repeated requests run the model again
        patch.setenv("HEED_STORE", str(tmp_path_factory.mktemp("store")))
        yield


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Leave reference cycles in memory, as a server does, which seldom collects them."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(scope="session")
def server() -> Iterator[Running]:
    """A server with the default settings, except the default model."""
    with running(Settings.from_environment()) as it:
        wait_for(lambda: it.client.get("/readyz").status_code == 200)
        yield it


@pytest.fixture
def client(server: Running) -> httpx.Client:
    """A client of the server."""
    return server.client


@pytest.fixture
def served() -> Callable[..., AbstractContextManager[Running]]:
    """Return a function that serves with other settings than the default ones."""
    return lambda **settings: running(Settings.from_environment(**settings))


@dataclass
class HeldTranslator:
    """A model that takes a step only with a permit, and records the texts of its batches."""

    inner: Translator
    texts: list[str] = field(default_factory=list)
    steps: int = 0
    ended: int = 0
    failure: Exception | None = None
    """Raised instead of the next permitted step."""
    _permits: float = 0
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def let(self, steps: float = math.inf) -> None:
        """Permit more steps."""
        with self._changed:
            self._permits += steps
            self._changed.notify_all()

    def batch(self, readings: Sequence[PreparedInput]) -> HeldBatch:
        """Return a batch that waits for a permit before every step."""
        self.texts += [reading.opening.request.text for reading in readings]
        return HeldBatch(self, self.inner.batch(readings))

    def wait(self) -> None:
        """Wait for a permit."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._permits >= 1, SECONDS)
            self._permits -= 1
        if self.failure:
            raise self.failure

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


class HeldBatch:
    """A batch of a held model."""

    def __init__(self, held: HeldTranslator, inner: Batch) -> None:
        self._held = held
        self._inner = inner

    def steps(self) -> Iterator[None]:
        """Take steps as they are permitted."""
        try:
            for _ in self._inner.steps():
                self._held.wait()
                self._held.steps += 1
                yield
        finally:
            self._held.ended += 1

    def leave_out(self, place: int) -> None:
        """Drop the request at this place; its last step does not count."""
        self._held.steps -= 1
        self._inner.leave_out(place)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> HeldTranslator:
    """The model of all servers that start from now on, for any model id."""
    catalogue = Catalogue()
    translator = HeldTranslator(catalogue.load(next(iter(catalogue.cards))))
    monkeypatch.setattr(Catalogue, "load", lambda self, model_id, threads=1: translator)
    monkeypatch.setattr(Example, "make", lambda self: None)  # only the test runs the model
    return translator


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """All jobs that are submitted to any engine from now on."""
    submitted: list[Job] = []
    submit = Engine.submit

    def record(engine: Engine, job: Job) -> None:
        submit(engine, job)
        submitted.append(job)

    monkeypatch.setattr(Engine, "submit", record)
    return submitted
