"""Features of photos for a training: from an image encoder in training, or computed once.

Shapes: `P` photos, `K` cells, `D` width.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor

from heed.models.catalogue import DEFAULT_DIRECTORY
from heed.models.checkpoint import WEIGHTS, digest, load_image_encoder
from heed.models.networks.image_encoder import Backbone, ImageEncoder
from training.caption.backbone import load_backbone
from training.caption.photos import Photos
from training.caption.recipe import PictureRecipe
from training.caption.views import Views, load_cells, load_views
from training.common.errors import RecipeError


class Features(Protocol):
    """Source of the cells of a batch."""

    @property
    def views(self) -> int:
        """Number of views of each photo."""

    def cells(self, places: Tensor, view: int) -> Tensor:
        """Return the cells (P, K, D) of a view of these photos."""


@dataclass(slots=True)
class TrainableFeatures:
    """Features of an image encoder in training: all but its first blocks run on every batch."""

    image_encoder: ImageEncoder
    blocks: int
    seen: Views

    @property
    def views(self) -> int:
        """Number of views of each photo."""
        return len(self.seen)

    def cells(self, places: Tensor, view: int) -> Tensor:
        """Compute the cells with the current weights."""
        maps = self.image_encoder.backbone.late(self.seen.at(view, places), self.blocks)
        return self.image_encoder.of_maps(maps)


@dataclass(slots=True)
class FrozenFeatures:
    """Precomputed features of a frozen image encoder."""

    seen: Views

    @property
    def views(self) -> int:
        """Number of views of each photo."""
        return len(self.seen)

    def cells(self, places: Tensor, view: int) -> Tensor:
        """Load the precomputed cells."""
        return self.seen.cells(view, places)


@dataclass(frozen=True, slots=True)
class FeatureLoader:
    """Loads the features of photos for one recipe, all from the same image encoder."""

    recipe: PictureRecipe
    data: Path
    runs: Path
    image_encoder: ImageEncoder

    @classmethod
    def open(cls, recipe: PictureRecipe, data: Path, runs: Path) -> FeatureLoader:
        """Load the image encoder; its first blocks are those that ImageNet taught."""
        settings = recipe.image_encoder
        if not settings.trainable:
            folder = find_image_encoder(recipe.network.image_encoder, runs)
            return cls(recipe, data, runs, load_image_encoder(folder))
        if settings.start:
            image_encoder = load_image_encoder(find_image_encoder(settings.start, runs))
            image_encoder.requires_grad_(requires_grad=True)
            average_weights(image_encoder.backbone, load_backbone(data), settings.published)
        else:
            image_encoder = ImageEncoder(recipe.network.cells)
            image_encoder.backbone = load_backbone(data)
        image_encoder.backbone.freeze(settings.frozen)
        return cls(recipe, data, runs, image_encoder)

    def load(self, name: str, photos: Photos, views: int) -> Features:
        """Load the features of photos by the name of their files, or compute them once."""
        settings, folder = self.recipe.image_encoder, self.runs / "views"
        blocks = settings.cached_blocks
        backbone, amount = load_backbone(self.data), self.recipe.augmentation
        seen = load_views(photos, backbone, blocks, amount, views, folder / f"{name}-{blocks}")
        if settings.trainable:
            return TrainableFeatures(self.image_encoder, blocks, seen)
        weights = find_image_encoder(self.recipe.network.image_encoder, self.runs) / WEIGHTS
        path = folder / f"{name}-cells-{digest(weights)[:12]}"
        return FrozenFeatures(load_cells(seen, self.image_encoder, blocks, path))

    def load_sets(self, split: str, photos: Mapping[str, Photos]) -> dict[str, Features]:
        """Load the features of each set of a split; dev has one view."""
        settings = self.recipe.image_encoder
        count = settings.views if settings.trainable else settings.cached_views
        views = count if split == "train" else 1
        return {name: self.load(f"{name}-{split}", part, views) for name, part in photos.items()}


@torch.no_grad()
def average_weights(backbone: Backbone, other: Backbone, share: float) -> None:
    """Replace weights by their mean with those of another network, of which `share` is taken.

    The mean of fine-tuned and pretrained weights keeps more of what was learned first (Wortsman et
    al. 2022).
    """
    for value, learned in zip(backbone.parameters(), other.parameters(), strict=True):
        value.lerp_(learned, share)


def find_image_encoder(image_encoder: str, runs: Path) -> Path:
    """Return the folder of an image encoder: of the runs if it is there, else the shipped one."""
    for folder in (runs / image_encoder, DEFAULT_DIRECTORY / image_encoder):
        if (folder / WEIGHTS).exists():
            return folder
    raise RecipeError(f"{image_encoder}: no such image encoder, neither among the runs nor shipped")
