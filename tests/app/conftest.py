"""A server with models that look at pictures, untrained, beside one that reads text."""

from __future__ import annotations

from collections.abc import Iterator
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


@pytest.fixture(scope="session")
def seeing_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models: captioners, one that answers questions, and the translator."""
    root = write_tiny_captioners(tmp_path_factory.mktemp("seeing"))
    (root / DEFAULT).symlink_to(DEFAULT_DIRECTORY / DEFAULT, target_is_directory=True)
    return root


@pytest.fixture(scope="session")
def seeing(seeing_weights: Path) -> Iterator[Running]:
    """A server with these models."""
    with running(Settings.from_environment(weights=seeing_weights, preload="none")) as it:
        yield it


@pytest.fixture(scope="session")
def patch_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models: one that attends among patches, captioners, and the translator."""
    root = write_tiny_captioners(tmp_path_factory.mktemp("patches"))
    write_tiny_vision(root / "vit")
    (root / DEFAULT).symlink_to(DEFAULT_DIRECTORY / DEFAULT, target_is_directory=True)
    return root


@pytest.fixture(scope="session")
def looking(patch_weights: Path) -> Iterator[Running]:
    """A server with these models."""
    with running(Settings.from_environment(weights=patch_weights, preload="none")) as it:
        yield it


@pytest.fixture(scope="session")
def story_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models: one that reads stories, and the translator."""
    root = tmp_path_factory.mktemp("stories")
    write_tiny_memory(root / "memory")
    (root / DEFAULT).symlink_to(DEFAULT_DIRECTORY / DEFAULT, target_is_directory=True)
    return root


@pytest.fixture(scope="session")
def graph_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models: one that reads graphs, and the translator."""
    root = tmp_path_factory.mktemp("graphs")
    write_tiny_graph(root / "graph")
    (root / DEFAULT).symlink_to(DEFAULT_DIRECTORY / DEFAULT, target_is_directory=True)
    return root


@pytest.fixture(scope="session")
def classifying(graph_weights: Path) -> Iterator[Running]:
    """A server with these models."""
    with running(Settings.from_environment(weights=graph_weights, preload="none")) as it:
        yield it


@pytest.fixture(scope="session")
def reading(story_weights: Path) -> Iterator[Running]:
    """A server with these models."""
    with running(Settings.from_environment(weights=story_weights, preload="none")) as it:
        yield it


@pytest.fixture(scope="session")
def glimpse_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models: one that looks in glimpses, and the translator."""
    root = tmp_path_factory.mktemp("glimpses")
    write_tiny_glimpse(root / "glimpse")
    (root / DEFAULT).symlink_to(DEFAULT_DIRECTORY / DEFAULT, target_is_directory=True)
    return root


@pytest.fixture(scope="session")
def glimpsing(glimpse_weights: Path) -> Iterator[Running]:
    """A server with these models."""
    with running(Settings.from_environment(weights=glimpse_weights, preload="none")) as it:
        yield it


@pytest.fixture(scope="session")
def sentence_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models: one that reads word by word, and the translator."""
    root = tmp_path_factory.mktemp("sentences")
    write_tiny_reader(root / "reader")
    (root / DEFAULT).symlink_to(DEFAULT_DIRECTORY / DEFAULT, target_is_directory=True)
    return root


@pytest.fixture(scope="session")
def word_reading(sentence_weights: Path) -> Iterator[Running]:
    """A server with these models."""
    with running(Settings.from_environment(weights=sentence_weights, preload="none")) as it:
        yield it
