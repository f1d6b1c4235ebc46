"""The image encoder on the compiled kernels, on one thread and on several."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.checkpoint import WEIGHTS, load_image_encoder, save_image_encoder
from heed.models.errors import CheckpointError
from heed.models.networks.image_encoder import ImageEncoder
from heed.models.networks.mobilenet import BLOCKS, CELLS, FIRST, Shape
from heed.models.pictures.decode import SIDE, Bytes
from heed.models.runtime import native
from heed.models.runtime.feature_cache import FeatureCache
from heed.models.runtime.native.image_encoder import TRANSFORM, tiled, transformed
from heed.models.runtime.protocol import PictureInput
from tests.models.tiny import write_tiny_captioners

WIDTH = 20  # of a cell: no whole vector on any processor


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An untrained image encoder."""
    torch.manual_seed(3)
    folder = tmp_path_factory.mktemp("encoder")
    save_image_encoder(folder, ImageEncoder(WIDTH))
    return folder


def pictures() -> list[Bytes]:
    """Noise, a slope, and every byte at its largest and smallest."""
    noise = np.random.default_rng(1).integers(0, 256, (SIDE, SIDE, 3), np.uint8)
    slope = np.add.outer(np.arange(SIDE), np.arange(SIDE))[..., None] * np.array([1, 2, 3])
    flat = np.full((SIDE, SIDE, 3), 255, np.uint8)
    return [noise, (slope % 256).astype(np.uint8), flat, np.zeros_like(flat)]


def inputs() -> list[PictureInput]:
    return [PictureInput(pixels) for pixels in pictures()]


def test_cells_equal_those_of_the_modules(encoder: Path, level: str) -> None:
    theirs = load_image_encoder(encoder)
    features = native.load_features(encoder)
    for pixels, cells in zip(pictures(), features.of(inputs()), strict=True):
        (reference,) = theirs(torch.from_numpy(pixels)[None])
        assert cells.shape == (CELLS, WIDTH)
        np.testing.assert_allclose(cells, reference.numpy(), atol=1e-4)


def test_the_shipped_image_encoder_equals_its_modules(level: str) -> None:
    folder = DEFAULT_DIRECTORY / "image-encoder"
    theirs = load_image_encoder(folder)
    for pixels, cells in zip(pictures(), native.load_features(folder).of(inputs()), strict=True):
        (reference,) = theirs(torch.from_numpy(pixels)[None])
        np.testing.assert_allclose(cells, reference.numpy(), atol=1e-4)
        assert np.sqrt(np.square(cells - reference.numpy()).mean()) < 5e-6


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_several_threads_give_bit_by_bit_the_same_cells(encoder: Path, threads: int) -> None:
    alone, parted = (native.load_features(encoder, each).of(inputs()) for each in (1, threads))
    np.testing.assert_array_equal(alone, parted)


def test_an_array_that_is_not_a_picture_is_refused(encoder: Path) -> None:
    features = native.load_features(encoder)
    for odd in (np.zeros((SIDE, SIDE - 1, 3), np.uint8), np.zeros((SIDE, SIDE, 3), np.float32)):
        with pytest.raises(ValueError, match="expected a picture"):
            features.of([PictureInput(odd)])


def test_a_picture_of_one_run_pushes_no_other_out_of_the_cache() -> None:
    encoded: list[int] = []

    def encode(pixels: Bytes) -> Any:
        encoded.append(int(pixels.max()))
        return pixels.astype(np.float32)

    def given(value: int, *, kept: bool) -> PictureInput:
        return PictureInput(np.full((1, 1, 3), value, np.uint8), kept=kept)

    features = FeatureCache(encode, capacity=2)
    kept = [given(value, kept=True) for value in (1, 2)]
    before = features.of(kept)
    passing = [given(value, kept=False) for value in (1, 3, 4, 3)]
    assert [int(cells.max()) for cells in features.of(passing)] == [1, 3, 4, 3]
    np.testing.assert_array_equal(features.of(kept), before)
    assert encoded == [1, 2, 3, 4, 3]


def test_the_memory_layout_of_a_picture_does_not_matter(encoder: Path) -> None:
    (pixels, *_), features = pictures(), native.load_features(encoder)
    turned = np.asfortranarray(pixels)
    np.testing.assert_array_equal(features._encode(turned), features._encode(pixels))


@pytest.mark.parametrize(
    "name", ["cells.middle.weight", "backbone.stem.bias", "backbone.blocks.9.depthwise.weight"]
)
@pytest.mark.parametrize("harm", ["missing", "cut"])
def test_weights_of_another_shape_are_refused(
    encoder: Path, tmp_path: Path, name: str, harm: str
) -> None:
    weights = load_file(encoder / WEIGHTS)
    left = weights.pop(name)
    if harm == "cut":
        weights[name] = left[..., None]
    save_file(weights, tmp_path / WEIGHTS)
    with pytest.raises(CheckpointError, match=r"cannot be read"):
        native.load_features(tmp_path)


def test_without_kernels_the_image_encoder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heed.models.runtime.native.available", lambda: None)
    with pytest.raises(CheckpointError, match="no kernels"):
        native.load_features(DEFAULT_DIRECTORY / "image-encoder")


def test_all_models_share_one_image_encoder_on_the_kernels(tmp_path: Path) -> None:
    write_tiny_captioners(tmp_path)
    catalogue = Catalogue(tmp_path)
    catalogue.load("caption-soft")
    catalogue.load("caption-heads")
    catalogue.load("ask")  # no kernels run it, but its image encoder
    assert list(catalogue._runtimes._features) == [tmp_path / "image-encoder"]


def test_the_weights_of_a_tile_follow_the_definition() -> None:
    rng = np.random.default_rng(0)
    weight = rng.normal(size=(64, 16, 3, 3)).astype(np.float16)
    packed = transformed(weight)
    assert packed.shape == (1, len(TRANSFORM) ** 2, 16, 64)
    centre = TRANSFORM @ weight[5, 7].astype(np.float64) @ TRANSFORM.T
    np.testing.assert_allclose(packed[0, :, 7, 5], centre.ravel(), rtol=1e-6)


def test_only_maps_of_whole_tiles_are_computed_in_tiles() -> None:
    side, read, found = SIDE // 2, FIRST, []
    for shape in BLOCKS:
        found.append(tiled(shape, read, side))
        side, read = side // shape.stride, shape.out
    assert sum(found) == 6
    assert not tiled(Shape(128, 32), 32, 58)
    assert not tiled(Shape(128, 32), 30, 56)
    assert not tiled(Shape(100, 32), 32, 56)
