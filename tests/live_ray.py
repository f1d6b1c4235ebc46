"""`heed serve --ray` in its own process, whose replicas tests can kill and restart."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx

from benchmarks.memory import family
from tests.conftest import DEFAULT, SECONDS
from tests.live import ROOT
from tests.ports import free_port

SLOW = "rfc3987_syntax"
"""A package that comes with JupyterLab, and not with `heed[ray]`.

Each of Ray's processes would import it, twice for a replica, and take 1.5 s of processor time."""


@dataclass
class OnRay:
    """A running Ray cluster of one machine, with Heed."""

    process: subprocess.Popen[str]
    port: int
    client: httpx.Client
    host: str = "127.0.0.1"

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://{self.host}:{self.port}"

    def replicas(self) -> set[int]:
        """Return the process ids of the replicas that have their models."""
        return {pid for pid in family(self.process.pid) if _serves(pid)}


def _serves(pid: int) -> bool:
    with suppress(OSError):
        named = b"ServeReplica" in Path(f"/proc/{pid}/cmdline").read_bytes()
        return named and "model.safetensors" in Path(f"/proc/{pid}/maps").read_text()
    return False


@contextmanager
def on_ray(folder: Path, **settings: object) -> Iterator[OnRay]:
    """Serve on Ray until the end of the block; it writes to the folder."""
    port = free_port()
    hidden = folder / "hidden"
    hidden.mkdir()
    (hidden / f"{SLOW}.py").write_text("raise ImportError\n")
    kept = {"store": folder / "kept", "default_model": DEFAULT, "cache_bytes": 0}
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("HEED_")},
        **{f"HEED_{name.upper()}": str(value) for name, value in {**kept, **settings}.items()},
        "PYTHONPATH": os.pathsep.join([str(hidden), str(ROOT)]),
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_worker_niceness": "0",
    }
    command = [sys.executable, "-m", "heed.app", "serve", "--ray", "--port", str(port)]
    log = folder / "log"
    with (
        log.open("w") as errors,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=ROOT, env=environment
        ) as process,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=SECONDS) as client,
    ):
        try:
            assert process.stdout
            assert any("Heed is running" in line for line in process.stdout), log.read_text()
            yield OnRay(process, port, client)
            process.terminate()
            assert process.wait(SECONDS) == 0
        finally:
            process.kill()
