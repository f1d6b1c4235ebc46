"""Audits over HTTP: as JSON, as events and as arrays, for texts and pictures."""

from __future__ import annotations

import asyncio
import io
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import replace
from typing import Any
from unittest.mock import AsyncMock

import httpx
import numpy as np
import pytest
from PIL import Image

from heed.app.inference.audits import CELL, AuditInput
from heed.app.inference.pictures import PictureDecoder
from heed.app.inference.turn import Turn
from heed.app.inference.work import WorkBudget
from heed.app.schemas import (
    AuditOut,
    ContrastOut,
    CurvesOut,
    RewrittenOut,
    SearchedOrdersOut,
    TranslateAuditIn,
)
from heed.app.settings import Settings
from heed.models.audit.choices import AuditChoices
from heed.models.audit.slices import SlicedAudit
from heed.models.runtime.choice import RuntimeChoice
from tests.conftest import SECONDS, Running, running

URL = "/api/v1/translate/audit"
REQUEST = {"text": "She sings.", "model": "en-fr-additive", "seeds": 4}


def audit(client: httpx.Client, **options: Any) -> dict[str, Any]:
    answer = client.post(URL, json={**REQUEST, **options})
    assert answer.status_code == 200, answer.text
    figures: dict[str, Any] = answer.json()
    return figures


def test_an_audit_says_what_each_cell_does(client: httpx.Client) -> None:
    figures = audit(client)
    assert AuditOut.model_validate(figures)
    assert len(figures["verdict"]) == 3
    assert len(figures["words"]) == 4
    assert np.shape(figures["costs"]) == np.shape(figures["attention"])
    assert len(figures["controls"]["random"]) == len(figures["distances"]["permuted"]) == 4
    row, key = figures["orders"]["row"], figures["orders"]["keys"][0]
    edit = {"op": "block", "queries": row, "keys": key}
    forced = {**REQUEST, "target": figures["trace"]["text"], "edits": [edit]}
    del forced["seeds"]
    edited = client.post("/api/v1/translate", json=forced).json()
    change = edited["baseline"]["changes"][row]
    assert figures["costs"][row][key] == pytest.approx(-change["delta"], abs=1e-4)


def test_an_audit_is_a_stream_of_progress_or_an_archive(client: httpx.Client) -> None:
    figures = audit(client, seeds=5)
    events = client.post(
        URL, json={**REQUEST, "seeds": 3}, headers={"Accept": "text/event-stream"}
    ).text.split("\n\n")[:-1]
    names = [event.split("\n")[0] for event in events]
    assert names[-1] == "event: audit"
    assert set(names[:-1]) == {"event: progress"}
    last = json.loads(events[-1].split("data: ")[1])
    assert last["costs"] == figures["costs"]
    assert json.loads(events[-2].split("data: ")[1])["rows"] == last["rows"]
    archive = client.post(
        URL, json={**REQUEST, "seeds": 5}, headers={"Accept": "application/x-npz"}
    )
    arrays = np.load(io.BytesIO(archive.content))
    known = np.array(figures["costs"], float)
    assert arrays["costs"] == pytest.approx(known, abs=1e-5, nan_ok=True)
    assert arrays["verdict"].tolist() == figures["verdict"]


