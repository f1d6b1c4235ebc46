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
def patch_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models: one that attends among patches, captioners, and the translator."""
    root = write_tiny_captioners(tmp_path_factory.mktemp("patches"))
    write_tiny_vision(root / "vit")
    return beside_translator(root)


@pytest.fixture(scope="session")
def looking(patch_weights: Path) -> Iterator[Running]:
    """A server with these models."""
    with serving(patch_weights) as it:
        yield it


@pytest.fixture(scope="session")
def story_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models: one that reads stories, and the translator."""
    root = tmp_path_factory.mktemp("stories")
    write_tiny_memory(root / "memory")
    return beside_translator(root)


@pytest.fixture(scope="session")
def graph_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models: one that reads graphs, and the translator."""
    root = tmp_path_factory.mktemp("graphs")
    write_tiny_graph(root / "graph")
    return beside_translator(root)


@pytest.fixture(scope="session")
def classifying(graph_weights: Path) -> Iterator[Running]:
    """A server with these models."""
    with serving(graph_weights) as it:
        yield it


@pytest.fixture(scope="session")
def reading(story_weights: Path) -> Iterator[Running]:
    """A server with these models."""
    with serving(story_weights) as it:
        yield it


@pytest.fixture(scope="session")
def glimpse_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models: one that looks in glimpses, and the translator."""
    root = tmp_path_factory.mktemp("glimpses")
    write_tiny_glimpse(root / "glimpse")
    return beside_translator(root)


@pytest.fixture(scope="session")
def glimpsing(glimpse_weights: Path) -> Iterator[Running]:
    """A server with these models."""
    with serving(glimpse_weights) as it:
        yield it


@pytest.fixture(scope="session")
def sentence_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models: one that reads word by word, and the translator."""
    root = tmp_path_factory.mktemp("sentences")
    write_tiny_reader(root / "reader")
    return beside_translator(root)


@pytest.fixture(scope="session")
def word_reading(sentence_weights: Path) -> Iterator[Running]:
    """A server with these models."""
    with serving(sentence_weights) as it:
        yield it
