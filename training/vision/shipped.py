"""Figures of a shipped Vision Transformer, on photos that no training has seen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import torch

from heed.models.families.vision_transformer.pipeline import VisionPipeline
from heed.models.rollout import rollout
from training.caption.photo_sets import LOADERS, load_photos
from training.caption.photos import Photos
from training.common.errors import BackboneError
from training.vision.quality import compare
from training.vision.recipe import VisionRecipe
from training.vision.task import load_sets, load_teacher
from training.vision.teacher import Found, join


def evaluate_vision_model(
    pipeline: VisionPipeline, data: Path, runs: Path, count: int
) -> dict[str, float]:
    """Measure a model on so many photos of each dev set, with the runtime that serves it."""
    recipe = VisionRecipe.named(pipeline.card.id)
    if recipe.network != pipeline.runtime.config:
        raise BackboneError(f"{pipeline.card.id} is not the network that its recipe describes")
    photo_sets = load_sets(load_teacher(recipe, runs, data), runs, data, "dev")
    sets = [load_photos(name, data, "dev", runs) for name in LOADERS]
    teacher = join([_first(photo_set, count) for photo_set in photo_sets])
    looked = [
        (looked_at.log_probabilities, rollout(looked_at.weights)[1:])
        for photos in sets
        for picture in islice(_pictures(photos), count)
        for looked_at in pipeline.runtime.look([picture])
    ]
    logits, read = (torch.from_numpy(np.stack(parts)) for parts in zip(*looked, strict=True))
    return {name: round(value, 4) for name, value in compare(logits, read, teacher).items()}


def _first(photos: Found, count: int) -> Found:
    return photos.at(range(min(len(photos), count)))


def _pictures(photos: Photos) -> Iterator[np.ndarray[tuple[int, ...], np.dtype[np.uint8]]]:
    yield from (np.array(picture) for picture in photos.pixels)