def test_an_answer_is_written_when_there_is_memory_for_its_maps(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    parse = WorkBudget.parse

    async def noted(budget: WorkBudget, size: int, *given: Any) -> Any:
        sizes.append(size)
        return await parse(budget, size, *given)

    monkeypatch.setattr(WorkBudget, "parse", noted)
    maps = audit(client, seeds=6)["trace"]["maps"]
    assert sizes == [CELL * sum(np.size(one["weights"]) for one in maps)]


@pytest.mark.parametrize(
    ("options", "code", "field"),
    [
        ({"model": "en-fr-none"}, "edits_not_supported", "model"),
        ({"row": 99}, "out_of_range", "row"),
        ({"layer": 7}, "out_of_range", "layer"),
        ({"seeds": 0}, "out_of_range", "seeds"),
        ({"removal": "erase"}, "invalid_choice", "removal"),
        ({"text": "a red dog " * 60}, "audit_too_large", "seeds"),
        ({"edits": []}, "unknown_field", "edits"),
        ({"figure": "contrast", "other": "a"}, "missing_field", "row"),
        ({"figure": "contrast", "row": 0}, "missing_field", "other"),
        ({"figure": "contrast", "row": 0, "other": "a" * 1001}, "out_of_range", "other"),
        (
            {"model": "dates-dot", "figure": "contrast", "row": 0, "other": "may " * 200},
            "text_too_long",
            "other",
        ),
        ({"figure": "curves", "row": 0}, "wrong_task", "figure"),
        ({"figure": "everything"}, "invalid_choice", "figure"),
    ],
)
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_what_cannot_be_audited_is_refused(
    client: httpx.Client, options: dict[str, Any], code: str, field: str, accept: str
) -> None:
    answer = client.post(URL, json={**REQUEST, **options}, headers={"Accept": accept})
    assert answer.status_code == 422, answer.text
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == (code, field)


@pytest.mark.parametrize("path", ["caption", "ask"])
def test_pictures_are_audited_cell_by_cell(seeing: Running, path: str) -> None:
    picture = io.BytesIO()
    Image.new("RGB", (30, 30), "red").save(picture, "PNG")
    asked = {"model": "ask", "question": "may?"} if path == "ask" else {"model": "caption-soft"}
    answer = seeing.client.post(
        f"/api/v1/{path}/audit",
        data={**asked, "seeds": "2", "target": "may"},
        files={"image": picture.getvalue()},
    )
    assert answer.status_code == 200, answer.text
    figures = answer.json()
    assert AuditOut.model_validate(figures)
    assert np.shape(figures["costs"]) == (4, 196)
    assert figures["noun"] == "cell"
    assert "given_back" not in figures


@pytest.mark.parametrize(
    ("options", "schema"),
    [
        ({"figure": "contrast", "row": 1, "other": "pleure"}, ContrastOut),
        ({"figure": "rewritten", "unit": "word"}, RewrittenOut),
        ({"figure": "orders", "row": 1}, SearchedOrdersOut),
    ],
)
def test_another_figure_is_asked_for_by_name(
    client: httpx.Client, options: dict[str, Any], schema: type[Any]
) -> None:
    figures = audit(client, **options)
    assert schema.model_validate(figures)
    assert figures["trace"]["model"]["id"] == "en-fr-additive"
    assert len(figures["words"]) == 4
    archive = client.post(URL, json={**REQUEST, **options}, headers={"Accept": "application/x-npz"})
    assert np.load(io.BytesIO(archive.content))["verdict"].tolist() == figures["verdict"]


def test_the_curves_of_a_photo_come_one_after_another(seeing: Running) -> None:
    picture = io.BytesIO()
    Image.new("RGB", (30, 30), "red").save(picture, "PNG")
    answer = seeing.client.post(
        "/api/v1/caption/audit",
        data={"model": "caption-soft", "target": "may", "figure": "curves", "row": "1"},
        files={"image": picture.getvalue()},
        headers={"Accept": "text/event-stream"},
    )
    events = [event.split("data: ")[1] for event in answer.text.split("\n\n")[:-1]]
    figures = json.loads(events[-1])
    assert CurvesOut.model_validate(figures)
    parts = [json.loads(event).get("part") for event in events[:-1]]
    counts = [len(part["curves"]) for part in parts if part]
    assert counts == sorted(counts)  # a client that reads slowly gets the newest alone
    assert 0 < counts[0] <= counts[-1] == len(figures["curves"]) == 21
    assert parts[-1]["areas"] == figures["areas"]


def test_an_audit_counts_as_several_calls_unless_it_is_cached() -> None:
    limits = {"rate_per_minute": 1, "rate_burst": 8, "cache_bytes": 10_000_000}
    settings = Settings.from_environment(preload="none", **limits)
    with running(settings) as server:
        first, again, other = (
            server.client.post(URL, json={**REQUEST, "seeds": seeds}) for seeds in (4, 4, 5)
        )
    assert (first.headers["x-cache"], again.headers["x-cache"]) == ("miss", "hit")
    assert other.status_code == 429


def test_other_trainings_are_read_once_and_beside_the_thread_that_runs_models(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads, load = list[str](), RuntimeChoice.load_training

    def noted(*given: Any) -> Any:
        threads.append(threading.current_thread().name)
        return load(*given)

    monkeypatch.setattr(RuntimeChoice, "load_training", noted)
    settings = Settings.from_environment(preload="none", cache_bytes=0)
    with running(settings) as server:
        for _ in range(2):
            figures = audit(server.client, model="en-fr-additive-free")
            assert [other["seed"] for other in figures["trainings"]["others"]] == [3, 4]
    assert len(threads) == 2
    assert "heed-inference" not in threads


def test_audits_wait_for_each_other_and_other_requests_do_not(client: httpx.Client) -> None:
    with ThreadPoolExecutor(4) as threads:
        audits = [
            threads.submit(client.post, URL, json={**REQUEST, "seeds": seeds})
            for seeds in (8, 9, 10)
        ]
        other = threads.submit(client.post, "/api/v1/translate", json={"text": "She sings."})
        answers = [each.result() for each in (*audits, other)]
    assert [answer.status_code for answer in answers] == [200] * 4
    shapes = {np.shape(answer.json()["distances"]["permuted"])[0] for answer in answers[:3]}
    assert shapes == {8, 9, 10}


def test_equal_audits_run_once_for_all_who_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[AuditChoices] = []

    def counted(choices: AuditChoices, *given: Any) -> SlicedAudit:
        made.append(choices)
        return SlicedAudit(choices, *given)

    monkeypatch.setattr("heed.app.inference.audits.SlicedAudit", counted)
    settings = Settings.from_environment(preload="none", cache_bytes=10_000_000)
    with running(settings) as server, ThreadPoolExecutor(4) as threads:
        waiting = [threads.submit(server.client.post, URL, json=REQUEST) for _ in range(4)]
        contents = {each.result().content for each in waiting}
    assert len(contents) == len(made) == 1


def test_what_does_not_get_its_turn_is_refused_at_the_deadline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(PictureDecoder, "decoded", None)  # no photo waits decoded
    picture = io.BytesIO()
    Image.new("RGB", (30, 30), "red").save(picture, "PNG")
    settings = Settings.from_environment(preload="none", deadline_seconds=1)
    with running(settings) as server:
        service, ask = server.app.state.service, server.client
        for turn in (service.audits["translate"].turn, service.lesson_turn):
            asyncio.run(turn.take(0.0, AsyncMock()))  # by work that goes on for ever
        answers = [
            ask.post(URL, json=REQUEST),
            ask.post("/api/v1/caption/audit", files={"image": picture.getvalue()}),
            ask.get("/learn/one-vector/lesson.html"),
            ask.get("/learn/one-vector/handout"),
        ]
    assert [answer.status_code for answer in answers] == [504] * 4
    assert answers[0].json()["error"]["code"] == "deadline_exceeded"


def test_between_its_slices_an_audit_holds_no_memory_that_others_wait_for(
    server: Running,
) -> None:
    """A large trace would wait for the audit, and in the line behind it each slice of the audit."""
    service = server.app.state.service

    async def admitted() -> None:
        options = TranslateAuditIn.model_validate({**REQUEST, "seeds": 7})
        given = AuditInput(options, None, AsyncMock())
        events = await service.audits["translate"].events(given, lambda _: lambda: None)
        async with aclosing(events):
            assert b"progress" in await anext(events)
            async with service.work.reserved(service.work.max_bytes, SECONDS):
                pass

    asyncio.run(admitted())


def test_an_audit_goes_on_while_its_client_does_not_read(server: Running) -> None:
    service = server.app.state.service

    async def unread() -> None:
        options = TranslateAuditIn.model_validate({**REQUEST, "seeds": 6})
        # The turn of the server belongs to its event loop.
        audits = replace(service.audits["translate"], turn=Turn("audits", SECONDS))
        given = AuditInput(options, None, AsyncMock())
        events = await audits.events(given, lambda _: lambda: None)
        async with aclosing(events), asyncio.timeout(SECONDS):
            assert b"progress" in await anext(events)
            async with audits.turn.held(time.monotonic(), lambda _: lambda: None):
                pass  # the next audit runs
            assert b"event: audit" in [part async for part in events][-1]

    asyncio.run(unread())
