from __future__ import annotations

import asyncio
import json
import shutil
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import numpy as np
import pytest

from heed.app.container import Service
from heed.app.inference import engine as engine_module
from heed.app.inference.engine import Engine
from heed.app.inference.jobs import Job
from heed.app.inference.work import WorkBudget
from heed.app.settings import Settings
from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.generation.protocol import AnyPipeline
from heed.models.generation.translator import TextRequest
from tests.conftest import SECONDS, HeldTranslator, Running, abandoned_request, wait_for

URL = "/api/v1/translate"
DATE = {"text": "the 3rd of may 1979"}


def post(server: Running, text: str = "may 3, 1979", **more: object) -> httpx.Response:
    return httpx.post(server.url + URL, json={"text": text, **more}, timeout=20)


def loaded(server: Running) -> set[str]:
    models = server.client.get("/api/v1/models").json()["models"]
    return {model["id"] for model in models if model["loaded"]}


def code(answer: httpx.Response) -> str:
    return answer.json()["error"]["code"]


def waiting(server: Running) -> int:
    return server.app.state.service.text_engine.waiting


def test_a_full_queue_refuses_at_once(served: Callable, held: HeldTranslator) -> None:
    with served(queue_size=2) as server, ThreadPoolExecutor(3) as pool:
        answers = [pool.submit(post, server)]
        wait_for(lambda: held.texts)
        answers += [pool.submit(post, server) for _ in range(2)]
        wait_for(lambda: waiting(server) == 2)
        refused = post(server)
        assert not answers[0].done()
        assert refused.status_code == 503
        assert code(refused) == "overloaded"
        assert refused.headers["retry-after"] == "1"
        held.let()
        assert [one.result().status_code for one in answers] == [200, 200, 200]
        assert post(server).status_code == 200


def test_the_interpreter_changes_threads_sooner_while_requests_are_refused(
    served: Callable, held: HeldTranslator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "REFUSING_SECONDS", 0.0)
    usual = engine_module.SWITCH_SECONDS
    with served(queue_size=1) as server, ThreadPoolExecutor(2) as pool:
        answers = [pool.submit(post, server)]
        wait_for(lambda: held.texts)
        answers.append(pool.submit(post, server))
        wait_for(lambda: waiting(server) == 1)
        assert post(server).status_code == 503
        assert sys.getswitchinterval() == pytest.approx(usual / 10)
        held.let()
        assert [one.result().status_code for one in answers] == [200, 200]
        assert post(server).status_code == 200
        assert sys.getswitchinterval() == pytest.approx(usual)


def test_a_client_that_fills_the_queue_leaves_a_place_to_another(
    served: Callable, held: HeldTranslator
) -> None:
    other = httpx.HTTPTransport(local_address="127.0.0.2")
    with (
        served(queue_size=3) as server,
        ThreadPoolExecutor(5) as pool,
        httpx.Client(transport=other, base_url=server.url, timeout=SECONDS) as second,
    ):
        first = [pool.submit(post, server)]
        wait_for(lambda: held.texts)
        for number in range(1, 4):
            first.append(pool.submit(post, server, f"may {number}, 1979"))
            wait_for(lambda number=number: waiting(server) == number)
        passing = pool.submit(second.post, URL, json=DATE)
        left_out = first.pop().result()
        assert (left_out.status_code, code(left_out)) == (503, "overloaded")
        assert "retry-after" in left_out.headers
        held.let()
        assert [one.result().status_code for one in (*first, passing)] == [200] * 4


def test_the_server_answers_while_a_model_runs(served: Callable, held: HeldTranslator) -> None:
    with served() as server, ThreadPoolExecutor(1) as pool:
        work = pool.submit(post, server)
        wait_for(lambda: held.texts)
        assert server.client.get("/healthz").status_code == 200
        assert not work.done()
        held.let()
        assert work.result().status_code == 200


