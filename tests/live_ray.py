"""Heed on Ray in its own process, whose replicas tests can kill and restart."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import yaml

from benchmarks.memory import family
from tests.conftest import DEFAULT, SECONDS, wait_for
from tests.live import ROOT, START_SECONDS
from tests.ports import free_port

SLOW = "rfc3987_syntax"
"""JupyterLab, not the extra `ray`, brings this package, and each of Ray's processes would import it
for 1.5 s of processor time."""


@dataclass
class OnRay:
    """A running Ray cluster of one machine, with Heed."""

    process: subprocess.Popen[str]
    port: int
    client: httpx.Client
    folder: Path
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
    """Serve by `heed serve --ray` until the end of the block; it writes to the folder."""
    port = free_port()
    command = [sys.executable, "-m", "heed.app", "serve", "--ray", "--port", str(port)]
    with _started(command, folder, port, _variables(folder, settings)) as it:
        assert it.process.stdout
        log = folder / "log"
        assert any("Heed is running" in line for line in it.process.stdout), log.read_text()
        yield it
        it.process.terminate()
        assert it.process.wait(SECONDS) == 0


@contextmanager
def by_serve_run(folder: Path, **settings: object) -> Iterator[OnRay]:
    """Serve by `serve run` and the file of `deploy/ray`, with one replica and other settings."""
    port = free_port()
    content = yaml.safe_load((ROOT / "deploy/ray/serve.yaml").read_text("utf-8"))
    content["http_options"] = {"host": "127.0.0.1", "port": port}
    (application,) = content["applications"]
    application["runtime_env"]["env_vars"] = _variables(folder, settings)
    application["deployments"][0]["autoscaling_config"]["min_replicas"] = 1
    file = folder / "serve.yaml"
    file.write_text(yaml.safe_dump(content), "utf-8")
    command = [str(Path(sys.executable).with_name("serve")), "run", str(file)]
    with _started(command, folder, port, {}) as it:
        wait_for(lambda: _ready(it), START_SECONDS)
        yield it
        it.process.terminate()
        it.process.wait(SECONDS)


def _variables(folder: Path, settings: Mapping[str, object]) -> dict[str, str]:
    given = {"store": folder / "kept", "default_model": DEFAULT, "cache_bytes": 0, **settings}
    return {f"HEED_{name.upper()}": str(value) for name, value in given.items()}


def _ready(it: OnRay) -> bool:
    assert it.process.poll() is None, (it.folder / "log").read_text()
    with suppress(httpx.TransportError):
        return it.client.get("/readyz").status_code == 200
    return False


@contextmanager
def _started(
    command: Sequence[str], folder: Path, port: int, variables: Mapping[str, str]
) -> Iterator[OnRay]:
    hidden = folder / "hidden"
    hidden.mkdir()
    (hidden / f"{SLOW}.py").write_text("raise ImportError\n")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("HEED_")},
        **variables,
        "PYTHONPATH": os.pathsep.join([str(hidden), str(ROOT)]),
        "RAY_AUTH_TOKEN": secrets.token_hex(32),  # or Ray writes one to the home directory
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_worker_niceness": "0",
    }
    with (
        (folder / "log").open("w") as errors,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=ROOT, env=environment
        ) as process,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=SECONDS) as client,
    ):
        try:
            yield OnRay(process, port, client, folder)
        finally:
            process.kill()
