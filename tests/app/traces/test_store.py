from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from heed.app.cli import main
from heed.app.errors import HeedError, RequestError, ServiceError
from heed.app.traces import database
from heed.app.traces.database import copy_database
from heed.app.traces.store import FILE, PURGED_AT_ONCE, Store

DAY = 24 * 3600.0
ROOM = 8 * 1024 * 1024
NOON = 1_000_000_000.0


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    store = Store(tmp_path / "kept", max_bytes=ROOM, now=clock)
    yield store
    store.close()


def refused(error: pytest.ExceptionInfo[HeedError]) -> tuple[str, int]:
    return error.value.code, error.value.status


def absent(store: Store, identity: str) -> None:
    for ask in (store.load, lambda one: store.delete(one, "key")):
        with pytest.raises(RequestError) as error:
            ask(identity)
        assert refused(error) == ("unknown_trace", 404)


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


def test_keys_are_not_stored_in_plain(store: Store, tmp_path: Path) -> None:
    receipt = store.save(b"{}")
    store.close()
    written = b"".join(path.read_bytes() for path in (tmp_path / "kept").iterdir())
    assert receipt.id.encode() in written
    assert receipt.key.encode() not in written


def test_only_its_key_deletes_a_trace(store: Store) -> None:
    mine, other = store.save(b"mine"), store.save(b"other")
    for key in (other.key, "", mine.id, "\ud800"):
        with pytest.raises(RequestError) as error:
            store.delete(mine.id, key)
        assert refused(error) == ("wrong_key", 403)
    store.delete(mine.id, mine.key)
    absent(store, mine.id)
    assert store.load(other.id).content() == b"other"


def test_a_deleted_trace_is_erased_from_the_disk(store: Store, tmp_path: Path) -> None:
    words = bytes(range(256)) * 40  # too varied to be compressed
    receipt = store.save(words)
    packed = store.load(receipt.id).packed
    store.delete(receipt.id, receipt.key)
    left = b"".join(path.read_bytes() for path in (tmp_path / "kept").iterdir())
    assert packed[20:60] not in left


def test_loading_creates_no_file(store: Store, tmp_path: Path) -> None:
    absent(store, "a" * 22)
    assert store.purge() == 0
    assert list(tmp_path.iterdir()) == []


def test_a_trace_survives_its_store(tmp_path: Path) -> None:
    first = Store(tmp_path, max_bytes=ROOM)
    identity = first.save(b"here").id
    first.close()
    assert first.load(identity).content() == b"here", "it is opened again when it is needed"
    assert Store(tmp_path, max_bytes=ROOM).load(identity).content() == b"here"


# --- time -------------------------------------------------------------------------------------


def test_traces_do_not_expire_by_default(store: Store, clock: Clock) -> None:
    receipt = store.save(b"{}")
    clock.now += 100_000 * DAY
    assert receipt.expires is None
    assert store.load(receipt.id)


def test_an_expired_trace_is_not_loaded(tmp_path: Path, clock: Clock) -> None:
    store = Store(tmp_path, keep_days=2, max_bytes=ROOM, now=clock)
    receipt = store.save(b"{}")
    assert receipt.expires == NOON + 2 * DAY
    clock.now += 2 * DAY - 1
    assert store.load(receipt.id)
    clock.now += 1
    absent(store, receipt.id)


def test_a_changed_retention_applies_to_new_traces(tmp_path: Path, clock: Clock) -> None:
    long = Store(tmp_path, keep_days=10, max_bytes=ROOM, now=clock).save(b"{}")
    later = Store(tmp_path, keep_days=1, max_bytes=ROOM, now=clock)
    short = later.save(b"{}")
    clock.now += 5 * DAY
    absent(later, short.id)
    assert later.load(long.id)


def test_expired_traces_are_purged_a_few_at_a_time(tmp_path: Path, clock: Clock) -> None:
    store = Store(tmp_path, keep_days=1, max_bytes=ROOM, now=clock)
    for _ in range(PURGED_AT_ONCE + 3):
        store.save(b"{}")
    clock.now += DAY
    fresh = store.save(b"fresh")  # also purges the first few
    assert count(tmp_path) == 4
    assert [store.purge(), store.purge()] == [3, 0]
    assert store.load(fresh.id).content() == b"fresh"


def count(folder: Path) -> int:
    with sqlite3.connect(folder / FILE) as connection:
        rows: int = connection.execute("SELECT count(*) FROM traces").fetchone()[0]
    connection.close()
    return rows


# --- room -------------------------------------------------------------------------------------


def noise(size: int, seed: int) -> bytes:
    return random.Random(seed).randbytes(size)


