"""The task of a captioner: captions of photos.

The image encoder is trained with the first captioner only; the others use its features, which are
computed once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import nn

from heed.models.checkpoint import save_image_encoder
from heed.models.registry import CaptionNetwork, build_network
from heed.models.text.tokenizer import PAD
from training.caption.batches import LONGEST, CaptionBatch, caption_batches
from training.caption.captions import Captions, load_captions
from training.caption.features import FeatureLoader
from training.caption.losses import Baseline, CaptionLosses
from training.caption.photo_sets import caption_pieces, load_photos
from training.caption.photos import SPLITS
from training.caption.recipe import CaptionRecipe
from training.caption.self_critical import compute_rewards, sample_captions
from training.common.checkpoints import copy_weights, find_checkpoint
from training.common.command_line import DATA, RUNS
from training.common.mixed_precision import CPU, mixed_precision
from training.common.schedule import is_self_critical
from training.common.task import Loss, Quality, Task, language, limits

SetBatches = Mapping[str, CaptionBatch]  # a batch of each set, by its name


class CaptionTask(Task[CaptionRecipe, SetBatches]):
    """A captioner, with its image encoder and what only its training needs."""

    recipe_type = CaptionRecipe
    average_every = 4  # the running average is bound by memory
    model: nn.ModuleDict

    def __init__(
        self, recipe: CaptionRecipe, data: Path = DATA, runs: Path = RUNS, *, baseline: bool = False
    ) -> None:
        super().__init__(recipe, data, runs, baseline=baseline)
        photos = {
            split: {
                name: load_photos(name, data, split, runs, own_captions=recipe.own_captions)
                for name in recipe.sets
            }
            for split in SPLITS
        }
        self.tokenizer = tokenizer = caption_pieces(data, runs, recipe.network.vocabulary)
        network = replace(recipe.network, vocabulary=len(tokenizer))
        self.recipe = recipe = replace(recipe, network=network)
        self.captioner: CaptionNetwork = build_network(network)
        if recipe.start:
            copy_weights(self.captioner, tokenizer, find_checkpoint(recipe.start, runs))
        loader = FeatureLoader.open(recipe, data, runs)
        self.image_encoder = loader.image_encoder
        self.train, self.dev = (
            load_captions(loader, split, photos[split], tokenizer) for split in SPLITS
        )
        parts = {"model": self.captioner, "image_encoder": self.image_encoder}
        self.model = nn.ModuleDict(parts)
        expected = None
        if network.mechanism == "hard":
            expected = Baseline(network.decoder_width + network.embedding)
            self.model["baseline"] = expected
        self.phase = recipe.self_critical
        self._losses = CaptionLosses(recipe, self.captioner, expected)

    @property
    def network(self) -> CaptionNetwork:
        """The captioner."""
        return self.captioner

    def optimizer(self) -> torch.optim.Optimizer:
        """Build the optimizer; the backbone learns later and more slowly than the rest."""
        slow: list[nn.Parameter] = []
        fast: list[nn.Parameter] = []
        for name, value in self.model.named_parameters():
            if value.requires_grad:
                (slow if name.startswith("image_encoder.backbone") else fast).append(value)
        groups: list[dict[str, Any]] = [{"params": fast, "share": 1.0}]
        if slow:
            settings = self.recipe.image_encoder
            groups.append({"params": slow, "share": settings.rate, "after": settings.after})
        decay = self.recipe.schedule.weight_decay
        return torch.optim.AdamW(groups, betas=self.betas, weight_decay=decay, fused=True)

    def epoch(self, number: int) -> Iterator[SetBatches]:
        """Yield endless batches."""
        seed, sizes = self.recipe.schedule.seed * 1_000_003 + number, self.recipe.photos_of_sets()
        streams = {name: part.batches(sizes[name], seed) for name, part in self.train.items()}
        while True:
            yield {name: next(stream) for name, stream in streams.items()}

    def losses(self, batch: SetBatches) -> Iterator[Loss]:
        """Yield the loss of each set in nats a token, or its self-critical loss and mean reward.

        A set counts by its captions, as if all were in one batch; one batch would be padded to the
        photo with most captions.
        """
        critical = is_self_critical(self.recipe.schedule, self.phase, self.update)
        self.model.train(not critical)  # samples and loss come from the same network: no dropout
        captions = {name: len(part.target) for name, part in batch.items()}
        for name, part in batch.items():
            share = captions[name] / sum(captions.values())
            yield self._loss(self.train[name], part, critical=critical)._replace(share=share)

    def _loss(self, captions: Captions, batch: CaptionBatch, *, critical: bool) -> Loss:
        """Return the loss of a batch of one set."""
        view = int(torch.randint(captions.features.views, ()))
        with mixed_precision(CPU):
            cells = captions.features.cells(batch.places, view)
        if not critical:
            return self._losses.supervised(cells, batch, learning=True)
        reward_loss = self._losses.self_critical(cells, batch.places, captions.reward)
        if not self.phase.reference_weight:
            return reward_loss
        references = self._losses.supervised(cells, batch, learning=False).total
        return reward_loss._replace(
            total=reward_loss.total + self.phase.reference_weight * references
        )

    @torch.no_grad()
    def evaluate(self) -> Quality:
        """Measure the dev loss on each set; the mean decides."""
        losses = {name: self.dev_loss(part) for name, part in self.dev.items()}
        summary = ", ".join(f"{name} {value:.4f}" for name, value in losses.items())
        return Quality(f"dev loss: {summary}", sum(losses.values()) / len(losses))

    def dev_loss(self, captions: Captions) -> float:
        """Return the loss in nats a token; in the self-critical phase, minus the mean reward."""
        if is_self_critical(self.recipe.schedule, self.phase, self.update - 1):
            return -self._dev_reward(captions)
        total = tokens = 0.0
        for batch in caption_batches(captions.ids, self.recipe.schedule.batch, 0):
            count = int((batch.target != PAD).sum())
            cells = captions.features.cells(batch.places, 0)
            total += count * float(self._losses.supervised(cells, batch, learning=False).shown)
            tokens += count
        return total / tokens

    def _dev_reward(self, captions: Captions) -> float:
        """Return the mean reward of greedy captions."""
        rewards = []
        for batch in caption_batches(captions.ids, self.recipe.schedule.batch, 0):
            with mixed_precision(CPU):
                cells = captions.features.cells(batch.places, 0)
                written = sample_captions(self.captioner, cells, 1, LONGEST)
            penalty = self.recipe.repetition_penalty
            rewards.append(compute_rewards(written, batch.places, captions.reward, penalty))
        return float(torch.cat(rewards).mean())

    def write(self, folder: Path) -> None:
        """Write the weights as a checkpoint, and the image encoder if it is trained."""
        if self.recipe.image_encoder.trainable:
            save_image_encoder(self.runs / self.recipe.network.image_encoder, self.image_encoder)
        super().write(folder)

    def card(self) -> dict[str, Any]:
        """Return the kinds of input and output."""
        recipe = self.recipe
        return {
            "source": language("picture", "Picture"),
            "target": language("en", "English"),
            "limits": limits(recipe.characters, recipe.steps, recipe.steps),
        }
