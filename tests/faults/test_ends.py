"""A server that is stopped, and one that is killed."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import httpx

from tests.conftest import SECONDS, wait_for
from tests.live import Live, live
from tests.scale import LONG, amount, report
from tests.traffic import DATE, TRANSLATE

PLAIN = {"source": ["a", "b"], "target": ["c"], "weights": [[0.5, 0.5]]}
JSON = {"Content-Type": "application/json"}
STOP_ROUNDS = amount(1, 10)
KILL_ROUNDS = amount(2, 50)
MAX_SECONDS = 10.0
CUT_SHORT = "without sending complete message body"


class Clients:
    """Threads that send requests until the server is gone, each on a new connection."""

    def __init__(self, it: Live, count: int) -> None:
        self._it = it
        self.statuses: list[int] = []
        self.lost: list[str] = []
        self.threads = [threading.Thread(target=self._run) for _ in range(count)]
        for thread in self.threads:
            thread.start()

    def _run(self) -> None:
        while True:
            try:
                answer = httpx.post(
                    self._it.url + TRANSLATE, content=DATE, headers=JSON, timeout=SECONDS
                )
            except httpx.ConnectError:
                return  # it was never accepted
            except httpx.TransportError as error:
                self.lost.append(repr(error))
                return
            self.statuses.append(answer.status_code)

    def wait(self) -> None:
        """Wait for all threads to end."""
        for thread in self.threads:
            thread.join(SECONDS)
            assert not thread.is_alive()


def test_accepted_connections_are_answered_before_the_server_stops(
    tmp_path: Path, way: Mapping[str, object]
) -> None:
    lost: list[str] = []
    answered, took = 0, 0.0
    for number in range(STOP_ROUNDS):
        folder = tmp_path / str(number)
        folder.mkdir()
        with live(folder, log_level="warning", **way) as it:
            clients = Clients(it, 12)
            wait_for(lambda clients=clients: len(clients.statuses) > 8)
            time.sleep(amount(0.2, 2.0))
            code, seconds = it.stop(SECONDS)
            clients.wait()
        assert code in (0, -signal.SIGTERM)  # uvicorn exits by the signal it received
        assert set(clients.statuses) == {200}
        lost += clients.lost
        answered += len(clients.statuses)
        took = max(took, seconds)
        assert "Traceback" not in it.log.read_text()
    report(rounds=STOP_ROUNDS, answered=answered, lost=len(lost), stopped_after=took)
    assert not [error for error in lost if CUT_SHORT in error]
    if LONG:  # on a busy machine a client may connect in time and send its request too late
        assert not lost
        assert took < MAX_SECONDS


class Savers:
    """Threads that save traces until the server is gone, and record the acknowledged ids."""

    def __init__(self, it: Live, count: int) -> None:
        self.saved: list[str] = []
        self._url = it.url
        self.threads = [threading.Thread(target=self._run, args=(n,)) for n in range(count)]
        for thread in self.threads:
            thread.start()

    def _run(self, number: int) -> None:
        with httpx.Client(base_url=self._url, timeout=SECONDS) as client:
            for count in range(10**9):
                trace = {**PLAIN, "source": [f"{number}-{count}", "x" * 2000]}
                try:
                    answer = client.post("/api/v1/traces", json=trace)
                    assert answer.status_code == 201, answer.text
                    self.saved.append(answer.json()["id"])
                except httpx.TransportError:
                    return


def test_a_killed_server_has_every_trace_that_it_acknowledged(
    tmp_path: Path, way: Mapping[str, object]
) -> None:
    known: list[str] = []
    again: list[float] = []
    killed = 0.0
    for number in range(KILL_ROUNDS):
        with live(tmp_path, preload="none", log_level="warning", **way) as it:
            if killed:
                again.append(time.monotonic() - killed)
            savers = Savers(it, 4)
            wait_for(lambda savers=savers: len(savers.saved) > 8)
            time.sleep(0.05 * (number % 7))
            it.kill()
            killed = time.monotonic()
            for thread in savers.threads:
                thread.join(SECONDS)
            known += savers.saved
    with live(tmp_path, preload="none", **way) as it, httpx.Client(base_url=it.url) as client:
        again.append(time.monotonic() - killed)
        missing = [one for one in known if client.get(f"/api/v1/traces/{one}").status_code != 200]
        kept = client.get("/metrics").text.partition("\nheed_saved_traces ")[2].split()[0]
    report(
        rounds=KILL_ROUNDS, acknowledged=len(known), kept=kept, lost=len(missing), again=max(again)
    )
    assert not missing
