"""A server with models that look at pictures, untrained, beside one that reads text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from heed.app.settings import Settings
from heed.models.catalogue import DEFAULT_DIRECTORY
from tests.conftest import DEFAULT, Running, running
from tests.models.tiny import (
    write_tiny_captioners,
    write_tiny_glimpse,
    write_tiny_graph,
    write_tiny_memory,
    write_tiny_reader,
    write_tiny_vision,
)


def beside_translator(root: Path) -> Path:
    """Add the translator to a folder of models."""
    (root / DEFAULT).symlink_to(DEFAULT_DIRECTORY / DEFAULT, target_is_directory=True)
    return root


def serving(weights: Path) -> AbstractContextManager[Running]:
    """Serve the models of a folder until the block is left."""
    return running(Settings.from_environment(weights=weights, preload="none"))


@pytest.fixture(scope="session")
def seeing_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models: captioners, one that answers questions, and the translator."""
    root = write_tiny_captioners(tmp_path_factory.mktemp("seeing"))
    return beside_translator(root)


@pytest.fixture(scope="session")
def seeing(seeing_weights: Path) -> Iterator[Running]:
    """A server with these models."""
    with serving(seeing_weights) as it:
        yield it


@pytest.fixture(scope="session")
def every_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model for each task, untrained but for the translator."""
    root = write_tiny_captioners(tmp_path_factory.mktemp("every"))
    write_tiny_vision(root / "vit")
    write_tiny_memory(root / "memory")
    write_tiny_graph(root / "graph")
    write_tiny_glimpse(root / "glimpse")
    write_tiny_reader(root / "reader")
    return beside_translator(root)


@pytest.fixture(scope="session")
def every(every_weights: Path) -> Iterator[Running]:
    """A server with these models."""
    with serving(every_weights) as it:
        yield it
