"""NumPy runs a Vision Transformer with the numbers of PyTorch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.errors import CheckpointError
from heed.models.images.read import Bytes
from heed.models.rollout import rollout
from heed.models.runtime import torch_vision
from heed.models.runtime.numpy import vision
from heed.models.runtime.vision import Looked, likeness
from tests.models.tiny import VISION, change, write_tiny, write_tiny_vision

CLOSE = 1e-4


@pytest.fixture
def pictures() -> list[Bytes]:
    noise = np.random.default_rng(7).integers(0, 256, (2, 224, 224, 3), dtype=np.uint8)
    return [noise[0], noise[1] // 4, np.full((224, 224, 3), 255, np.uint8)]


def compare(folder: Path, pictures: list[Bytes]) -> None:
    ours, theirs = vision.load_runtime(folder), torch_vision.load_runtime(folder)
    assert ours.config == theirs.config
    assert np.array_equal(ours.positions, theirs.positions)
    both = zip(ours.look(pictures), theirs.look(pictures), strict=True)
    for one, other in both:
        mine, its = arrays(one), arrays(other)
        assert list(mine) == list(its)
        for name, values in mine.items():
            assert values.dtype == np.float32, name
            np.testing.assert_allclose(values, its[name], rtol=CLOSE, atol=CLOSE, err_msg=name)


def arrays(looked: Looked) -> dict[str, NDArray[np.float32]]:
    """The arrays of a picture by their names, with those of the layers' vectors."""
    named = looked._asdict()
    vectors = named.pop("vectors")
    assert vectors is not None
    return named | vectors._asdict()


def test_a_tiny_network_gives_the_numbers_of_pytorch(tmp_path: Path, pictures: list[Bytes]) -> None:
    compare(write_tiny_vision(tmp_path / "vit"), pictures)


def test_a_network_of_one_layer_gives_the_numbers_of_pytorch(
    tmp_path: Path, pictures: list[Bytes]
) -> None:
    from heed.models.checkpoint import save_checkpoint
    from heed.models.registry import build_network

    one = replace(VISION, layers=1, blocks=10)
    save_checkpoint(tmp_path, {}, one, dict(build_network(one).named_parameters()))
    compare(tmp_path, pictures[:1])


def test_shipped_networks_give_the_numbers_of_pytorch(pictures: list[Bytes]) -> None:
    for card in Catalogue().cards.values():
        if card.task == "see":
            compare(DEFAULT_DIRECTORY / card.id, pictures)


def test_a_picture_is_read_the_same_alone_and_in_company(
    tmp_path: Path, pictures: list[Bytes]
) -> None:
    runtime = vision.load_runtime(write_tiny_vision(tmp_path / "vit"))
    for picture, read in zip(pictures, runtime.look(pictures), strict=True):
        (alone,) = runtime.look([picture])
        both = arrays(read)
        for name, values in arrays(alone).items():
            assert np.array_equal(values, both[name]), name


@pytest.mark.parametrize("runtime", [vision, torch_vision])
def test_another_network_is_an_error(runtime: object, tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="does not hold a Vision Transformer"):
        runtime.load_runtime(write_tiny(tmp_path / "model"))  # type: ignore[attr-defined]


def test_weights_of_another_shape_are_an_error(tmp_path: Path) -> None:
    folder = write_tiny_vision(tmp_path / "vit")
    change(folder, network=replace(VISION, width=12).to_dict())
    with pytest.raises(CheckpointError, match="cannot be read: it has no"):
        vision.load_runtime(folder)


def test_rollout_multiplies_the_layers() -> None:
    weights = np.random.default_rng(1).random((3, 2, 5, 5)).astype(np.float32)
    weights /= weights.sum(axis=-1, keepdims=True)
    whole = np.eye(5)
    for layer in weights:
        whole = (layer.mean(axis=0) + np.eye(5)) / 2 @ whole
    np.testing.assert_allclose(rollout(weights), whole[0], rtol=1e-5)


def test_likeness_is_the_cosine() -> None:
    found = likeness(np.array([[2, 0], [3, 3], [0, 0]], np.float32))
    root = np.sqrt(0.5)
    np.testing.assert_allclose(found, [[1, root, 0], [root, 1, 0], [0, 0, 0]], atol=1e-6)
