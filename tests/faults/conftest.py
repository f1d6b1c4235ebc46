"""A server in a process of its own, for all that only asks much of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.live import Live, live
from tests.scale import amount


@pytest.fixture(scope="session")
def it(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """The server, less patient in the gate than out of the box."""
    patience = amount(1.5, 8.0)
    folder = tmp_path_factory.mktemp("faults")
    settings = {"header_seconds": patience, "body_seconds": patience, "queue_size": 16}
    with live(folder, log_level="warning", **settings) as server:
        yield server
        assert "Traceback" not in server.log.read_text()
