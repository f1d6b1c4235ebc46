"""Several workers on one socket: killed, restarted and stopped under load."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.conftest import SECONDS, wait_for
from tests.live import Live, live
from tests.scale import LONG, amount, report
from tests.traffic import DATE, TRANSLATE, Load

WORKERS = 2
CLIENTS = 6
PLAIN = {"source": ["a", "b"], "target": ["c"], "weights": [[0.5, 0.5]]}
ADDED_MEGABYTES = 60
KILLS = amount(2, 20)
REPLACED_SECONDS = 5


@pytest.fixture(scope="module")
def it(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server with two workers."""
    with live(tmp_path_factory.mktemp("workers"), workers=WORKERS, log_level="warning") as server:
        wait_for(lambda: len(workers(server)) == WORKERS)
        yield server
        assert "Traceback" not in server.log.read_text()


def workers(it: Live) -> list[int]:
    """Return the process ids of the workers, those that ended and wait to be replaced left out."""
    children = Path(f"/proc/{it.pid}/task/{it.pid}/children").read_text().split()
    return [int(child) for child in children if state(int(child)) != "Z"]


def state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):  # it ended before, or while it was read
        return "Z"


def test_a_killed_worker_is_replaced_and_the_others_go_on(it: Live) -> None:
    took = 0.0
    with Load(it.host, it.port, CLIENTS) as load:
        for _ in range(KILLS):
            first, *others = workers(it)
            os.kill(first, signal.SIGKILL)
            began = time.monotonic()
            load.more()
            wait_for(lambda others=others: len(workers(it)) == WORKERS and workers(it) != others)
            took = max(took, time.monotonic() - began)
        load.more()
    answers = load.answers
    report(kills=KILLS, lost=answers.lost, answered=answers.statuses, replaced_after=took)
    assert set(answers.statuses) == {200}
    assert answers.lost <= KILLS * CLIENTS, "at most the requests that it was running"
    assert not LONG or took < REPLACED_SECONDS


def test_a_rolling_restart_loses_no_request(it: Live) -> None:
    before = workers(it)
    with Load(it.host, it.port, CLIENTS) as load:
        it.process.send_signal(signal.SIGHUP)
        wait_for(lambda: len(workers(it)) == WORKERS and not set(workers(it)) & set(before))
        load.more()
    answers = load.answers
    report(restarted=WORKERS, lost=answers.lost, answered=answers.statuses)
    assert answers.lost == 0
    assert set(answers.statuses) == {200}


def test_metrics_are_those_of_all_workers(it: Live) -> None:
    def counted() -> int:
        text = httpx.get(it.url + "/metrics", timeout=SECONDS).text
        found = re.search(
            r'^heed_requests_total\{method="POST",route="/api/v1/translate",status="200"\} (\d+)',
            text,
            re.M,
        )
        assert len(re.findall("^heed_queue_size ", text, re.M)) == 1
        assert "process_resident_memory_bytes" in text
        return int(found[1]) if found else 0

    before = counted()
    for _ in range(20):  # each on a new connection
        answer = httpx.post(
            it.url + TRANSLATE,
            content=DATE,
            headers={"Content-Type": "application/json"},
            timeout=SECONDS,
        )
        assert answer.status_code == 200
    wait_for(lambda: counted() == before + 20)


def test_saved_traces_are_those_of_all_workers(it: Live) -> None:
    kept = [httpx.post(it.url + "/api/v1/traces", json=PLAIN, timeout=SECONDS) for _ in range(10)]
    for saved in kept:
        url = it.url + saved.headers["location"]
        key = {"Authorization": f"Bearer {saved.json()['key']}"}
        assert httpx.get(url, timeout=SECONDS).status_code == 200
        assert httpx.delete(url, headers=key, timeout=SECONDS).status_code == 204
        assert httpx.get(url, timeout=SECONDS).status_code == 404


def test_another_worker_takes_little_memory(tmp_path: Path) -> None:
    def megabytes(count: int) -> float:
        folder = tmp_path / str(count)
        folder.mkdir()
        with live(folder, workers=count, default_model="en-fr-additive", log_level="warning") as it:
            wait_for(lambda: len(workers(it)) == (count if count > 1 else 0))
            for _ in range(10):
                httpx.post(it.url + TRANSLATE, json={"text": "I see her."}, timeout=SECONDS)
            return sum(proportional(pid) for pid in [it.pid, *workers(it)]) / 2**20

    one, two, three = megabytes(1), megabytes(2), megabytes(3)
    report(one=one, two=two, three=three)
    assert two - one < ADDED_MEGABYTES, "with the process that watches the workers"
    assert three - two < ADDED_MEGABYTES


def proportional(pid: int) -> int:
    """Return the memory of a process, each shared page divided among those that share it."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return 1024 * int(rollup.partition("\nPss:")[2].split()[0])


def test_sigterm_answers_accepted_requests_and_idle_connections(tmp_path: Path) -> None:
    with live(tmp_path, workers=WORKERS, log_level="warning") as it:
        with (
            Load(it.host, it.port, CLIENTS) as load,
            httpx.Client(base_url=it.url, timeout=SECONDS) as idle,
        ):
            assert idle.get("/healthz").status_code == 200  # a kept connection
            it.process.send_signal(signal.SIGTERM)
            assert idle.get("/healthz").status_code == 200
            assert it.process.wait(SECONDS) == 0
            with pytest.raises(httpx.ConnectError):
                idle.get("/healthz")
        assert set(load.answers.statuses) == {200}
        assert "Traceback" not in it.log.read_text()


def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    with live(tmp_path, workers=WORKERS, preload="none", log_level="warning") as it:
        wait_for(lambda: len(workers(it)) == WORKERS)
        orphans = workers(it)
        it.kill()
        wait_for(lambda: all(state(pid) == "Z" for pid in orphans))
