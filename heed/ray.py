"""Ray Serve: replicas of the whole application on a Ray cluster, `serve run heed.ray:app`.

Each replica has its own models, queues and caches, and batches by itself: a hop between replicas
costs more than these models take. Its own queue refuses what is too much, with 503 and
`Retry-After`, so Ray must hand over more requests at once than the queues hold.
"""

from __future__ import annotations

import signal
import threading

from fastapi import FastAPI
from ray import serve

from heed.app.main import create_app
from heed.app.settings import Settings

OTHERS = 64  # requests that run or need no model
TARGET = 4  # requests in progress for each replica, beyond which another one is started
MAX_REPLICAS = 8
CHECK_SECONDS = 5


def build_app() -> FastAPI:
    """Create the application of a replica, with the settings of its environment."""
    return create_app()


def deployment(settings: Settings) -> serve.Application:
    """Return the application for Ray Serve."""
    options = serve.deployment(
        name="heed",
        max_ongoing_requests=2 * settings.queue_size + OTHERS,
        max_queued_requests=-1,
        autoscaling_config={
            "min_replicas": 1,
            "max_replicas": MAX_REPLICAS,
            "target_ongoing_requests": TARGET,
            "upscale_delay_s": 5,
            "downscale_delay_s": 300,
        },
        ray_actor_options={"num_cpus": 1},
        health_check_period_s=CHECK_SECONDS,
        health_check_timeout_s=2 * CHECK_SECONDS,
        graceful_shutdown_timeout_s=settings.stop_seconds + CHECK_SECONDS,
    )
    return options(serve.ingress(build_app)()).bind()


def serve_on_ray(settings: Settings) -> int:
    """Serve on this machine, or on the cluster that it belongs to, until stopped."""
    stopped = threading.Event()
    serve.start(http_options={"host": settings.host, "port": settings.port})
    serve.run(deployment(settings), name="heed", route_prefix="/")
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stopped.set())
    host = settings.host if settings.host not in ("0.0.0.0", "::") else "localhost"  # noqa: S104
    print(f"Heed is running at http://{host}:{settings.port} on Ray (Ctrl-C stops it)", flush=True)
    stopped.wait()
    serve.shutdown()  # type: ignore[no-untyped-call]
    return 0


app = deployment(Settings.from_environment())
