"""A server in its own process, shared by the tests that do not stop it; and ways to serve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from tests.live import Live, live
from tests.postgresql import postgresql
from tests.scale import amount


@pytest.fixture(scope="session")
def it(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """Start the server; in the gate its timeouts are shorter than the default ones."""
    patience = amount(1.5, 8.0)
    folder = tmp_path_factory.mktemp("faults")
    settings = {"header_seconds": patience, "body_seconds": patience, "queue_size": 16}
    with live(folder, log_level="warning", **settings) as server:
        yield server
        assert "Traceback" not in server.log.read_text()


@pytest.fixture(params=["one process", "workers and PostgreSQL"])
def way(request: pytest.FixtureRequest) -> Iterator[Mapping[str, object]]:
    """Yield the settings of one process with a file, and of two workers with a database."""
    if request.param == "one process":
        yield {}
        return
    with postgresql() as server:
        yield {"workers": 2, "store": server.new_database()}