def test_a_full_store_refuses_traces_and_keeps_the_saved_ones(tmp_path: Path) -> None:
    store = Store(tmp_path, max_bytes=200_000)
    kept: list[str] = []
    seeds = range(100)
    with pytest.raises(ServiceError, match="200000 bytes") as error:
        kept.extend(store.save(noise(30_000, seed)).id for seed in seeds)
    assert refused(error) == ("store_full", 507)
    assert 3 <= len(kept) <= 6
    assert [store.load(one).content() for one in kept] == [
        noise(30_000, i) for i in range(len(kept))
    ]
    store.close()
    assert (tmp_path / FILE).stat().st_size <= 200_000


def test_deletion_and_expiry_free_space(tmp_path: Path, clock: Clock) -> None:
    store = Store(tmp_path, keep_days=1, max_bytes=150_000, now=clock)
    for seed in range(3):
        last = store.save(noise(30_000, seed))
    with pytest.raises(ServiceError):
        store.save(noise(60_000, 9))
    store.delete(last.id, last.key)
    clock.now += DAY
    assert store.load(store.save(noise(60_000, 9)).id).content() == noise(60_000, 9)


def test_a_store_with_saving_disabled_still_loads(tmp_path: Path) -> None:
    identity = Store(tmp_path, max_bytes=ROOM).save(b"before").id
    closed = Store(tmp_path, max_bytes=0)
    with pytest.raises(ServiceError, match="does not save traces") as error:
        closed.save(b"{}")
    assert refused(error) == ("store_full", 507)
    assert closed.load(identity).content() == b"before"


def test_a_full_disk_refuses_traces_and_loses_none(store: Store) -> None:
    receipt = store.save(b"before")
    connection = store._connection
    assert connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")  # SQLite then reports a full disk
    with pytest.raises(ServiceError, match="disk of the server is full") as error:
        store.save(noise(100_000, 1))
    assert refused(error) == ("store_full", 507)
    assert store.load(receipt.id).content() == b"before"
    assert store.save(noise(100_000, 1)), "room again, without a new start"


# --- files and folders ------------------------------------------------------------------------


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = Store(tmp_path / "file" / "kept", max_bytes=ROOM)
    absent(store, "a" * 22)
    with pytest.raises(ServiceError) as error:
        store.save(b"{}")
    assert refused(error) == ("store_unavailable", 503)
    assert error.value.headers["Retry-After"]
    (tmp_path / "file").unlink()
    assert store.save(b"{}"), "once it can be made, all is well"


def test_a_file_that_cannot_be_written_is_reported_and_still_read(store: Store) -> None:
    receipt = store.save(b"before")
    connection = store._connection
    assert connection
    connection.execute("PRAGMA query_only = ON")
    with pytest.raises(ServiceError) as error:
        store.save(b"{}")
    assert refused(error) == ("store_unavailable", 503)
    assert store.load(receipt.id).content() == b"before"


@contextmanager
def unwritable(folder: Path) -> Iterator[None]:
    """Make the folder and its files read-only, as on a read-only disk."""
    for path in (folder, *folder.iterdir()):
        path.chmod(0o555 if path.is_dir() else 0o444)
    was = os.geteuid()
    if not was:  # root may write everywhere
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(was)
        folder.chmod(0o755)
        for path in folder.iterdir():
            path.chmod(0o644)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that other users may open."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_traces_on_a_read_only_disk_are_loaded(folder: Path) -> None:
    store = Store(folder, max_bytes=ROOM)
    receipt = store.save(b"before")
    store.close()  # this removes the write-ahead log
    with unwritable(folder):
        for _ in range(2):
            assert store.load(receipt.id).content() == b"before"
            for call in (lambda: store.save(b"{}"), lambda: store.delete(receipt.id, receipt.key)):
                with pytest.raises(ServiceError) as error:
                    call()
                assert refused(error) == ("store_unavailable", 503)
        assert store.usage().traces == 1
    assert store.load(store.save(b"after").id).content() == b"after", "once it can be written"
    store.close()


def test_the_write_ahead_log_of_a_read_only_disk_is_read_too(folder: Path) -> None:
    store = Store(folder, max_bytes=ROOM)
    receipt = store.save(b"in the log")
    other = Store(folder, max_bytes=ROOM)
    with unwritable(folder):
        assert other.load(receipt.id).content() == b"in the log"
    store.close()
    other.close()


# --- copies -----------------------------------------------------------------------------------


def test_a_backup_of_a_store_in_use_has_all_traces(store: Store, tmp_path: Path) -> None:
    receipts = [store.save(noise(1000, number)) for number in range(20)]
    assert copy_database(store._path, tmp_path / "copy") == 20
    (tmp_path / "other").mkdir()
    (tmp_path / "copy").rename(tmp_path / "other" / FILE)
    other = Store(tmp_path / "other", max_bytes=ROOM)
    for number, receipt in enumerate(receipts):
        assert other.load(receipt.id).content() == noise(1000, number)
    other.delete(receipts[0].id, receipts[0].key)
    other.close()


