"""The promises of the store, kept by both databases."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest

from heed.app.errors import RequestError, ServiceError
from heed.app.traces.postgresql_store import PostgreSQLStore
from heed.app.traces.sqlite_store import SQLiteStore
from heed.app.traces.store import PURGED_AT_ONCE, Store
from tests.app.traces.promises import NOON, ROOM, Clock, absent, refused
from tests.conftest import SECONDS
from tests.postgresql import PostgreSQL

DAY = 24 * 3600.0


class Database:
    """An empty database, which stores are opened in."""

    def __init__(self, place: Path | str) -> None:
        self.place = place
        self._opened: list[Store] = []

    def open(self, max_bytes: int = ROOM, **options: Any) -> Store:
        kind: Any = SQLiteStore
        if isinstance(self.place, str):
            kind, options = PostgreSQLStore, {"answer_seconds": SECONDS, **options}
        store: Store = kind(self.place, max_bytes=max_bytes, **options)
        self._opened.append(store)
        return store

    def close(self) -> None:
        for store in self._opened:
            store.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    place: Path | str = tmp_path / "kept"
    if request.param == "postgresql":
        server: PostgreSQL = request.getfixturevalue("postgresql_server")
        place = server.new_database()
    database = Database(place)
    yield database
    database.close()


@pytest.fixture
def store(database: Database, clock: Clock) -> Store:
    return database.open(now=clock)


def noise(size: int, seed: int) -> bytes:
    return Random(seed).randbytes(size)


def test_a_saved_trace_is_loaded_byte_by_byte(store: Store) -> None:
    content = '{"text": "où"}'.encode() * 1000
    saved = store.load(store.save(content).id)
    assert saved.content() == content
    assert len(saved.packed) < len(content) / 10


def test_ids_and_keys_cannot_be_guessed(store: Store) -> None:
    receipts = [store.save(b"{}") for _ in range(50)]
    assert len({receipt.id for receipt in receipts}) == len({one.key for one in receipts}) == 50
    assert all(one.id.isalnum() and len(one.id) == 22 for one in receipts)  # 62**22 > 2**128
    assert all(len(one.key) >= 43 for one in receipts)


def test_only_its_key_deletes_a_trace(store: Store) -> None:
    mine, other = store.save(b"mine"), store.save(b"other")
    for key in (other.key, "", mine.id):
        with pytest.raises(RequestError) as error:
            store.delete(mine.id, key)
        assert refused(error) == ("wrong_key", 403)
    store.delete(mine.id, mine.key)
    absent(store, mine.id)
    assert store.load(other.id).content() == b"other"


def test_traces_do_not_expire_by_default(store: Store, clock: Clock) -> None:
    receipt = store.save(b"{}")
    clock.now += 100_000 * DAY
    assert receipt.expires is None
    assert store.load(receipt.id)


def test_an_expired_trace_is_not_loaded(database: Database, clock: Clock) -> None:
    store = database.open(keep_days=2, now=clock)
    receipt = store.save(b"{}")
    assert receipt.expires == NOON + 2 * DAY
    clock.now += 2 * DAY - 1
    assert store.load(receipt.id)
    clock.now += 1
    absent(store, receipt.id)


def test_a_changed_retention_applies_to_new_traces(database: Database, clock: Clock) -> None:
    long = database.open(keep_days=10, now=clock).save(b"{}")
    later = database.open(keep_days=1, now=clock)
    short = later.save(b"{}")
    clock.now += 5 * DAY
    absent(later, short.id)
    assert later.load(long.id)


def test_expired_traces_are_purged_a_few_at_a_time(database: Database, clock: Clock) -> None:
    store = database.open(keep_days=1, now=clock)
    for _ in range(PURGED_AT_ONCE + 3):
        store.save(b"{}")
    clock.now += DAY
    fresh = store.save(b"fresh")  # also purges the first few
    assert store.usage().traces == 4
    assert [store.purge(), store.purge()] == [3, 0]
    assert store.load(fresh.id).content() == b"fresh"


def test_deletion_and_expiry_free_space(database: Database, clock: Clock) -> None:
    store = database.open(keep_days=1, max_bytes=150_000, now=clock)
    for seed in range(3):
        last = store.save(noise(30_000, seed))
    with pytest.raises(ServiceError):
        store.save(noise(60_000, 9))
    store.delete(last.id, last.key)
    clock.now += DAY
    assert store.load(store.save(noise(60_000, 9)).id).content() == noise(60_000, 9)


def test_a_store_with_saving_disabled_still_loads(database: Database) -> None:
    identity = database.open().save(b"before").id
    closed = database.open(max_bytes=0)
    with pytest.raises(ServiceError, match="does not save traces") as error:
        closed.save(b"{}")
    assert refused(error) == ("store_full", 507)
    assert closed.load(identity).content() == b"before"


def test_threads_save_load_and_delete_at_once(store: Store) -> None:
    def live(number: int) -> None:
        content = str(number).encode() * 500
        receipt = store.save(content)
        assert store.load(receipt.id).content() == content
        if number % 2:
            store.delete(receipt.id, receipt.key)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(live, range(80)))
    assert store.usage().traces == 40


def test_two_stores_share_one_database(database: Database) -> None:
    stores = [database.open() for _ in range(2)]
    with ThreadPoolExecutor(4) as pool:
        receipts = list(pool.map(lambda i: stores[i % 2].save(str(i).encode()), range(40)))
    for i, receipt in enumerate(receipts):
        assert stores[(i + 1) % 2].load(receipt.id).content() == str(i).encode()
    for store in stores:
        store.close()


def test_an_identity_that_no_trace_can_have_is_unknown(store: Store) -> None:
    store.save(b"{}")
    for identity in ("", "\0", "é", "a" * 1000, "' OR 1=1 --"):
        absent(store, identity)


def test_the_quota_is_kept_by_stores_that_save_at_once(database: Database) -> None:
    stores = [database.open(max_bytes=400_000) for _ in range(4)]

    def save(number: int) -> str:
        try:
            return stores[number % 4].save(noise(30_000, number)).id
        except ServiceError as error:
            return error.code

    with ThreadPoolExecutor(4) as pool:
        kept = [found for found in pool.map(save, range(40)) if found != "store_full"]
    assert 8 <= len(kept) <= 13
    assert stores[0].usage().traces == len(kept)
    assert stores[0].usage().bytes <= 400_000
    assert all(stores[1].load(identity) for identity in kept)


ENDLESS = """
import sys
from pathlib import Path
from heed.app.traces.postgresql_store import PostgreSQLStore
from heed.app.traces.sqlite_store import SQLiteStore
place = sys.argv[1]
kind, place = (PostgreSQLStore, place) if "://" in place else (SQLiteStore, Path(place))
store = kind(place, max_bytes=1 << 30)
while True:
    print(store.save(b"kept " * 5000).id, flush=True)
"""


def test_a_killed_process_loses_no_acknowledged_trace(database: Database) -> None:
    command = [sys.executable, "-c", ENDLESS, str(database.place)]
    root = Path(__file__).parents[3]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as writer:
        assert writer.stdout
        acknowledged = [writer.stdout.readline().strip() for _ in range(40)]
        writer.kill()
        acknowledged += writer.stdout.read().split("\n")[:-1]  # the last line may be cut off
    store = database.open(max_bytes=1 << 30)
    for identity in acknowledged:
        assert store.load(identity).content() == b"kept " * 5000
    assert store.usage().traces >= len(acknowledged)
    assert store.save(b"and goes on")
