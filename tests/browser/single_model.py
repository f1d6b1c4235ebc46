"""A server with a single small model, for the page of its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from heed.app.settings import Settings
from tests.conftest import running


@contextmanager
def serving_alone(weights: Path, model: str, write: Callable[[Path], object]) -> Iterator[str]:
    """Where the server listens; its model is written into this folder."""
    write(weights / model)
    settings = Settings.from_environment(weights=weights, preload="none", default_model=model)
    with running(settings) as it:
        yield it.url
