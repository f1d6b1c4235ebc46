"""`heed restore`: traces of a file, added to those of a store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from heed.app.cli import main
from heed.app.settings import Settings
from heed.app.traces.connect import open_store
from heed.app.traces.sqlite_store import FILE, SQLiteStore
from heed.app.traces.store import DAY, Receipt, Store
from tests.app.traces.promises import NOON, ROOM, absent
from tests.postgresql import PostgreSQL


@pytest.fixture(params=["postgresql", "sqlite"])
def target(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Store]:
    """The store that traces are moved to."""
    if request.param == "postgresql":
        server: PostgreSQL = request.getfixturevalue("postgresql_server")
        monkeypatch.setenv("HEED_STORE", server.new_database())
    else:
        monkeypatch.setenv("HEED_STORE", str(tmp_path / "target"))
    store = open_store(Settings.from_environment())
    yield store
    store.close()


@pytest.fixture
def source(tmp_path: Path) -> Iterator[SQLiteStore]:
    """The store of the server so far, which goes on running."""
    store = SQLiteStore(tmp_path, max_bytes=ROOM)
    yield store
    store.close()


def saved(store: Store, count: int) -> list[Receipt]:
    return [store.save(str(number).encode()) for number in range(count)]


def restored(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["restore", str(folder / FILE)]) == 0
    return capsys.readouterr().out


def test_traces_keep_their_ids_and_keys(
    source: SQLiteStore, target: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = target.save(b"there before")
    receipts = saved(source, 5)
    assert restored(tmp_path, capsys).startswith("Saved traces restored: 5. ")
    assert target.usage().traces == 6
    assert target.load(mine.id).content() == b"there before"
    for number, receipt in enumerate(receipts):
        assert target.load(receipt.id).content() == str(number).encode()
        target.delete(receipt.id, receipt.key)
        absent(target, receipt.id)
    assert target.usage().traces == 1


def test_a_second_run_adds_what_was_saved_meanwhile(
    source: SQLiteStore, target: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(source, 3)
    restored(tmp_path, capsys)
    later = source.save(b"later")
    assert "restored: 1. " in restored(tmp_path, capsys)
    assert target.load(later.id).content() == b"later"
    assert target.usage().traces == 4


def test_expired_traces_stay_behind_and_expiry_is_kept(
    target: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for now, days in ((lambda: NOON, 1), (target._now, 1)):
        other = SQLiteStore(tmp_path, keep_days=days, max_bytes=ROOM, now=now)
        receipt = other.save(b"short")
        other.close()
    assert "restored: 1. Left out" in restored(tmp_path, capsys)
    assert target.load(receipt.id)
    now = target._now()
    target._now = lambda: now + 2 * DAY
    absent(target, receipt.id)


def test_a_full_store_is_told_and_nothing_is_lost(
    source: SQLiteStore,
    target: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    saved(source, 3)
    monkeypatch.setenv("HEED_MAX_STORE_BYTES", "0")
    assert main(["restore", str(tmp_path / FILE)]) == 1
    assert "0 saved traces were restored" in capsys.readouterr().err
    monkeypatch.delenv("HEED_MAX_STORE_BYTES")
    assert "restored: 3. " in restored(tmp_path, capsys)


def test_a_file_without_traces_is_refused(
    target: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["restore", str(tmp_path / "none")]) == 1
    (tmp_path / "text").write_text("no database")
    assert main(["restore", str(tmp_path / "text")]) == 1
    assert "not a database" in capsys.readouterr().err
