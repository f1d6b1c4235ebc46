from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from heed.app.cli import main
from heed.app.errors import ServiceError
from heed.app.traces import database
from heed.app.traces.database import copy_database
from heed.app.traces.sqlite_store import FILE, SQLiteStore
from tests.app.traces.promises import ROOM, Clock, absent, refused


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[SQLiteStore]:
    store = SQLiteStore(tmp_path / "kept", max_bytes=ROOM, now=clock)
    yield store
    store.close()


def test_keys_are_not_stored_in_plain(store: SQLiteStore, tmp_path: Path) -> None:
    receipt = store.save(b"{}")
    store.close()
    written = b"".join(path.read_bytes() for path in (tmp_path / "kept").iterdir())
    assert receipt.id.encode() in written
    assert receipt.key.encode() not in written


def test_a_deleted_trace_is_erased_from_the_disk(store: SQLiteStore, tmp_path: Path) -> None:
    words = bytes(range(256)) * 40  # too varied to be compressed
    receipt = store.save(words)
    packed = store.load(receipt.id).packed
    store.delete(receipt.id, receipt.key)
    left = b"".join(path.read_bytes() for path in (tmp_path / "kept").iterdir())
    assert packed[20:60] not in left


def test_loading_creates_no_file(store: SQLiteStore, tmp_path: Path) -> None:
    absent(store, "a" * 22)
    assert store.purge() == 0
    assert list(tmp_path.iterdir()) == []


def test_a_trace_survives_its_store(tmp_path: Path) -> None:
    first = SQLiteStore(tmp_path, max_bytes=ROOM)
    identity = first.save(b"here").id
    first.close()
    assert first.load(identity).content() == b"here", "it is opened again when it is needed"
    assert SQLiteStore(tmp_path, max_bytes=ROOM).load(identity).content() == b"here"


# --- room -------------------------------------------------------------------------------------


def noise(size: int, seed: int) -> bytes:
    return random.Random(seed).randbytes(size)


def test_a_full_store_refuses_traces_and_keeps_the_saved_ones(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path, max_bytes=200_000)
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


def test_a_full_disk_refuses_traces_and_loses_none(store: SQLiteStore) -> None:
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
    store = SQLiteStore(tmp_path / "file" / "kept", max_bytes=ROOM)
    absent(store, "a" * 22)
    with pytest.raises(ServiceError) as error:
        store.save(b"{}")
    assert refused(error) == ("store_unavailable", 503)
    assert error.value.headers["Retry-After"]
    (tmp_path / "file").unlink()
    assert store.save(b"{}"), "once it can be made, all is well"


def test_a_file_that_cannot_be_written_is_reported_and_still_read(store: SQLiteStore) -> None:
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
    store = SQLiteStore(folder, max_bytes=ROOM)
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
    store = SQLiteStore(folder, max_bytes=ROOM)
    receipt = store.save(b"in the log")
    other = SQLiteStore(folder, max_bytes=ROOM)
    with unwritable(folder):
        assert other.load(receipt.id).content() == b"in the log"
    store.close()
    other.close()


# --- copies -----------------------------------------------------------------------------------


def test_a_backup_of_a_store_in_use_has_all_traces(store: SQLiteStore, tmp_path: Path) -> None:
    receipts = [store.save(noise(1000, number)) for number in range(20)]
    assert copy_database(store._path, tmp_path / "copy") == 20
    (tmp_path / "other").mkdir()
    (tmp_path / "copy").rename(tmp_path / "other" / FILE)
    other = SQLiteStore(tmp_path / "other", max_bytes=ROOM)
    for number, receipt in enumerate(receipts):
        assert other.load(receipt.id).content() == noise(1000, number)
    other.delete(receipts[0].id, receipts[0].key)
    other.close()


def test_backups_are_made_during_saves(store: SQLiteStore, tmp_path: Path) -> None:
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
    store = SQLiteStore(tmp_path / "kept", max_bytes=ROOM)
    store.save(b"{}")
    store.close()
    assert main(["backup", str(copy)]) == 0
    assert capsys.readouterr().out.startswith("Saved traces copied: 1. ")
    assert main(["backup", str(copy)]) == 1
    assert main(["backup", str(tmp_path / "no" / "folder")]) == 1


def test_a_file_that_is_not_a_store_is_unchanged(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"another file" * 100)
    store = SQLiteStore(tmp_path, max_bytes=ROOM)
    for call in (lambda: store.save(b"{}"), lambda: store.load("a" * 22), store.purge):
        with pytest.raises(ServiceError) as error:
            call()
        assert refused(error) == ("store_unavailable", 503)
    assert (tmp_path / FILE).read_bytes() == b"another file" * 100


def test_an_older_file_is_migrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = SQLiteStore(tmp_path, max_bytes=ROOM)
    identity = old.save(b"old").id
    old.close()
    more = ("ALTER TABLE traces ADD COLUMN seen INTEGER NOT NULL DEFAULT 7",)
    with monkeypatch.context() as newer:
        newer.setattr(database, "MIGRATIONS", (*database.MIGRATIONS, more))
        new = SQLiteStore(tmp_path, max_bytes=ROOM)
        assert new.load(identity).content() == b"old"
        new.close()
    with sqlite3.connect(tmp_path / FILE) as connection:
        assert connection.execute("SELECT seen FROM traces").fetchone() == (7,)
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
    connection.close()
    with pytest.raises(ServiceError) as error:  # a file of a newer program is not changed
        SQLiteStore(tmp_path, max_bytes=ROOM).load(identity)
    assert refused(error) == ("store_unavailable", 503)


def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = SQLiteStore(tmp_path, max_bytes=ROOM)
    identity = old.save(b"old").id
    old.close()
    broken = ("ALTER TABLE traces ADD COLUMN seen INTEGER", "no SQL at all")
    with monkeypatch.context() as newer:
        newer.setattr(database, "MIGRATIONS", (*database.MIGRATIONS, broken))
        with pytest.raises(ServiceError):
            SQLiteStore(tmp_path, max_bytes=ROOM).load(identity)
    assert SQLiteStore(tmp_path, max_bytes=ROOM).load(identity).content() == b"old"
