"""State of a training of question answering: its network, its data and its optimizer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from heed.models.networks.vqa import VQANetwork
from heed.models.registry import build_network
from heed.models.text.tokenizer import BytePieces
from training.caption.everyday import read_everyday
from training.caption.features import FeatureLoader, Features
from training.caption.photo_sets import caption_pieces, load_photos
from training.caption.photos import SPLITS, Photos, Split
from training.common.averaging import averaged, begin_average
from training.common.saves import save_state
from training.vqa.batches import QuestionNoise, Questions, VQABatch
from training.vqa.everyday_questions import presence_questions, written_questions
from training.vqa.questions import Question, make_questions
from training.vqa.recipe import VQARecipe


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


@dataclass(slots=True)
class VQARun:
    """State of a training run: everything that a save keeps."""

    recipe: VQARecipe
    tokenizer: BytePieces
    model: VQANetwork
    train: AskedSets
    dev: AskedSets
    optimizer: torch.optim.Optimizer
    average: dict[str, Tensor]
    update: int = 0
    best: float = -1.0  # accuracy on dev, the mean over the sets

    @classmethod
    def begin(cls, recipe: VQARecipe, data: Path, runs: Path, *, blind: bool = False) -> VQARun:
        """Create a run at update 0; a blind run has blank features."""
        torch.manual_seed(recipe.schedule.seed)
        photos = {
            split: {name: load_photos(name, data, split, runs) for name in recipe.sets}
            for split in SPLITS
        }
        tokenizer = caption_pieces(data, runs, recipe.network.vocabulary)
        recipe = replace(recipe, network=replace(recipe.network, vocabulary=len(tokenizer)))
        model = build_network(recipe.network)
        loader = FeatureLoader.open(recipe, data, runs)
        splits: dict[Split, AskedSets] = {}
        for split in SPLITS:
            features = loader.load_sets(split, photos[split])
            splits[split] = {
                name: AskedPhotos(
                    BlankFeatures(features[name]) if blind else features[name],
                    Questions(
                        questions_of(name, data, split, each, recipe.least), each.names, tokenizer
                    ),
                )
                for name, each in photos[split].items()
            }
        optimizer = torch.optim.AdamW(
            model.parameters(),
            betas=(0.9, 0.98),
            weight_decay=recipe.schedule.weight_decay,
            fused=True,
        )
        average = begin_average(model)
        return cls(recipe, tokenizer, model, splits["train"], splits["dev"], optimizer, average)

    def save(self, path: Path) -> None:
        """Save the state atomically."""
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average,
            "update": self.update,
            "best": self.best,
            "random": torch.get_rng_state(),
        }
        save_state(path, state)

    def resume(self, path: Path) -> None:
        """Restore a saved state."""
        state: dict[str, Any] = torch.load(path, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.average, self.update, self.best = state["average"], state["update"], state["best"]
        torch.set_rng_state(state["random"])

    @contextmanager
    def averaged(self) -> Iterator[VQANetwork]:
        """Give the model its averaged weights within a `with` block."""
        with averaged(self.model, self.average):
            yield self.model


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
