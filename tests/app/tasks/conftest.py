"""A client of the server that has a model for each task."""

from __future__ import annotations

import httpx
import pytest

from tests.conftest import Running


@pytest.fixture
def client(every: Running) -> httpx.Client:
    """A client of this server."""
    return every.client
