"""A Ray cluster of one machine with two applications: `/one` has one replica, `/two` has two.

`python -m benchmarks.ray_server PORT` prints a line when both are ready, and serves until its
standard input ends.
"""

from __future__ import annotations

import sys

import ray
from ray import serve

from heed.app.settings import Settings
from heed.ray import QUIET, deployment

REPLICAS = {"one": 1, "two": 2}
CPUS = 8  # that Ray counts with: nothing else runs on this cluster


def main() -> None:
    """Start Ray, and serve."""
    ray.init(num_cpus=CPUS, include_dashboard=False, log_to_driver=False)
    serve.start(http_options={"host": "127.0.0.1", "port": int(sys.argv[1])}, logging_config=QUIET)
    settings = Settings.from_environment()
    for name, replicas in REPLICAS.items():
        serve.run(deployment(settings, replicas), name=name, route_prefix=f"/{name}")
    print("ready", flush=True)
    sys.stdin.read()
    ray.shutdown()


if __name__ == "__main__":
    main()
