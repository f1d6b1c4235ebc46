"""Functions in processes that can be killed."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from heed.app.inference.child_process import MAX_RUNS
from heed.app.inference.process_pool import PoolClosedError, ProcessEndedError, ProcessPool
from tests.app.inference.child_functions import (
    allocate,
    crash,
    echo,
    fail,
    hang,
    surroundings,
)
from tests.conftest import wait_for

ROOT = Path(__file__).parents[3]


@pytest.fixture
def pool() -> Iterator[ProcessPool]:
    pool = ProcessPool(2, memory_bytes=300_000_000, cpu_seconds=1000)
    yield pool
    pool.close()


async def began(place: Path) -> int:
    """Return the id of the process in which a function hangs."""
    await asyncio.to_thread(wait_for, place.exists, 60)
    return int(place.read_text())


def running(pid: int) -> bool:
    """Return whether a process has not ended, be it waited for or not."""
    try:
        os.kill(pid, 0)
        process = Path(f"/proc/{pid}")  # Linux
        if not process.exists():
            return True
        state = (process / "stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z" or len(list((process / "task").iterdir())) > 1  # threads that end
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_a_function_runs_in_another_process(pool: ProcessPool) -> None:
    large = bytes(range(256)) * 50_000
    data, options, pid = asyncio.run(pool.call(echo, large, 1, "two"))
    assert data == large
    assert options == b"(1, 'two')"
    assert int(pid) != os.getpid()


def test_a_cancelled_function_is_killed_and_the_next_one_runs(
    pool: ProcessPool, tmp_path: Path
) -> None:
    async def cancel() -> int:
        place = tmp_path / "pid"
        call = asyncio.ensure_future(pool.call(hang, str(place).encode()))
        pid = await began(place)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await asyncio.to_thread(wait_for, lambda: not running(pid), 60)
        return int((await pool.call(echo, b""))[2]) - pid

    assert asyncio.run(cancel()) != 0


def test_a_function_that_hangs_holds_up_no_other(pool: ProcessPool, tmp_path: Path) -> None:
    async def both() -> list[bytes]:
        place = tmp_path / "pid"
        call = asyncio.ensure_future(pool.call(hang, str(place).encode()))
        await began(place)
        found = [(await pool.call(echo, b"quick"))[0] for _ in range(3)]
        assert not call.done()
        call.cancel()
        return found

    assert asyncio.run(both()) == [b"quick"] * 3


def test_a_waiting_function_that_is_cancelled_never_runs(pool: ProcessPool, tmp_path: Path) -> None:
    async def cancel() -> None:
        places = [tmp_path / name for name in ("one", "two", "three")]
        calls = [asyncio.ensure_future(pool.call(hang, str(place).encode())) for place in places]
        for place in places[:2]:
            await began(place)
        for call in reversed(calls):
            call.cancel()
        await asyncio.wait(calls)
        await pool.call(echo, b"")
        assert not places[2].exists()

    asyncio.run(cancel())


def test_a_crash_is_an_error_and_the_next_function_runs(pool: ProcessPool) -> None:
    with pytest.raises(ProcessEndedError, match="Segmentation fault"):
        asyncio.run(pool.call(crash, b""))
    assert asyncio.run(pool.call(echo, b"again"))[0] == b"again"


def test_an_exception_has_the_traceback_of_the_other_process(pool: ProcessPool) -> None:
    with pytest.raises(RuntimeError, match=r"child_functions(.|\n)*LookupError: what went wrong"):
        asyncio.run(pool.call(fail, b"what went wrong"))
    assert asyncio.run(pool.call(echo, b"again"))[0] == b"again"


def test_processor_time_is_limited(tmp_path: Path) -> None:
    pool = ProcessPool(1, memory_bytes=300_000_000, cpu_seconds=1)
    with pytest.raises(ProcessEndedError, match="CPU time"):
        asyncio.run(pool.call(hang, str(tmp_path / "pid").encode()))
    pool.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux enforces the limit")
def test_memory_is_limited(pool: ProcessPool) -> None:
    assert asyncio.run(pool.call(allocate, b"100000000")) == [b"\0"]
    with pytest.raises(RuntimeError, match="MemoryError"):
        asyncio.run(pool.call(allocate, b"400000000"))


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_process_has_no_setting_and_no_socket(
    pool: ProcessPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEED_STORE", "postgresql+psycopg://user:secret@host/name")

    async def look() -> list[bytes]:
        return await pool.call(surroundings, b"")

    names, files = (part.decode() for part in asyncio.run(look()))
    assert "HEED" not in names
    assert "socket" not in files
    assert not {name for name in files.split() if not name.startswith(("pipe:", "/dev/", "/proc/"))}


def test_one_process_is_kept_and_replaced_after_many_runs(pool: ProcessPool) -> None:
    async def run() -> list[bytes]:
        return [(await pool.call(echo, b""))[2] for _ in range(MAX_RUNS + 2)]

    pids = asyncio.run(run())
    assert len(set(pids[:MAX_RUNS])) == 1
    assert len(set(pids)) == 2


def test_a_process_that_died_while_it_was_idle_is_replaced(pool: ProcessPool) -> None:
    pid = int(asyncio.run(pool.call(echo, b""))[2])
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: not running(pid), 60)
    assert asyncio.run(pool.call(echo, b"again"))[0] == b"again"


def test_a_stopped_pool_kills_what_runs_and_refuses_the_rest(
    pool: ProcessPool, tmp_path: Path
) -> None:
    async def stop() -> list[int]:
        places = [tmp_path / name for name in ("one", "two", "three")]
        calls = [asyncio.ensure_future(pool.call(hang, str(place).encode())) for place in places]
        pids = [await began(place) for place in places[:2]]
        pool.stop()
        await asyncio.wait(calls)
        assert {type(call.exception()) for call in calls} == {PoolClosedError}
        with pytest.raises(PoolClosedError):
            await pool.call(echo, b"")
        return pids

    pids = asyncio.run(stop())
    pool.close()
    assert not any(running(pid) for pid in pids)


ORPHAN = """
import asyncio, sys
from heed.app.inference.process_pool import ProcessPool
from tests.app.inference.child_functions import hang
pool = ProcessPool(1, memory_bytes=300_000_000, cpu_seconds=1000)
asyncio.run(pool.call(hang, sys.argv[1].encode()))
"""


def test_a_process_ends_with_its_parent(tmp_path: Path) -> None:
    place = tmp_path / "pid"
    with subprocess.Popen([sys.executable, "-c", ORPHAN, str(place)], cwd=ROOT) as parent:
        wait_for(place.exists, 60)
        parent.kill()
    wait_for(lambda: not running(int(place.read_text())), 60)
