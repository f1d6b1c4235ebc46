"""A full disk: no trace is saved or lost, and traces can be deleted to make room."""

from __future__ import annotations

import errno
import random
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from heed.app.cli import main
from heed.app.errors import ServiceError
from heed.app.traces.sqlite_store import RESERVE, SQLiteStore
from heed.app.traces.store import DAY, Receipt
from tests.app.traces.promises import Clock, refused

SIZE = 300_000
MOUNT = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs"]


class Disk:
    """A folder that can be filled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self) -> None:
        """Take all room that is left."""
        with suppress(OSError), (self.folder / "filler").open("wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))


class SimulatedDisk(Disk):
    """A folder in which SQLite can write nothing while the reserve is held."""

    full = False

    def fill(self) -> None:
        """Let writing fail."""
        self.full = True

    def connection(self, *given: object, **options: object) -> sqlite3.Connection:
        """Open a file as `sqlite3.connect` does."""
        disk = self

        class Connection(sqlite3.Connection):
            def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
                reserve = disk.folder / "kept" / RESERVE
                held = reserve.exists() and reserve.stat().st_size > 0
                if disk.full and sql == "COMMIT" and held:
                    error = sqlite3.OperationalError("database or disk is full")
                    error.sqlite_errorcode = sqlite3.SQLITE_FULL
                    raise error
                return super().execute(sql, *values)  # type: ignore[arg-type]

        return Connection(*given, **options)  # type: ignore[arg-type]


def can_mount() -> bool:
    """Return whether this user may mount a disk of a few megabytes."""
    return subprocess.run(["unshare", "-m", *MOUNT, "/mnt"], capture_output=True).returncode == 0


@pytest.fixture(params=["simulated", *(["real"] if can_mount() else [])])
def disk(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Disk]:
    """A disk of 8 MB, or a simulated one."""
    if request.param == "simulated":
        simulated = SimulatedDisk(tmp_path)
        monkeypatch.setattr(sqlite3, "connect", simulated.connection)
        yield simulated
        return
    subprocess.run([*MOUNT, str(tmp_path)], check=True)
    yield Disk(tmp_path)
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


@pytest.fixture
def store(disk: Disk, clock: Clock) -> Iterator[SQLiteStore]:
    """A store on the disk, whose traces expire after a day."""
    store = SQLiteStore(disk.folder / "kept", keep_days=1, max_bytes=10**9, now=clock)
    yield store
    store.close()


def noise(seed: int) -> bytes:
    return random.Random(seed).randbytes(SIZE)


def filled(store: SQLiteStore, disk: Disk) -> list[Receipt]:
    receipts = [store.save(noise(seed)) for seed in range(4)]
    disk.fill()
    return receipts


def test_a_trace_is_deleted_on_a_full_disk_and_its_room_is_used_again(
    store: SQLiteStore, disk: Disk
) -> None:
    receipts = filled(store, disk)
    with pytest.raises(ServiceError, match="disk of the server is full") as error:
        store.save(noise(9))
    assert refused(error) == ("store_full", 507)
    for receipt in receipts[:3]:
        store.delete(receipt.id, receipt.key)
    assert store.usage().traces == 1
    assert store.load(receipts[3].id).content() == noise(3)
    again = store.save(noise(9))
    assert store.load(again.id).content() == noise(9)


def test_traces_are_deleted_after_a_new_start_on_a_full_disk(
    store: SQLiteStore, disk: Disk
) -> None:
    receipts = filled(store, disk)
    store.close()
    for receipt in receipts:
        assert store.load(receipt.id)
        store.delete(receipt.id, receipt.key)
    assert store.usage().traces == 0


def test_expired_traces_are_purged_on_a_full_disk(
    store: SQLiteStore, disk: Disk, clock: Clock
) -> None:
    filled(store, disk)
    clock.now += 2 * DAY
    assert [store.purge() for _ in range(5)] == [1, 1, 1, 1, 0]


def test_a_deletion_leaves_the_reserve_for_the_next_one(store: SQLiteStore, disk: Disk) -> None:
    receipts = filled(store, disk)
    before = (disk.folder / "kept" / RESERVE).stat().st_size
    store.delete(receipts[0].id, receipts[0].key)
    assert (disk.folder / "kept" / RESERVE).stat().st_size == before > SIZE


def test_a_backup_that_finds_no_room_leaves_no_file(
    store: SQLiteStore,
    disk: Disk,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    filled(store, disk)
    monkeypatch.setattr("os.fsync", full)  # of the simulated disk
    monkeypatch.setenv("HEED_STORE", str(disk.folder / "kept"))
    names = sorted(path.name for path in disk.folder.iterdir())
    assert main(["backup", str(disk.folder / "copy")]) == 1
    assert "could not be copied" in capsys.readouterr().err
    assert sorted(path.name for path in disk.folder.iterdir()) == names
