"""Views of photos: what an image encoder, or its first blocks, compute, cached on disk.

These weights are frozen, so their output is computed once and not in every epoch. View 0 is the
photo itself; the others are augmented at random. Each view has a file of its own, so that views
can be added, and a computation that was interrupted continues with the next.

Shapes: `N` photos, `W` views, `P` photos of a batch, `C` channels, `Y` rows and `X` columns,
`K` cells, `D` width.
"""

from __future__ import annotations

from collections.abc import Callable
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
from training.caption.photos import Photos
from training.common.batches import chunks
from training.common.mixed_precision import CPU, mixed_precision

Halves = NDArray[np.float16]

AT_ONCE = 8  # photos; more of them do not fit in the cache of a CPU, and take 1.6 times as long


@dataclass(frozen=True, slots=True)
class Views:
    """Cached views of the photos of a split."""

    seen: tuple[Halves, ...]  # W times (N, Y, X, C), or (N, K, D) of cells; mapped from the disk

    def __len__(self) -> int:
        return len(self.seen)

    def at(self, view: int, places: Tensor) -> Tensor:
        """Return the output of `Backbone.early` for a view of these photos: (P, C, Y, X)."""
        return self.cells(view, places).permute(0, 3, 1, 2)

    def cells(self, view: int, places: Tensor) -> Tensor:
        """Return the cells of a view of these photos: (P, K, D)."""
        return torch.from_numpy(self.seen[view][places.numpy()]).to(torch.float32)


def load_views(
    photos: Photos, backbone: Backbone, blocks: int, amount: Augmentation, views: int, path: Path
) -> Views:
    """Load the views of these photos, or compute the missing ones.

    The number of a view is added to the name of the path.
    """

    def early(view: int) -> Callable[[list[int]], Tensor]:
        mirrorable = torch.tensor(photos.mirrorable)
        generator = torch.Generator().manual_seed(len(photos) + view)

        def compute(some: list[int]) -> Tensor:
            places = torch.tensor(some)
            pictures = pictures_at(photos, places)
            if view:
                pictures = augmented(pictures, mirrorable[places], amount, generator)
            return backbone.early(pictures, blocks).permute(0, 2, 3, 1)

        return compute

    return _load(len(photos), early, views, path)


def load_cells(seen: Views, image_encoder: ImageEncoder, blocks: int, path: Path) -> Views:
    """Load the cells of these views from a frozen image encoder, or compute the missing ones."""

    def late(view: int) -> Callable[[list[int]], Tensor]:
        def compute(some: list[int]) -> Tensor:
            maps = image_encoder.backbone.late(seen.at(view, torch.tensor(some)), blocks)
            return image_encoder.of_maps(maps)

        return compute

    return _load(len(seen.seen[0]), late, len(seen), path)


@torch.inference_mode()
def _load(
    photos: int, compute: Callable[[int], Callable[[list[int]], Tensor]], views: int, path: Path
) -> Views:
    seen = []
    for view in range(views):
        of_view = path.with_name(f"{path.name}-view{view}.npy")
        if not of_view.exists():
            _write(photos, compute(view), of_view)
        seen.append(np.load(of_view, mmap_mode="r"))
    return Views(tuple(seen))


def _write(photos: int, compute: Callable[[list[int]], Tensor], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".part")
    array: np.memmap[Any, np.dtype[np.float16]] | None = None
    with tqdm(total=photos, unit="photo", desc=path.stem) as bar:
        for some in chunks(range(photos), AT_ONCE):
            with mixed_precision(CPU):
                output = compute(some).to(torch.float16).numpy()
            if array is None:
                shape = (photos, *output.shape[1:])
                array = np.lib.format.open_memmap(fresh, "w+", np.float16, shape)
            array[some] = output
            bar.update(len(some))
    if array is not None:
        array.flush()
    fresh.replace(path)