def test_backups_are_made_during_saves(store: Store, tmp_path: Path) -> None:
    store.save(b"first")
    with ThreadPoolExecutor(1) as pool:
        saving = pool.submit(lambda: [store.save(noise(10_000, number)) for number in range(50)])
        counts = [copy_database(store._path, tmp_path / f"copy{number}") for number in range(5)]
        saving.result()
    assert counts == sorted(counts)
    assert not list(tmp_path.glob("*.part"))


def test_the_backup_command_never_overwrites_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HEED_STORE", str(tmp_path / "kept"))
    copy = tmp_path / "copy.sqlite3"
    assert main(["backup", str(copy)]) == 1
    assert "There are no saved traces" in capsys.readouterr().err
    store = Store(tmp_path / "kept", max_bytes=ROOM)
    store.save(b"{}")
    store.close()
    assert main(["backup", str(copy)]) == 0
    assert capsys.readouterr().out.startswith("Saved traces copied: 1. ")
    assert main(["backup", str(copy)]) == 1
    assert main(["backup", str(tmp_path / "no" / "folder")]) == 1


def test_a_file_that_is_not_a_store_is_unchanged(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"another file" * 100)
    store = Store(tmp_path, max_bytes=ROOM)
    for call in (lambda: store.save(b"{}"), lambda: store.load("a" * 22), store.purge):
        with pytest.raises(ServiceError) as error:
            call()
        assert refused(error) == ("store_unavailable", 503)
    assert (tmp_path / FILE).read_bytes() == b"another file" * 100


def test_an_older_file_is_migrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = Store(tmp_path, max_bytes=ROOM)
    identity = old.save(b"old").id
    old.close()
    more = ("ALTER TABLE traces ADD COLUMN seen INTEGER NOT NULL DEFAULT 7",)
    with monkeypatch.context() as newer:
        newer.setattr(database, "MIGRATIONS", (*database.MIGRATIONS, more))
        new = Store(tmp_path, max_bytes=ROOM)
        assert new.load(identity).content() == b"old"
        new.close()
    with sqlite3.connect(tmp_path / FILE) as connection:
        assert connection.execute("SELECT seen FROM traces").fetchone() == (7,)
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
    connection.close()
    with pytest.raises(ServiceError) as error:  # a file of a newer program is not changed
        Store(tmp_path, max_bytes=ROOM).load(identity)
    assert refused(error) == ("store_unavailable", 503)


def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = Store(tmp_path, max_bytes=ROOM)
    identity = old.save(b"old").id
    old.close()
    broken = ("ALTER TABLE traces ADD COLUMN seen INTEGER", "no SQL at all")
    with monkeypatch.context() as newer:
        newer.setattr(database, "MIGRATIONS", (*database.MIGRATIONS, broken))
        with pytest.raises(ServiceError):
            Store(tmp_path, max_bytes=ROOM).load(identity)
    assert Store(tmp_path, max_bytes=ROOM).load(identity).content() == b"old"


# --- concurrency and killed processes -----------------------------------------------------------


def test_threads_save_load_and_delete_at_once(store: Store) -> None:
    def live(number: int) -> None:
        content = str(number).encode() * 500
        receipt = store.save(content)
        assert store.load(receipt.id).content() == content
        if number % 2:
            store.delete(receipt.id, receipt.key)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(live, range(80)))
    store.close()
    assert count(store._path.parent) == 40


def test_two_stores_share_one_file(tmp_path: Path) -> None:
    stores = [Store(tmp_path, max_bytes=ROOM) for _ in range(2)]
    with ThreadPoolExecutor(4) as pool:
        receipts = list(pool.map(lambda i: stores[i % 2].save(str(i).encode()), range(40)))
    for i, receipt in enumerate(receipts):
        assert stores[(i + 1) % 2].load(receipt.id).content() == str(i).encode()
    for store in stores:
        store.close()


ENDLESS = """
import sys
from pathlib import Path
from heed.app.traces.store import Store
store = Store(Path(sys.argv[1]), max_bytes=1 << 30)
while True:
    print(store.save(b"kept " * 5000).id, flush=True)
"""


def test_a_killed_process_loses_no_acknowledged_trace(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ENDLESS, str(tmp_path)]
    root = Path(__file__).parents[3]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as writer:
        assert writer.stdout
        acknowledged = [writer.stdout.readline().strip() for _ in range(40)]
        writer.kill()
        acknowledged += writer.stdout.read().split("\n")[:-1]  # the last line may be cut off
    store = Store(tmp_path, max_bytes=1 << 30)
    for identity in acknowledged:
        assert store.load(identity).content() == b"kept " * 5000
    assert store.save(b"and goes on")
    store.close()
