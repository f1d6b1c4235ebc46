"""State of a captioner's training: its networks, its data and its optimizer."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from heed.models.checkpoint import load_image_network, tokenizer_of
from heed.models.networks.image_encoder import ImageEncoder
from heed.models.registry import CaptionNetwork, build_network
from heed.models.text.tokenizer import BytePieces
from training.caption.batches import CaptionBatch, caption_batches, caption_ids
from training.caption.features import FeatureLoader, Features
from training.caption.losses import Baseline, CaptionLosses
from training.caption.photo_sets import caption_pieces, load_photos
from training.caption.photos import SPLITS, Photos, Split
from training.caption.recipe import CaptionRecipe
from training.caption.self_critical import Reward
from training.common.checkpoints import find_checkpoint
from training.common.saves import save_state


@dataclass(slots=True)
class Captions:
    """Features of one set of photos, and the ids of its captions."""

    features: Features
    ids: Sequence[Sequence[Sequence[int]]]
    judged: Reward | None = None

    @property
    def reward(self) -> Reward:
        """Reward of a caption of one of its photos."""
        if self.judged is None:
            self.judged = Reward(self.ids)
        return self.judged

    def batches(self, size: int, seed: int) -> Iterator[CaptionBatch]:
        """Yield batches of endless epochs."""
        while True:
            yield from caption_batches(self.ids, size, seed)
            seed += 1


CaptionSets = dict[str, Captions]  # by the name of the set


@dataclass(slots=True)
class CaptionRun:
    """State of a training run: everything that a save keeps."""

    recipe: CaptionRecipe
    tokenizer: BytePieces
    model: CaptionNetwork
    image_encoder: ImageEncoder
    train: CaptionSets
    dev: CaptionSets
    parts: nn.ModuleDict
    losses: CaptionLosses
    optimizer: torch.optim.Optimizer
    average: dict[str, Tensor]
    update: int = 0
    best: float = math.inf

    @classmethod
    def begin(cls, recipe: CaptionRecipe, data: Path, runs: Path) -> CaptionRun:
        """Create a run at update 0."""
        torch.manual_seed(recipe.schedule.seed)
        photos = {
            split: {
                name: load_photos(name, data, split, runs, own_captions=recipe.own_captions)
                for name in recipe.sets
            }
            for split in SPLITS
        }
        tokenizer = caption_pieces(data, runs, recipe.network.vocabulary)
        network = replace(recipe.network, vocabulary=len(tokenizer))
        model = build_network(network)
        if recipe.start:
            start_from(model, tokenizer, find_checkpoint(recipe.start, runs))
        loader = FeatureLoader.open(recipe, data, runs)
        train, dev = (_captions(loader, split, photos[split], tokenizer) for split in SPLITS)
        parts = nn.ModuleDict({"model": model, "image_encoder": loader.image_encoder})
        baseline = None
        if network.mechanism == "hard":
            parts["baseline"] = baseline = Baseline(network.decoder_width + network.embedding)
        recipe = replace(recipe, network=network)
        return cls(
            recipe,
            tokenizer,
            model,
            loader.image_encoder,
            train,
            dev,
            parts,
            CaptionLosses(recipe, model, baseline),
            _optimizer(recipe, parts),
            trainable_weights(parts),
        )

    def save(self, path: Path) -> None:
        """Save the state atomically."""
        state = {
            "parts": self.parts.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average,
            "update": self.update,
            "best": self.best,
        }
        save_state(path, state)

    def resume(self, path: Path) -> None:
        """Restore a saved state."""
        state: dict[str, Any] = torch.load(path, weights_only=True)
        self.parts.load_state_dict(state["parts"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.average, self.update, self.best = state["average"], state["update"], state["best"]


def _captions(
    loader: FeatureLoader, split: Split, photos: dict[str, Photos], tokenizer: BytePieces
) -> CaptionSets:
    features = loader.load_sets(split, photos)
    return {
        name: Captions(features[name], caption_ids(each, tokenizer))
        for name, each in photos.items()
    }


@torch.no_grad()
def start_from(model: CaptionNetwork, tokenizer: BytePieces, folder: Path) -> None:
    """Copy every tensor of the same name and shape from another model.

    Of embeddings and the output bias, the rows of the pieces that both tokenizers have.
    """
    network = load_image_network(folder)
    shared = tokenizer.places_of(tokenizer_of(folder))
    own, theirs = torch.tensor(list(shared)), torch.tensor(list(shared.values()))
    by_piece = (len(tokenizer), network.config.vocabulary)
    learned = dict(network.named_parameters())
    for name, value in model.named_parameters():
        other = learned.get(name)
        if other is None or other.shape[1:] != value.shape[1:]:
            continue
        if (len(value), len(other)) == by_piece:
            value[own] = other[theirs]
        elif len(value) == len(other):
            value.copy_(other)


def trainable_weights(parts: nn.Module) -> dict[str, Tensor]:
    """Return copies of all parameters that are trained: the running average at update 0."""
    return {
        name: value.detach().clone()
        for name, value in parts.named_parameters()
        if value.requires_grad
    }


def _optimizer(recipe: CaptionRecipe, parts: nn.ModuleDict) -> torch.optim.Optimizer:
    """Make the optimizer; the backbone learns more slowly than the rest."""
    slow: list[nn.Parameter] = []
    fast: list[nn.Parameter] = []
    for name, value in parts.named_parameters():
        if value.requires_grad:
            (slow if name.startswith("image_encoder.backbone") else fast).append(value)
    groups: list[dict[str, Any]] = [{"params": fast, "share": 1.0}]
    if slow:
        groups.append({"params": slow, "share": recipe.image_encoder.rate})
    return torch.optim.AdamW(
        groups, betas=(0.9, 0.98), weight_decay=recipe.schedule.weight_decay, fused=True
    )
