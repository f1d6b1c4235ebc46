"""Views of photos: the output of the first blocks of the image encoder, cached on disk.

These blocks are frozen, so their output is computed once and not in every epoch. View 0 is the
photo itself; the others are augmented at random.

Shapes: `N` photos, `W` views, `P` photos of a batch, `C` channels, `Y` rows and `X` columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from tqdm import tqdm

from heed.models.networks.image_encoder import Backbone, ImageEncoder
from training.caption.augmentation import Augmentation, augmented
from training.caption.batches import pictures_at
from training.caption.flickr8k import Photos
from training.common.batches import chunks

Halves = NDArray[np.float16]

AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Views:
    """Cached views of the photos of a split."""

    seen: Halves  # (W, N, Y, X, C), or (W, N, K, D) of cells; mapped from the disk

    def at(self, view: int, places: Tensor) -> Tensor:
        """Return the output of `Backbone.early` for a view of these photos: (P, C, Y, X)."""
        found = torch.from_numpy(self.seen[view, places.numpy()])
        return found.to(torch.float32).permute(0, 3, 1, 2)

    def cells(self, view: int, places: Tensor) -> Tensor:
        """Return the cells of a view of these photos: (P, K, D)."""
        return torch.from_numpy(self.seen[view, places.numpy()]).to(torch.float32)


def load_views(
    photos: Photos,
    backbone: Backbone,
    blocks: int,
    amount: Augmentation,
    views: int,
    path: Path,
    half: bool,
) -> Views:
    """Load the views of these photos, or compute them the first time."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".part")
        _write(photos, backbone, blocks, amount, views, fresh, half)
        fresh.replace(path)
    return Views(np.load(path, mmap_mode="r"))


@torch.inference_mode()
def _write(
    photos: Photos,
    backbone: Backbone,
    blocks: int,
    amount: Augmentation,
    views: int,
    path: Path,
    half: bool,
) -> None:
    mirrorable = torch.tensor(photos.mirrorable)
    generator = torch.Generator().manual_seed(len(photos))
    array: np.memmap[Any, np.dtype[np.float16]] | None = None
    device = next(backbone.parameters()).device
    with tqdm(total=views * len(photos), unit="photo", desc="views") as bar:
        for view in range(views):
            for some in chunks(range(len(photos)), AT_ONCE):
                places = torch.tensor(some)
                pictures = pictures_at(photos, places)
                if view:
                    pictures = augmented(pictures, mirrorable[places], amount, generator)
                with torch.autocast(device.type, torch.bfloat16, enabled=half):
                    seen = backbone.early(pictures.to(device), blocks)
                output = seen.permute(0, 2, 3, 1).to("cpu", torch.float16).numpy()
                if array is None:
                    shape = (views, len(photos), *output.shape[1:])
                    array = np.lib.format.open_memmap(path, "w+", np.float16, shape)
                array[view, places.numpy()] = output
                bar.update(len(places))
    if array is not None:
        array.flush()


@torch.inference_mode()
def load_cells(
    seen: Views, image_encoder: ImageEncoder, blocks: int, path: Path, half: bool
) -> Views:
    """Load the cells of these views from a frozen image encoder, or compute them once."""
    if path.exists():
        return Views(np.load(path, mmap_mode="r"))
    fresh = path.with_suffix(".part")
    array: np.memmap[Any, np.dtype[np.float16]] | None = None
    views, photos = seen.seen.shape[:2]
    with tqdm(total=views * photos, unit="photo", desc="cells") as bar:
        for view in range(views):
            for some in chunks(range(photos), AT_ONCE):
                with torch.autocast("cpu", torch.bfloat16, enabled=half):
                    maps = image_encoder.backbone.late(seen.at(view, torch.tensor(some)), blocks)
                    output = image_encoder.of_maps(maps).to(torch.float16).numpy()
                if array is None:
                    shape = (views, photos, *output.shape[1:])
                    array = np.lib.format.open_memmap(fresh, "w+", np.float16, shape)
                array[view, some] = output
                bar.update(len(some))
    if array is not None:
        array.flush()
    fresh.replace(path)
    return Views(np.load(path, mmap_mode="r"))
