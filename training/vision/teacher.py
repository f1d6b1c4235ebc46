"""Outputs of the convolutional network for photos, computed once and kept on disk.

It is the published network that knows ImageNet: its class probabilities, its two feature maps
reduced to their main components, and the activation of its likeliest class.

Shapes: `N` photos, `P` photos of a batch, `C` classes, `K` cells of a map, `D` components.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

from heed.models.networks.image_encoder import Backbone, Maps
from training.caption.backbone import Classifier, load_backbone, load_classifier
from training.caption.batches import pictures_at
from training.caption.photos import Photos
from training.common.batches import chunks
from training.common.mixed_precision import CPU, mixed_precision

AT_ONCE = 8  # photos; more of them do not fit in the cache of a CPU
FITTED = 512  # photos from whose cells the components are computed
DEEP_COMPONENTS, MIDDLE_COMPONENTS = 192, 64


class Found(NamedTuple):
    """Outputs of the teacher for photos; the student goes on from its cells."""

    cells: Any  # (P, 196, …), after its first blocks
    logits: Any  # (P, C), logarithms of the probabilities
    deep: Any  # (P, 49, D)
    middle: Any  # (P, 196, D)
    activation: Any  # (P, 49), of the likeliest class

    def __len__(self) -> int:
        return len(self.logits)

    def at(self, places: Sequence[int] | np.ndarray[Any, Any]) -> Found:
        """Return these photos, as tensors; photos are read in the order of the disk."""
        order = np.argsort(places)
        back = np.argsort(order)
        wanted = np.asarray(places)[order]
        return Found(*(torch.from_numpy(tensor[wanted][back]) for tensor in self))


class Components(NamedTuple):
    """The main components of the cells of a map."""

    mean: Tensor  # (channels,)
    directions: Tensor  # (channels, D), scaled so that a component has a variance of 1 on average

    @classmethod
    def fit(cls, cells: Tensor, count: int) -> Components:
        """Compute the components of cells (…, channels).

        In 64 bits: in 32, LAPACK finds NaN where there are fewer cells than channels.
        """
        flat = cells.flatten(0, -2).to(torch.float64)
        mean = flat.mean(dim=0)
        values, vectors = torch.linalg.eigh(torch.cov((flat - mean).T))
        spread = values[-count:].mean().clamp(min=1e-12).sqrt()  # of rounding alone below zero
        return cls(mean.to(torch.float32), (vectors[:, -count:] / spread).to(torch.float32))

    def of(self, cells: Tensor) -> Tensor:
        """Project cells (…, channels) onto the components: (…, D)."""
        return (cells - self.mean) @ self.directions


@dataclass(frozen=True, slots=True)
class Teacher:
    """The convolutional network with its classes, and the components of its maps."""

    backbone: Backbone
    classifier: Classifier
    blocks: int  # the first ones, which the student has, too
    deep: Components
    middle: Components

    @classmethod
    @torch.inference_mode()
    def load(cls, data: Path, blocks: int, photos: Photos, path: Path) -> Teacher:
        """Load the network; its components are computed from some of these photos, once."""
        backbone, classifier = load_backbone(data), load_classifier(data)
        if not path.exists():
            places = torch.arange(0, len(photos), max(len(photos) // FITTED, 1))[:FITTED]
            maps = [
                _cells(_maps(backbone, pictures_at(photos, some), blocks)[1])
                for some in places.split(AT_ONCE)  # type: ignore[no-untyped-call]
            ]
            fitted = (
                Components.fit(torch.cat([features[0] for features in maps]), DEEP_COMPONENTS),
                Components.fit(torch.cat([features[1] for features in maps]), MIDDLE_COMPONENTS),
            )
            path.parent.mkdir(parents=True, exist_ok=True)
            torch.save([tuple(components) for components in fitted], path)
        deep, middle = (
            Components(*components) for components in torch.load(path, weights_only=True)
        )
        return cls(backbone, classifier, blocks, deep, middle)

    @torch.inference_mode()
    def find(self, pictures: Tensor) -> Found:
        """Run the network on pictures as bytes (P, Y, X, 3)."""
        early, maps = _maps(self.backbone, pictures, self.blocks)
        logits = self.classifier.logits(maps.deep.mean(dim=(2, 3))).log_softmax(dim=-1)
        rows = torch.arange(len(logits))
        activation = self.classifier.activation(maps)[rows, logits.argmax(dim=-1)].flatten(1)
        deep, middle = _cells(maps)
        cells = early.flatten(2).transpose(1, 2)
        outputs = (cells, logits, self.deep.of(deep), self.middle.of(middle), activation)
        return Found(*(tensor.to(torch.float16).numpy() for tensor in outputs))


def _maps(backbone: Backbone, pictures: Tensor, blocks: int) -> tuple[Tensor, Maps]:
    with mixed_precision(CPU):
        early = backbone.early(pictures, blocks)
        maps = backbone.late(early, blocks)
    return early, Maps(maps.middle.to(torch.float32), maps.deep.to(torch.float32))


def _cells(maps: Maps) -> tuple[Tensor, Tensor]:
    deep, middle = (features.flatten(2).transpose(1, 2) for features in (maps.deep, maps.middle))
    return deep, middle


def load_found(photos: Photos, teacher: Teacher, folder: Path) -> Found:
    """Map what the teacher finds in these photos from a folder, which is written once."""
    if not folder.exists():
        _write(photos, teacher, folder)
    return Found(*(np.load(folder / f"{name}.npy", mmap_mode="r") for name in Found._fields))


def join(parts: Sequence[Found]) -> Found:
    """Join photos, as tensors."""
    return Found(*(torch.cat(parts_of_one) for parts_of_one in zip(*parts, strict=True)))


def _write(photos: Photos, teacher: Teacher, folder: Path) -> None:
    """Write a folder, whole or not at all."""
    fresh = folder.with_suffix(".part")
    fresh.mkdir(parents=True, exist_ok=True)
    arrays: list[Any] = []
    for places in tqdm(list(chunks(range(len(photos)), AT_ONCE)), desc=folder.name):
        outputs = teacher.find(pictures_at(photos, torch.tensor(places)))
        if not arrays:
            arrays = [
                np.lib.format.open_memmap(
                    fresh / f"{name}.npy", "w+", part.dtype, (len(photos), *part.shape[1:])
                )
                for name, part in zip(Found._fields, outputs, strict=True)
            ]
        for array, part in zip(arrays, outputs, strict=True):
            array[places] = part
    for array in arrays:
        array.flush()
    fresh.rename(folder)