def test_a_request_is_abandoned_at_its_deadline(served: Callable, held: HeldTranslator) -> None:
    with served(deadline_seconds=0.25) as server:
        answer = post(server)
        assert answer.status_code == 504
        assert code(answer) == "deadline_exceeded"
        assert "0.25 s" in answer.json()["error"]["message"]
        held.let()
        wait_for(lambda: held.ended == len(held.texts))
        assert held.steps == 0


def test_time_in_the_queue_counts_towards_the_deadline(
    served: Callable, held: HeldTranslator
) -> None:
    with served(deadline_seconds=2) as server, ThreadPoolExecutor(1) as pool:
        pool.submit(post, server)
        wait_for(lambda: held.texts)
        assert code(post(server, "waited")) == "deadline_exceeded"
        assert waiting(server) == 0
        held.let()
        wait_for(lambda: held.ended)
        assert "waited" not in held.texts


def test_a_disconnected_client_frees_its_place_in_the_queue(
    served: Callable, held: HeldTranslator
) -> None:
    with served(queue_size=1) as server, ThreadPoolExecutor(2) as pool:
        first = pool.submit(post, server)
        wait_for(lambda: held.texts)
        with abandoned_request(server, "gone"):
            wait_for(lambda: waiting(server) == 1)
        wait_for(lambda: waiting(server) == 0)
        stays = pool.submit(post, server, "stays")
        wait_for(lambda: waiting(server) == 1)
        held.let()
        assert stays.result().status_code == first.result().status_code == 200
        assert "gone" not in held.texts


def test_a_disconnected_client_stops_its_job(
    served: Callable, held: HeldTranslator, jobs: list[Job]
) -> None:
    with served() as server:
        with abandoned_request(server, "the 3rd of may 1979"):
            wait_for(lambda: held.texts)
        wait_for(lambda: jobs[0].abandoned)
        held.let()
        wait_for(lambda: held.ended)
        assert held.steps == 0


