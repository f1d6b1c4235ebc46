"""Ray Serve: replicas of the whole application on a Ray cluster, `serve run heed.ray:app`.

Each replica has its own models, queues and caches, and batches by itself: a hop between replicas
costs more than these models take. Its own queue refuses what is too much, with 503 and
`Retry-After`, so Ray must hand over more requests at once than the queues hold.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import tempfile
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from fastapi import FastAPI
from ray import serve
from ray.serve.schema import LoggingConfig

from heed.app.errors import ServiceError
from heed.app.server.collector import collect_rarely
from heed.app.settings import Settings

OTHERS = 64  # requests that run or need no model
TARGET = 4  # requests in progress for each replica, beyond which another one is started
MAX_REPLICAS = 8
CHECK_SECONDS = 1  # between two questions to a replica; a killed one is noticed by the next
CHECK_TIMEOUT = 10
STOP_SECONDS = 2  # for a replica to end after its last request
POLL_SECONDS = 0.05
QUIET = LoggingConfig(enable_access_log=False)
"""Ray's own log has the paths of requests, and with them the ids of saved traces."""

metrics = Path(tempfile.gettempdir()) / f"heed-metrics-{secrets.token_hex(8)}"
"""Folder in which the replicas of one machine add up their metrics."""
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Variable from which prometheus_client takes the folder when it is imported."""


def build_app() -> FastAPI:
    """Create the application of a replica, with the settings of its environment."""
    from heed.app.main import create_app
    from heed.app.observability.metrics import forget_ended_processes

    collect_rarely()
    forget_ended_processes()
    settings = Settings.from_environment()
    if settings.threads is None:  # a replica has one core
        settings = settings.model_copy(update={"threads": 1})
    return create_app(settings)


class Replica:
    """The health of a replica, which Ray asks for at its start and every few seconds.

    The folder of the metrics is an argument, for an environment of its own (`runtime_env`) would
    cost a replica the start of one process more, which imports Ray too.
    """

    app: FastAPI

    def __init__(self, metrics: str) -> None:
        os.environ[FOLDER] = metrics

    async def check_health(self) -> None:
        """Wait until the models are loaded; raise an error, as `/readyz` does, if they fail."""
        while True:
            try:
                for engine in self.app.state.service.engines:
                    engine.check_ready()
            except ServiceError as error:
                if error.code != "not_ready":
                    raise
                await asyncio.sleep(POLL_SECONDS)
            else:
                return


def deployment(settings: Settings, replicas: int | None = None) -> serve.Application:
    """Return the application for Ray Serve, with so many replicas or as many as it needs."""
    number: dict[str, Any] = {"num_replicas": replicas}
    if replicas is None:
        number = {
            "autoscaling_config": {
                "min_replicas": 1,
                "max_replicas": MAX_REPLICAS,
                "target_ongoing_requests": TARGET,
                "upscale_delay_s": 5,
                "downscale_delay_s": 300,
            }
        }
    options = serve.deployment(
        name="heed",
        max_ongoing_requests=2 * settings.queue_size + OTHERS,
        max_queued_requests=-1,
        ray_actor_options={"num_cpus": 1},
        health_check_period_s=CHECK_SECONDS,
        health_check_timeout_s=CHECK_TIMEOUT,
        graceful_shutdown_wait_loop_s=0.2,
        graceful_shutdown_timeout_s=settings.stop_seconds + STOP_SECONDS,
        logging_config=QUIET,
        **number,
    )
    return options(serve.ingress(build_app)(Replica)).bind(str(metrics))


def serve_on_ray(settings: Settings) -> int:
    """Serve on this machine, or on the cluster that it belongs to, until stopped.

    SIGHUP restarts the replicas one after the other.
    """
    received: SimpleQueue[int] = SimpleQueue()
    replicas = settings.workers if settings.workers > 1 else None
    serve.start(http_options={"host": settings.host, "port": settings.port}, logging_config=QUIET)
    serve.run(deployment(settings, replicas), name="heed", route_prefix="/")
    restart = getattr(signal, "SIGHUP", None)  # Windows has none
    for number in filter(None, (signal.SIGTERM, signal.SIGINT, restart)):
        signal.signal(number, lambda number, _frame: received.put(number))
    host = settings.host if settings.host not in ("0.0.0.0", "::") else "localhost"  # noqa: S104
    print(f"Heed is running at http://{host}:{settings.port} on Ray (Ctrl-C stops it)", flush=True)
    while received.get() == restart:
        serve.run(deployment(settings, replicas), name="heed", route_prefix="/")
    serve.shutdown()  # type: ignore[no-untyped-call]
    return 0


app = deployment(Settings.from_environment())
