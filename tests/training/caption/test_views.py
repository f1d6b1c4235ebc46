"""Views of photos: computed once, each in a file of its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from heed.models.networks.image_encoder import ImageEncoder
from training.caption.augmentation import Augmentation
from training.caption.photos import Photos
from training.caption.views import load_cells, load_views

BLOCKS = 12
AMOUNT = Augmentation(mirrored=1.0)


@pytest.fixture(scope="module")
def encoder() -> ImageEncoder:
    torch.manual_seed(2)
    return ImageEncoder(6).eval().requires_grad_(requires_grad=False)


@pytest.fixture(scope="module")
def photos() -> Photos:
    pixels = np.random.default_rng(1).integers(0, 256, (9, 224, 224, 3), np.uint8)
    names = tuple(f"{place}.jpg" for place in range(9))
    return Photos(pixels, names, (("a thing",),) * 9)


def test_views_are_added_to_those_that_are_there(
    encoder: ImageEncoder, photos: Photos, tmp_path: Path
) -> None:
    first = load_views(photos, encoder.backbone, BLOCKS, AMOUNT, 1, tmp_path / "of")
    (written,) = tmp_path.iterdir()
    stamp = written.stat().st_mtime_ns
    both = load_views(photos, encoder.backbone, BLOCKS, AMOUNT, 2, tmp_path / "of")
    assert written.stat().st_mtime_ns == stamp
    assert (len(first), len(both)) == (1, 2)
    places = torch.tensor([8, 3])
    expected = encoder.backbone.early(torch.from_numpy(photos.pixels[[8, 3]]), BLOCKS)
    torch.testing.assert_close(both.at(0, places), expected, atol=0.02, rtol=0.02)
    assert not torch.equal(both.at(1, places), both.at(0, places))


def test_cells_of_a_view_are_those_of_the_encoder(
    encoder: ImageEncoder, photos: Photos, tmp_path: Path
) -> None:
    seen = load_views(photos, encoder.backbone, BLOCKS, AMOUNT, 1, tmp_path / "of")
    cells = load_cells(seen, encoder, BLOCKS, tmp_path / "cells")
    expected = encoder(torch.from_numpy(photos.pixels[:2]))
    torch.testing.assert_close(cells.cells(0, torch.arange(2)), expected, atol=0.03, rtol=0.03)
