"""PostgreSQL that restarts, stops or is gone, and what only this store does."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
from sqlalchemy import event, text

from heed.app.cli import main
from heed.app.errors import ServiceError, StartError
from heed.app.settings import Settings
from heed.app.traces import postgresql_store
from heed.app.traces.postgresql_store import PostgreSQLStore
from heed.app.traces.sqlite_store import FILE, SQLiteStore
from tests.app.traces.promises import ROOM
from tests.conftest import SECONDS, wait_for
from tests.postgresql import PostgreSQL

URL = "/api/v1/traces"
SOON = 0.5
"""Seconds for which a store waits for a server that does not answer."""


def opened(url: str, answer_seconds: float = SECONDS) -> PostgreSQLStore:
    return PostgreSQLStore(url, max_bytes=ROOM, answer_seconds=answer_seconds)


@contextmanager
def connections(store: PostgreSQLStore) -> Iterator[list[str]]:
    """List the attempts of a store to connect."""
    tried: list[str] = []

    def note(*_: object) -> None:
        tried.append("connect")

    event.listen(store._engine, "do_connect", note)
    try:
        yield tried
    finally:
        event.remove(store._engine, "do_connect", note)


@pytest.fixture
def url(postgresql_server: PostgreSQL) -> str:
    return postgresql_server.new_database()


@pytest.fixture
def store(url: str) -> Iterator[PostgreSQLStore]:
    store = opened(url)
    yield store
    store.close()


def available(store: PostgreSQLStore, identity: str) -> Callable[[], bool]:
    def ask() -> bool:
        try:
            return bool(store.load(identity))
        except ServiceError:
            return False

    return ask


def unavailable(store: PostgreSQLStore) -> None:
    with pytest.raises(ServiceError) as error:
        store.save(b"{}")
    assert (error.value.code, error.value.status) == ("store_unavailable", 503)
    assert error.value.headers["Retry-After"]


def test_servers_that_start_at_once_migrate_once(url: str) -> None:
    stores = [opened(url) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        receipts = list(pool.map(lambda store: store.save(b"{}"), stores))
    assert stores[0].usage().traces == 6
    assert all(stores[5].load(receipt.id) for receipt in receipts)
    for store in stores:
        store.close()


def test_an_older_database_is_migrated_and_a_newer_one_left_alone(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = opened(url)
    identity = old.save(b"old").id
    old.close()
    more = ("ALTER TABLE heed_traces ADD COLUMN seen integer NOT NULL DEFAULT 7",)
    with monkeypatch.context() as newer:
        newer.setattr(postgresql_store, "MIGRATIONS", (*postgresql_store.MIGRATIONS, more))
        new = opened(url)
        assert new.load(identity).content() == b"old"
        with new._engine.connect() as connection:
            assert connection.scalar(text("SELECT seen FROM heed_traces")) == 7
        new.close()
    again = opened(url)
    unavailable(again)
    again.close()


def test_a_restarted_server_is_used_again(
    postgresql_server: PostgreSQL, store: PostgreSQLStore
) -> None:
    identity = store.save(b"before").id
    postgresql_server.stop()
    postgresql_server.start()
    assert store.load(identity).content() == b"before", "at once, on a new connection"
    assert store.save(b"after")


def test_a_crashed_server_loses_no_acknowledged_trace(
    postgresql_server: PostgreSQL, store: PostgreSQLStore
) -> None:
    kept = [store.save(b"kept").id for _ in range(10)]
    postgresql_server.stop("immediate")
    try:
        unavailable(store)
        store._paused_until = math.inf
        with connections(store) as tried:
            unavailable(store)
        assert not tried, "refused at once"
        store._paused_until = 0.0
    finally:
        postgresql_server.start()
    wait_for(available(store, kept[0]), SECONDS)
    assert all(store.load(identity) for identity in kept)
    assert store.usage().traces == 10


def test_a_frozen_server_costs_a_call_a_few_seconds(
    postgresql_server: PostgreSQL, store: PostgreSQLStore
) -> None:
    identity = store.save(b"before").id
    store._answer_seconds = SOON
    with postgresql_server.frozen():
        unavailable(store)
    store._answer_seconds = SECONDS
    wait_for(available(store, identity), SECONDS)


def test_a_slow_statement_is_ended(url: str, store: PostgreSQLStore) -> None:
    identity = store.save(b"{}").id
    impatient = opened(url, SOON)
    with store._engine.connect() as connection, connection.begin():
        connection.execute(text("LOCK TABLE heed_usage"))
        unavailable(impatient)
    impatient.close()
    wait_for(available(store, identity), SECONDS)
    assert store.usage().traces == 1


def test_translating_goes_on_without_the_server(
    postgresql_server: PostgreSQL, served: Callable
) -> None:
    url = postgresql_server.new_database()
    with served(store=url, preload="none") as server:
        trace = server.client.post("/api/v1/translate", json={"text": "3 may 1979"}).json()
        saved = server.client.post(URL, json=trace)
        assert saved.status_code == 201
        postgresql_server.stop()
        try:
            for answer in (
                server.client.post(URL, json=trace),
                server.client.get(f"{URL}/{saved.json()['id']}"),
                server.client.get(saved.json()["url"]),
            ):
                assert answer.status_code == 503
                assert answer.headers["retry-after"]
            again = server.client.post("/api/v1/translate", json={"text": "3 may 1979"})
            assert again.json()["text"] == trace["text"]
            assert server.client.get("/readyz").status_code == 200
            assert "heed_saved_traces 0.0" in server.client.get("/metrics").text
        finally:
            postgresql_server.start()

        def read() -> httpx.Response:
            return server.client.get(f"{URL}/{saved.json()['id']}")

        wait_for(lambda: read().status_code == 200, SECONDS)
        assert read().json()["text"] == trace["text"]


def test_a_server_starts_without_its_database(served: Callable) -> None:
    with served(store="postgresql+psycopg://127.0.0.1:1/none", preload="none") as server:
        answer = server.client.post("/api/v1/translate", json={"text": "3 may 1979"})
        assert answer.json()["text"] == "1979-05-03"
        assert server.client.get(f"{URL}/{'a' * 22}").status_code == 503


def test_a_backup_is_a_file_that_a_server_can_serve(
    url: str,
    store: PostgreSQLStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    receipts = [store.save(str(number).encode()) for number in range(5)]
    monkeypatch.setenv("HEED_STORE", url)
    assert main(["backup", str(tmp_path / FILE)]) == 0
    assert capsys.readouterr().out.startswith("Saved traces copied: 5. ")
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    copy = SQLiteStore(tmp_path, max_bytes=ROOM)
    for number, receipt in enumerate(receipts):
        assert copy.load(receipt.id).content() == str(number).encode()
        copy.delete(receipt.id, receipt.key)
    copy.close()


def test_the_password_stands_in_no_message(monkeypatch: pytest.MonkeyPatch) -> None:
    for url in ("mysql://heed:secret@host/heed", "postgresql://heed:secret@host/heed"):
        with pytest.raises(StartError) as error:
            Settings.from_environment(store=url)
        assert "secret" not in str(error.value)
        assert "postgresql+psycopg://" in str(error.value)
    given = "postgresql+psycopg://heed:secret@host/heed"
    assert "secret" not in repr(Settings.from_environment(store=given))
    with pytest.raises(StartError, match="not a valid URL") as error:
        PostgreSQLStore("postgresql+psycopg://heed:secret@host:port/heed", max_bytes=1)
    assert "secret" not in str(error.value)