def test_a_batch_of_texts_that_nobody_waits_for_is_prepared_no_further(
    served: Callable, held: HeldTranslator, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared: list[str] = []
    goes_on, prepare = threading.Event(), held.inner.prepare

    def slow(request: TextRequest) -> object:
        prepared.append(request.text)
        assert goes_on.wait(SECONDS)
        return prepare(request)

    monkeypatch.setattr(held, "prepare", slow, raising=False)
    body = {"texts": [f"{day} may 1979" for day in range(1, 9)]}
    with served(deadline_seconds=2) as server:
        answer = httpx.post(f"{server.url}{URL}/batch", json=body, timeout=20)
        goes_on.set()
        assert code(answer) == "deadline_exceeded"
        wait_for(lambda: server.app.state.service.text_engine.idle)
    assert prepared == ["1 may 1979"]


def test_accepted_requests_are_answered_before_the_server_stops(
    served: Callable, held: HeldTranslator
) -> None:
    with served() as server, ThreadPoolExecutor(3) as pool:
        answers = [pool.submit(post, server)]
        wait_for(lambda: held.texts)
        answers.append(pool.submit(post, server, "7 march 2024"))
        wait_for(lambda: waiting(server) == 1)
        stopped = pool.submit(server.stop)
        wait_for(lambda: refused(server))
        held.let()
        assert [one.result().status_code for one in answers] == [200, 200]
        stopped.result()


def refused(server: Running) -> bool:
    """Return True if the server refuses connections."""
    try:
        httpx.get(server.url + "/healthz")
    except httpx.ConnectError:
        return True
    return False


def test_requests_that_outlast_the_stop_timeout_get_an_error(
    served: Callable, held: HeldTranslator
) -> None:
    threads = threading.active_count()
    with served(stop_seconds=0.3) as server, ThreadPoolExecutor(3) as pool:
        answers = [pool.submit(post, server)]
        wait_for(lambda: held.texts)
        answers.append(pool.submit(post, server))
        wait_for(lambda: waiting(server) == 1)
        stopped = pool.submit(server.stop)
        assert code(answers[1].result()) == "shutting_down"
        held.let()
        assert code(answers[0].result()) == "shutting_down"
        stopped.result()
    assert threading.active_count() == threads


def test_the_server_is_alive_before_it_is_ready(
    served: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = threading.Event()
    load = Catalogue.load

    def waiting(catalogue: Catalogue, model: str, threads: int = 1) -> object:
        assert read.wait(10)
        return load(catalogue, model, threads)

    monkeypatch.setattr(Catalogue, "load", waiting)
    with served() as server:
        assert server.client.get("/healthz").json() == {"status": "alive"}
        answer = server.client.get("/readyz")
        assert answer.status_code == 503
        assert code(answer) == "not_ready"
        assert loaded(server) == set()
        read.set()
        wait_for(lambda: server.client.get("/readyz").status_code == 200)
        assert loaded(server) == {"dates-additive"}


def test_a_model_is_loaded_when_first_used(served: Callable) -> None:
    with served(preload="none") as server:
        wait_for(lambda: server.client.get("/readyz").status_code == 200)
        assert loaded(server) == set()
        assert server.client.post(URL, json={**DATE, "model": "dates-dot"}).status_code == 200
        assert loaded(server) == {"dates-dot"}


def test_unreadable_weights_are_an_error_of_their_model_alone(
    served: Callable, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.copytree(DEFAULT_DIRECTORY, tmp_path, dirs_exist_ok=True)
    (tmp_path / "dates-additive" / "model.safetensors").write_bytes(b"not a tensor file")
    with served(weights=tmp_path, preload="all") as server:
        answer = server.client.post(URL, json={**DATE, "model": "dates-additive"})
        assert answer.status_code == 500
        assert code(answer) == "weights_unreadable"
        assert str(tmp_path) not in answer.text
        assert server.client.post(URL, json={**DATE, "model": "dates-dot"}).status_code == 200
        ready = server.client.get("/readyz")
        assert ready.status_code == 500
        assert code(ready) == "weights_unreadable"
        # The watchdog must not take the thread for one that hangs.
        wait_for(lambda: not server.app.state.service.text_engine._heartbeat.running)
    assert "model.safetensors" in caplog.text


def test_unreadable_weights_are_left_to_the_processes_that_are_forked(tmp_path: Path) -> None:
    shutil.copytree(DEFAULT_DIRECTORY, tmp_path, dirs_exist_ok=True)
    (tmp_path / "dates-additive" / "model.safetensors").write_bytes(b"not a tensor file")
    settings = Settings(weights=tmp_path, preload="dates-additive,dates-dot", store=tmp_path)
    service = Service.build(settings)
    service.load_before_fork()
    assert service.catalogue.loaded("dates-dot")
    assert not service.catalogue.loaded("dates-additive")


def test_a_job_that_comes_while_memory_is_returned_is_watched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine_module, "WATCH_SECONDS", 0.01)
    budget, trims = WorkBudget(2**20), 0
    engine = Engine(Catalogue(), budget, queue_size=1, deadline_seconds=1, threads=1)

    def trim() -> None:
        nonlocal trims
        trims += 1
        if trims == 1:
            engine._submitted = time.monotonic()

    monkeypatch.setattr(budget, "trim", trim)
    asyncio.run(engine._watch())
    assert trims > 1


def test_a_defect_is_logged_and_its_response_has_no_details(
    served: Callable,
    held: HeldTranslator,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the secret detail")

    monkeypatch.setattr(held, "batch", broken)
    with served() as server:
        plain = server.client.post(URL, json=DATE)
        streamed = server.client.post(URL, json=DATE, headers={"Accept": "text/event-stream"})
    assert plain.status_code == 500
    assert plain.headers["x-content-type-options"] == "nosniff"
    event = json.loads(streamed.text.split("event: error\ndata: ")[1])
    for error in (plain.json()["error"], event["error"]):
        assert error["code"] == "internal_error"
        assert error["message"].split()[-1].strip(".") in caplog.text
    assert "secret" not in plain.text + streamed.text
    assert "the secret detail" in caplog.text


def test_texts_are_not_logged(served: Callable, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG"), served(log_level="debug") as server:
        post(server, "sunday 3 may 1979")
        post(server, "3 may 1979 " * 1000)
    assert "may" not in caplog.text
    assert "ran model=dates-additive texts=1" in caplog.text


def test_waiting_requests_run_in_one_batch(served: Callable, held: HeldTranslator) -> None:
    days = [f"{day} march 2024" for day in range(1, 7)]
    with served() as server, ThreadPoolExecutor(8) as pool:
        first = pool.submit(post, server)
        wait_for(lambda: held.texts)
        others = [pool.submit(post, server, day) for day in days]
        wait_for(lambda: waiting(server) == 6)
        held.let()
        assert first.result().status_code == 200
        together = [one.result().json() for one in others]
        assert held.ended == 2, "the first one, and all that waited"
        alone = [post(server, day).json() for day in days]
    for one, other in zip(together, alone, strict=True):
        assert one["text"] == other["text"]
        for mine, yours in zip(one["maps"][0]["weights"], other["maps"][0]["weights"], strict=True):
            assert mine == pytest.approx(yours, abs=1.1e-5), "rounded to five places"


def test_much_longer_texts_do_not_wait_in_the_same_batch(
    served: Callable, held: HeldTranslator
) -> None:
    with served() as server, ThreadPoolExecutor(8) as pool:
        first = pool.submit(post, server)
        wait_for(lambda: held.texts)
        texts = ["1 may", "wednesday the twenty-third of september 1998", "2 may"]
        others = []
        for place, text in enumerate(texts):
            others.append(pool.submit(post, server, text))
            wait_for(lambda place=place: waiting(server) == place + 1)
        held.let()
        assert all(one.result().status_code == 200 for one in [first, *others])
        assert held.texts[1:] == ["1 may", "2 may", texts[1]]


def test_others_pass_a_request_with_edits_which_runs_by_itself(
    served: Callable, held: HeldTranslator
) -> None:
    edits = [{"op": "block", "keys": 0, "queries": 1}]
    with served() as server, ThreadPoolExecutor(4) as pool:
        sent = [pool.submit(post, server)]
        wait_for(lambda: held.texts)
        for place, more in enumerate([{"edits": edits}, {}, {}]):
            sent.append(pool.submit(post, server, f"{place} may", **more))
            wait_for(lambda place=place: waiting(server) == place + 1)
        held.let()
        assert all(one.result().status_code == 200 for one in sent)
    assert held.texts[1:] == ["1 may", "2 may", "0 may"]
    assert held.ended == 3


def test_a_request_that_breaks_its_batch_fails_alone(
    served: Callable, held: HeldTranslator, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = held.batch

    def poisoned(readings: list) -> object:
        if any("666" in reading.opening.request.text for reading in readings):
            raise RuntimeError("poison")
        return batch(readings)

    monkeypatch.setattr(held, "batch", poisoned)
    with served() as server, ThreadPoolExecutor(8) as pool:
        first = pool.submit(post, server)
        wait_for(lambda: held.texts)
        others = [pool.submit(post, server, f"{day} march") for day in (1, 2, 666, 4)]
        wait_for(lambda: waiting(server) == 4)
        held.let()
        assert first.result().status_code == 200
        assert [one.result().status_code for one in others] == [200, 200, 500, 200]


def test_a_request_that_cannot_be_prepared_fails_alone(
    served: Callable, held: HeldTranslator, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare = held.inner.prepare

    def poisoned(ask: TextRequest) -> object:
        if "666" in ask.text:
            raise RuntimeError("poison")
        return prepare(ask)

    monkeypatch.setattr(held, "prepare", poisoned, raising=False)
    with served() as server, ThreadPoolExecutor(8) as pool:
        first = pool.submit(post, server)
        wait_for(lambda: held.texts)
        others = []
        for place, day in enumerate((1, 666, 3)):
            others.append(pool.submit(post, server, f"{day} march"))
            wait_for(lambda place=place: waiting(server) == place + 1)
        held.let()
        assert first.result().status_code == 200
        assert [one.result().status_code for one in others] == [200, 500, 200]


def test_a_request_with_non_finite_output_fails_alone(
    served: Callable, held: HeldTranslator, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = held.inner.runtime
    step = runtime.step

    def broken(state: object, rows: np.ndarray, tokens: np.ndarray, _edits: object) -> object:
        output, state = step(state, rows, tokens)
        if len(rows) == 3:  # the second request in the batch of three
            output.ranking.normalizer[1] = np.nan
        return output, state

    monkeypatch.setattr(runtime, "step", broken)
    with served() as server, ThreadPoolExecutor(8) as pool:
        first = pool.submit(post, server)
        wait_for(lambda: held.texts)
        others = []
        for place, day in enumerate((1, 2, 3)):
            others.append(pool.submit(post, server, f"{day} march"))
            wait_for(lambda place=place: waiting(server) == place + 1)
        held.let()
        answers = [first.result(), *(one.result() for one in others)]
        assert [answer.status_code for answer in answers] == [200, 200, 500, 200]
        assert code(answers[2]) == "non_finite_output"
        assert post(server, "4 march").status_code == 200


def test_a_thread_that_hangs_is_replaced(
    served: Callable,
    held: HeldTranslator,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("heed.app.inference.engine.HANG_SECONDS", 0.5)
    with served(deadline_seconds=3) as server:
        assert code(post(server)) == "deadline_exceeded"
        wait_for(lambda: server.client.get("/readyz").status_code == 503)
        wait_for(lambda: server.client.get("/readyz").status_code == 200)
        assert "hangs in dates-additive and is replaced" in caplog.text
        hung = held._changed
        held._changed = threading.Condition()  # the old thread waits on
        held.let()
        assert post(server, "3 may").status_code == 200
        with hung:
            hung.notify_all()
    wait_for(lambda: held.ended == len(held.texts))


def test_a_repeated_request_is_answered_from_the_cache(served: Callable) -> None:
    body = {"text": "the 29th of february 2008", "detail": "weights"}
    with served(cache_bytes=1_000_000) as server:
        first, second = (server.client.post(URL, json=body) for _ in range(2))
        other = server.client.post(URL, json={**body, "detail": "steps"})
        streamed = server.client.post(URL, json=body, headers={"Accept": "text/event-stream"})
    assert first.headers["x-cache"] == "miss"
    assert second.headers["x-cache"] == "hit"
    assert first.content == second.content
    assert other.headers["x-cache"] == "miss"
    assert streamed.text == f"event: trace\ndata: {first.text}\n\n"


def test_concurrent_requests_get_their_own_responses(server: Running) -> None:
    days = [f"{day} march 2024" for day in range(1, 25)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda day: post(server, day), days))
    assert [answer.json()["request"]["text"] for answer in answers] == days
    assert [answer.json()["text"] for answer in answers] == [
        f"2024-03-{day:02}" for day in range(1, 25)
    ]


def test_a_load_that_takes_long_is_reported_and_makes_nobody_wait(
    served: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended, load = threading.Event(), Catalogue.load

    def slow(catalogue: Catalogue, model_id: str, threads: int | None = None) -> AnyPipeline:
        if model_id == "en-de-additive":
            ended.wait(30)
        return load(catalogue, model_id, threads)

    monkeypatch.setattr(Catalogue, "load", slow)
    with served(deadline_seconds=3) as server, ThreadPoolExecutor(1) as pool:
        wait_for(lambda: server.client.get("/readyz").status_code == 200)
        body = {"text": "A cat.", "model": "en-de-additive"}
        first = pool.submit(httpx.post, server.url + URL, json=body, timeout=20)
        wait_for(lambda: server.client.get("/readyz").status_code == 503)
        assert "being loaded" in server.client.get("/readyz").text
        refused = post(server)
        assert refused.status_code == 503
        assert code(refused) == "overloaded"
        ended.set()
        assert first.result().status_code in (200, 504)
        wait_for(lambda: server.client.get("/readyz").status_code == 200)
        assert post(server).status_code == 200
