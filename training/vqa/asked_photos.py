"""Photos with questions about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from training.caption.everyday import read_everyday
from training.caption.features import Features
from training.caption.photos import Photos, Split
from training.vqa.batches import QuestionNoise, Questions, VQABatch
from training.vqa.everyday_questions import presence_questions, written_questions
from training.vqa.questions import Question, make_questions


@dataclass(slots=True)
class BlankFeatures:
    """Zeros instead of features, so that the model learns from the questions alone."""

    features: Features

    @property
    def views(self) -> int:
        """Number of views of each photo."""
        return 1

    def cells(self, places: Tensor, view: int) -> Tensor:
        """Zeros."""
        return torch.zeros_like(self.features.cells(places, view))


@dataclass(slots=True)
class AskedPhotos:
    """Features of one set of photos, and the questions about them."""

    features: Features
    questions: Questions

    def batches(self, size: int, seed: int, noise: QuestionNoise) -> Iterator[VQABatch]:
        """Yield batches of endless epochs."""
        while True:
            yield from self.questions.epoch(size, seed, noise)
            seed += 1


AskedSets = dict[str, AskedPhotos]  # by the name of the set


def questions_of(name: str, data: Path, split: Split, photos: Photos, least: int) -> list[Question]:
    """Return the questions about a set of photos: those people wrote, and made from captions."""
    captions = dict(zip(photos.names, photos.captions, strict=True))
    if name != "everyday":
        return make_questions(captions, least if split == "train" else 2)
    annotations = read_everyday(data, split)
    written = written_questions(annotations)
    if split == "dev":
        return written
    return [*written, *presence_questions(annotations), *make_questions(captions, least)]
