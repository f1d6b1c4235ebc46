"""Untrained models that read pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from heed.models.catalogue import DEFAULT_DIRECTORY
from tests.conftest import DEFAULT
from tests.models.tiny import write_tiny_captioners


@pytest.fixture(scope="session")
def tiny_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with tiny models for captions and questions, and the default translator."""
    root = write_tiny_captioners(tmp_path_factory.mktemp("tiny"))
    (root / DEFAULT).symlink_to(DEFAULT_DIRECTORY / DEFAULT, target_is_directory=True)
    return root
