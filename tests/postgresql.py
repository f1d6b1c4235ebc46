"""A real PostgreSQL server that tests start, stop, freeze and kill."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.ports import free_port

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
MISSING = "needs a PostgreSQL server to start: apt-get install postgresql"
OPTIONS = (
    "-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c shared_buffers=16MB -c fsync=off"
    " -c max_connections=60"
)


@dataclass
class PostgreSQL:
    """A running server with its data in a folder of its own."""

    folder: Path
    port: int
    databases: int = 0

    def new_database(self) -> str:
        """Create an empty database and return its URL."""
        import psycopg

        self.databases += 1
        name = f"heed{self.databases}"
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/{name}"

    def _address(self, name: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        log = self.folder / "log"
        _as_postgres("pg_ctl", "-D", self.data, "-w", "-l", log, "-o", self._options, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop the server: `fast` breaks all connections, `immediate` is like a crash."""
        _as_postgres("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop")

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop all processes of the server: they keep their connections and answer nothing."""
        processes = self.processes()
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)

    @property
    def data(self) -> Path:
        """The folder of the data."""
        return self.folder / "data"

    @property
    def _options(self) -> str:
        return f"{OPTIONS} -c port={self.port}"

    def processes(self) -> list[int]:
        """Return the ids of its processes, the first one first."""
        first = int((self.data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        return [first, *map(int, children)]


@contextmanager
def postgresql() -> Iterator[PostgreSQL]:
    """Run a server until the end of the block."""
    if not BINARIES:
        pytest.skip(MISSING)
    folder = Path(tempfile.mkdtemp(prefix="heed-postgresql-"))
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        shutil.chown(folder, "postgres")
    server = PostgreSQL(folder, free_port())
    try:
        _as_postgres(
            "initdb", "-D", server.data, "-A", "trust", "-U", "postgres", "-N", "-E", "UTF8"
        )
        server.start()
        yield server
    finally:
        if (server.data / "postmaster.pid").exists():
            for process in reversed(server.processes()):
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)


def _as_postgres(name: str, *arguments: str | Path) -> None:
    command = [str(BINARIES[-1].with_name(name)), *map(str, arguments)]
    if os.geteuid() == 0:
        command = ["runuser", "-u", "postgres", "--", *command]
    done = subprocess.run(
        command, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert done.returncode == 0, done.stderr
