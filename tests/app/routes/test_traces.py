"""Saved traces over HTTP: saved, given back, deleted, shown; and what becomes of bad ones."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import httpx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heed.app.errors import ServiceError, ServiceUnavailable
from heed.app.inference.work import WorkBudget
from heed.app.openapi.examples import PLAIN_EXAMPLES
from heed.app.traces import saved as saved_module
from heed.app.traces.saved import MAX_LOADING, MAX_WAITING
from heed.app.traces.sqlite_store import FILE, SQLiteStore
from heed.app.traces.trace_import import load_saved
from heed.app.traces.trace_import.schema_1 import upgrade
from tests.app.test_errors import HTML, error_of
from tests.conftest import Running

URL = "/api/v1/traces"
ROOT = Path(__file__).parents[3]
NOBODYS = "a" * 22
PLAIN: dict[str, Any] = next(iter(PLAIN_EXAMPLES.values()))["value"]


def save(client: httpx.Client, value: Any = PLAIN) -> dict[str, Any]:
    answer = client.post(URL, json=value)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def translated(client: httpx.Client, **options: Any) -> dict[str, Any]:
    fields = {"text": "3 may 1979", **options}
    trace: dict[str, Any] = client.post("/api/v1/translate", json=fields).json()
    return trace


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


# --- save and read ----------------------------------------------------------------------------


@pytest.mark.parametrize("detail", ["weights", "steps", "full"])
@pytest.mark.parametrize("model", ["dates-additive", "dates-none"])
def test_a_trace_is_returned_as_it_was_saved(client: httpx.Client, detail: str, model: str) -> None:
    search = {"kind": "beam", "beam": 2}
    trace = translated(client, detail=detail, model=model, search=search)
    answer = client.post(URL, json=trace)
    assert answer.status_code == 201
    made = answer.json()
    assert set(made) == {"id", "url", "embed", "key", "expires"}
    assert answer.headers["location"] == f"{URL}/{made['id']}"
    assert answer.headers["cache-control"] == "no-store"
    assert client.get(answer.headers["location"]).json() == trace


def test_plain_weights_become_a_trace(client: httpx.Client) -> None:
    trace = client.get(f"{URL}/{save(client)['id']}").json()
    assert trace["schema"] == "heed.trace/2"
    assert trace["model"]["id"] == "imported"
    assert trace["source"]["text"] == "the cat"
    assert trace["maps"][0]["weights"] == PLAIN["weights"]
    again = save(client, trace)
    assert client.get(f"{URL}/{again['id']}").json() == trace


@pytest.mark.parametrize("media", ["application/x-npz", "application/octet-stream"])
def test_an_npz_archive_becomes_a_trace(client: httpx.Client, media: str) -> None:
    held = io.BytesIO()
    np.savez(held, weights=np.array([[0.5, 0.5]]), source=["a", "b"], target=["x"])
    answer = client.post(URL, content=held.getvalue(), headers={"Content-Type": media})
    trace = client.get(answer.headers["location"]).json()
    assert trace["maps"][0]["weights"] == [[0.5, 0.5]]
    answer = client.post(URL, content=b"PK\x03\x04", headers={"Content-Type": media})
    error_of(answer, 400, "bad_npz")


def test_a_trace_of_the_first_version_can_still_be_saved_and_read(client: httpx.Client) -> None:
    """Whatever changes in a trace, what was saved before must remain readable."""
    old = json.loads((ROOT / "tests/app/traces/schema-1.json").read_text("utf-8"))
    made = save(client, old)
    read = client.get(f"{URL}/{made['id']}").json()
    assert read["schema"] == "heed.trace/2"
    assert read["memory"][0]["summary"] == old["memory"][0]["picture"]
    assert upgrade(old)
    assert {name: read[name] for name in old} == old


def test_a_trace_that_was_saved_in_the_first_version_is_read_in_the_present_one(
    served: Any, tmp_path: Path
) -> None:
    content = (ROOT / "tests/app/traces/schema-1.json").read_bytes()
    store = SQLiteStore(tmp_path, max_bytes=1024 * 1024)
    url = f"{URL}/{store.save(content).id}"
    store.close()
    expected = json.loads(content)
    assert upgrade(expected)
    with served(store=tmp_path, preload="none") as server:
        for encoding, ending in (("gzip", "-gzip"), ("identity", "")):
            headers = {"Accept-Encoding": encoding}
            answer = server.client.get(url, headers=headers)
            assert answer.json() == expected
            digest = hashlib.sha256(answer.content).hexdigest()
            assert answer.headers["etag"] == f'"{digest}{ending}"'
            headers["If-None-Match"] = answer.headers["etag"]
            assert server.client.get(url, headers=headers).status_code == 304


def test_an_unchanged_trace_is_not_sent_again(client: httpx.Client) -> None:
    url = f"{URL}/{save(client, translated(client))['id']}"
    tags = set()
    for encoding in ("gzip", "identity"):
        first = client.get(url, headers={"Accept-Encoding": encoding})
        tag = first.headers["etag"]
        assert re.fullmatch(r'"[0-9a-f]{64}(-gzip)?"', tag), "a strong one"
        assert first.headers["cache-control"] == "no-cache", "it may be deleted any time"
        assert "Accept-Encoding" in first.headers["vary"]
        for wanted in (tag, f'"other", W/{tag}', "*"):
            headers = {"Accept-Encoding": encoding, "If-None-Match": wanted}
            again = client.get(url, headers=headers)
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["etag"] == tag
        other = {"Accept-Encoding": encoding, "If-None-Match": '"other"'}
        assert client.get(url, headers=other).json() == first.json()
        tags.add(tag)
    assert len(tags) == 2, "two encodings are not the same bytes"


def test_every_example_is_a_valid_request(client: httpx.Client) -> None:
    for example in PLAIN_EXAMPLES.values():
        assert save(client, example["value"])["id"]


# --- delete -----------------------------------------------------------------------------------


def test_a_trace_is_deleted_with_its_key(client: httpx.Client) -> None:
    made, other = save(client), save(client)
    url = f"{URL}/{made['id']}"
    answer = client.delete(url)
    error_of(answer, 401, "missing_key")
    assert answer.headers["www-authenticate"] == "Bearer"
    error_of(client.delete(url, headers={"Authorization": "Basic abc"}), 401, "missing_key")
    error_of(client.delete(url, headers=bearer(other["key"])), 403, "wrong_key")
    odd = {"Authorization": "Bearer schlüssel".encode()}
    error_of(client.delete(url, headers=odd), 403, "wrong_key")
    assert client.get(url).status_code == 200
    assert client.delete(url, headers=bearer(made["key"])).status_code == 204
    for call in (client.get, client.delete):
        error_of(call(url, headers=bearer(made["key"])), 404, "unknown_trace")
    assert client.get(f"{URL}/{other['id']}").status_code == 200


@pytest.mark.parametrize("identity", [NOBODYS, "x", "%00", "%F0%9F%8E%89", "..", "'--", "a" * 5000])
def test_an_unknown_id_is_not_found(client: httpx.Client, identity: str) -> None:
    url = client.base_url.copy_with(raw_path=f"{URL}/{identity}".encode())
    code = "not_found" if identity == ".." else "unknown_trace"
    error_of(client.get(url), 404, code)
    error_of(client.delete(url, headers=bearer("key")), 404, code)


# --- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "code", "field"),
    [
        ({}, "missing_field", "source"),
        ([], "wrong_type", None),
        (PLAIN | {"weights": [[0.9, 0.1, 0], [0.1, 0.6, 0.2]]}, "invalid_trace", "weights[1]"),
        (PLAIN | {"weights": [[0.9, 0.1, 0], [0.1, "x", 0]]}, "invalid_trace", "weights[1][1]"),
        (PLAIN | {"kind": "self"}, "invalid_choice", "kind"),
        ({"schema": "heed.trace/2"}, "missing_field", "text"),
    ],
)
def test_invalid_attention_is_refused(
    client: httpx.Client, value: Any, code: str, field: str | None
) -> None:
    error = error_of(client.post(URL, json=value), 422, code)
    assert error["field"] == field


def test_a_body_of_another_media_type_is_refused(client: httpx.Client) -> None:
    answer = client.post(URL, content=b"{}", headers={"Content-Type": "text/plain"})
    error_of(answer, 415, "unsupported_media_type")
    assert "application/x-npz" in answer.headers["accept-post"]


def test_a_trace_that_is_too_large_is_refused(served: Callable) -> None:
    with served(max_trace_bytes=4096, preload="none") as server:
        large = PLAIN | {"weights": [PLAIN["weights"]] * 200}
        error = error_of(server.client.post(URL, json=large), 413, "body_too_large")
        assert "4096" in error["message"]
        # Small as it is sent, larger as it would be kept.
        larger = PLAIN | {"weights": [PLAIN["weights"]] * 40}
        assert len(json.dumps(larger)) < 4096
        error_of(server.client.post(URL, json=larger), 413, "body_too_large")
        assert server.client.get("/version").json()["limits"]["trace_bytes"] == 4096


@given(
    content=st.binary(max_size=40)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["source", "target", "weights", "schema"]), inner)
        ),
    ).map(lambda value: json.dumps(value).encode())
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_body_breaks_the_server(client: httpx.Client, content: bytes) -> None:
    for media in ("application/json", "application/x-npz"):
        answer = client.post(URL, content=content, headers={"Content-Type": media})
        assert answer.status_code == 201 or 400 <= answer.status_code < 500, answer.text


# --- the store behind it ----------------------------------------------------------------------


def test_a_full_store_is_reported(served: Callable, tmp_path: Path) -> None:
    with served(store=tmp_path / "full", max_store_bytes=30_000, preload="none") as server:
        save(server.client)
        large = translated(server.client, detail="full")
        error_of(server.client.post(URL, json=large), 507, "store_full")


def test_a_server_with_saving_disabled_offers_no_button(served: Callable, tmp_path: Path) -> None:
    with served(store=tmp_path, max_store_bytes=0, preload="none") as server:
        error_of(server.client.post(URL, json=PLAIN), 507, "store_full")
        assert not list(tmp_path.iterdir())
        assert 'id="keep" class="keep" hidden' in server.client.get("/").text


def test_a_read_only_folder_stops_saving_alone(served: Callable, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with served(store=tmp_path / "file" / "store", preload="none") as server:
        answer = server.client.post(URL, json=PLAIN)
        error_of(answer, 503, "store_unavailable")
        assert answer.headers["retry-after"]
        error_of(server.client.get(f"{URL}/{NOBODYS}"), 404, "unknown_trace")
        assert translated(server.client)["text"] == "1979-05-03"


def test_the_store_is_created_by_the_first_save(served: Callable, tmp_path: Path) -> None:
    with served(store=tmp_path / "deep" / "store", preload="none") as server:
        assert server.client.get("/").status_code == 200
        error_of(server.client.get(f"{URL}/{NOBODYS}"), 404, "unknown_trace")
        assert not (tmp_path / "deep").exists()
        save(server.client)
        assert (tmp_path / "deep" / "store" / FILE).exists()


def test_saved_traces_survive_a_restart(served: Callable, tmp_path: Path) -> None:
    with served(store=tmp_path, preload="none") as server:
        identity = save(server.client)["id"]
    with served(store=tmp_path, preload="none") as server:
        assert server.client.get(f"{URL}/{identity}").status_code == 200


def test_a_damaged_trace_is_an_error(served: Callable, tmp_path: Path) -> None:
    with served(store=tmp_path, preload="none") as server:
        damaged, other = save(server.client), save(server.client)
        with sqlite3.connect(tmp_path / FILE) as connection:
            change = "UPDATE traces SET content = x'1f8b00' WHERE id = ?"
            connection.execute(change, (damaged["id"],))
        connection.close()
        error_of(server.client.get(f"{URL}/{damaged['id']}"), 500, "trace_unreadable")
        assert server.client.get(f"{URL}/{other['id']}").status_code == 200


def test_a_trace_that_a_class_opens_is_validated_once(
    served: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    validated = []

    def note(content: bytes) -> Any:
        validated.append(content)
        return load_saved(content)

    monkeypatch.setattr(saved_module, "load_saved", note)
    with served(store=tmp_path, preload="none") as server:
        kept = save(server.client)
        paths = [kept["url"], kept["embed"], f"{URL}/{kept['id']}"] * 2
        answers = [server.client.get(path) for path in paths]
    assert {answer.status_code for answer in answers} == {200}
    assert answers[0].content == answers[3].content
    assert len(validated) == 1


def test_a_trace_for_which_there_is_no_memory_is_not_called_damaged(
    served: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_size: int) -> AbstractContextManager[None]:
        raise ServiceUnavailable("There is no memory left.")

    with served(store=tmp_path, preload="none") as server:
        address = f"{URL}/{save(server.client)['id']}"
        with monkeypatch.context() as patch:
            patch.setattr(server.app.state.service.saved, "_admit", refuse)
            error_of(server.client.get(address), 503, "overloaded")
        assert server.client.get(address).status_code == 200


def test_a_trace_is_unpacked_for_a_client_without_gzip(client: httpx.Client) -> None:
    address = f"{URL}/{save(client)['id']}"
    plain, packed, again = (
        client.get(address, headers={"Accept-Encoding": coding})
        for coding in ("identity", "gzip", "identity")
    )
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert plain.content == packed.content == again.content


def test_the_receipt_has_the_time_of_expiry(served: Callable, tmp_path: Path) -> None:
    now = 1_000_000_000.0
    with served(store=tmp_path, keep_days=30, preload="none") as server:
        store = server.app.state.service.saved._store
        store._now = lambda: now
        made = save(server.client)
        assert made["expires"] == "2001-10-09T01:46:40Z"
        assert server.client.get("/version").json()["limits"]["keep_days"] == 30
        now += 30 * 24 * 3600
        error_of(server.client.get(f"{URL}/{made['id']}"), 404, "unknown_trace")
        assert server.client.get(made["url"], headers=HTML).status_code == 404


def test_saving_beyond_the_queue_is_refused(
    served: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, came = Event(), Event()
    inner = saved_module.import_json

    def held(body: bytes, limit: int) -> bytes:
        came.set()
        assert go.wait(20)
        return inner(body, limit)

    monkeypatch.setattr(saved_module, "import_json", held)
    with served(preload="none") as server, ThreadPoolExecutor(MAX_WAITING) as pool:
        saved = server.app.state.service.saved
        calls = [pool.submit(save, server.client) for _ in range(MAX_WAITING)]
        assert came.wait(20)
        while saved._waiting < MAX_WAITING:
            pass
        try:
            answer = server.client.post(URL, json=PLAIN)
        finally:
            go.set()
        error_of(answer, 503, "overloaded")
        assert answer.headers["retry-after"]
        assert all(call.result()["id"] for call in calls)


def test_reading_beyond_the_queue_is_refused(served: Callable) -> None:
    with served(preload="none") as server:
        made, saved = save(server.client), server.app.state.service.saved
        saved._loading = MAX_LOADING
        error_of(server.client.get(f"{URL}/{made['id']}"), 503, "overloaded")
        error_of(server.client.get(made["url"]), 503, "overloaded")
        saved._loading = MAX_LOADING - 1
        for _ in range(2):
            assert server.client.get(f"{URL}/{made['id']}").status_code == 200


def test_expired_traces_are_deleted(
    served: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [20, 20, 3, 0]
    given: list[float] = []

    def purge(self: SQLiteStore) -> int:
        if len(left) == 1:
            return left[0]
        return left.pop(0)

    async def sleep(seconds: float) -> None:
        given.append(seconds)
        if seconds:
            raise ServiceError("shutting_down", "The test has seen enough.")

    monkeypatch.setattr(SQLiteStore, "purge", purge)
    # Not in asyncio itself: other servers of this process sleep as well.
    slept = SimpleNamespace(sleep=sleep, get_running_loop=asyncio.get_running_loop)
    monkeypatch.setattr(saved_module, "asyncio", slept)
    store = SQLiteStore(tmp_path, max_bytes=1)
    with pytest.raises(ServiceError):
        asyncio.run(saved_module.SavedTraces(store, 1, WorkBudget(10**6).parsed).purge())
    assert given == [0, 0, 0, saved_module.PURGE_SECONDS]


def test_a_trace_that_waits_too_long_in_line_is_refused(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_module, "MAX_SECONDS", -1.0)
    body = {"source": ["a"], "target": ["b"], "weights": [[1]]}
    answer = client.post("/api/v1/traces", json=body)
    error_of(answer, 503, "overloaded")
    assert answer.headers["retry-after"]


# --- pages ------------------------------------------------------------------------------------


@pytest.fixture
def kept(client: httpx.Client) -> Iterator[dict[str, Any]]:
    made = save(client, translated(client))
    yield made
    client.delete(f"{URL}/{made['id']}", headers=bearer(made["key"]))


def policy(answer: httpx.Response) -> dict[str, str]:
    rules = answer.headers["content-security-policy"].split("; ")
    return dict(rule.split(" ", 1) for rule in rules)


def test_only_the_embedded_page_may_be_framed(client: httpx.Client, kept: dict[str, Any]) -> None:
    embedded = client.get(kept["embed"], headers=HTML)
    assert embedded.status_code == 200
    assert "frame-ancestors" not in policy(embedded)
    assert "x-frame-options" not in embedded.headers
    for path in ("/", "/docs", kept["url"], f"{URL}/{kept['id']}", "/embed", f"/t/{NOBODYS}"):
        assert policy(client.get(path, headers=HTML))["frame-ancestors"] == "'self'"
    assert {**policy(client.get("/")), "frame-ancestors": ""} == {
        **policy(embedded),
        "frame-ancestors": "",
    }, "but for that it is guarded as all pages are"


def test_the_page_of_a_saved_trace(client: httpx.Client, kept: dict[str, Any]) -> None:
    page = client.get(f"{kept['url']}?view=lines", headers=HTML)
    assert page.status_code == 200
    assert page.headers["x-robots-tag"] == "noindex"
    assert "<body data-embedded" not in page.text


def test_the_embedded_page_takes_its_theme_from_the_address(
    client: httpx.Client, kept: dict[str, Any]
) -> None:
    def theme(wished: str) -> str | None:
        html = client.get(f"{kept['embed']}?theme={wished}", headers=HTML).text
        found = re.search(r'<html lang="en"(?: data-theme="(\w+)")?>', html)
        assert found
        return found[1]

    assert [theme(wish) for wish in ("dark", "light", "", "pink", '">')] == [
        *("dark", "light", None, None, None)
    ]
    assert "data-theme" not in client.get(f"{kept['url']}?theme=dark", headers=HTML).text


@pytest.mark.parametrize("path", ["t", "embed"])
def test_an_unknown_trace_is_an_error_page(client: httpx.Client, path: str) -> None:
    page = client.get(f"/{path}/{NOBODYS}", headers=HTML)
    assert page.status_code == 404
    assert "There is no saved trace here." in page.text
    assert 'class="lost"' in page.text
    assert ("data-embedded" in page.text) is (path == "embed")


def test_a_saved_trace_of_another_user_is_shown_as_text(
    client: httpx.Client, server: Running
) -> None:
    evil = "</script><script>alert(1)</script>"
    made = save(client, {"source": [evil], "target": [evil], "weights": [[1]]})
    for path in (made["url"], made["embed"]):
        assert evil not in client.get(path, headers=HTML).text
