"""`python -m training.caption.train MODEL`: train a captioner.

The image encoder is trained with the first captioner only; the others use its features, which are
computed once. An interrupted run continues from its last save.

Shapes: `P` photos, `C` captions of each, `Q` steps, `K` cells, `D` width, `V` vocabulary.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn
from tqdm import tqdm

from heed.models.catalogue import DEFAULT_DIRECTORY
from heed.models.checkpoint import (
    WEIGHTS,
    digest,
    load_image_encoder,
    load_image_network,
    save_checkpoint,
    save_image_encoder,
)
from heed.models.networks.image_encoder import ImageEncoder
from heed.models.registry import CaptionNetwork, build_network
from heed.models.text.tokenizer import PAD, BytePieces
from training.caption.backbone import load_backbone
from training.caption.batches import LONGEST, CaptionBatch, caption_batches, caption_ids
from training.caption.caption_forward import (
    DrawnCells,
    attention_entropy,
    discounted_returns,
    doubly_stochastic_penalty,
    nll,
    teacher_force,
)
from training.caption.flickr8k import Photos, caption_pieces, load_photos
from training.caption.recipe import CaptionRecipe, ImageRecipe
from training.caption.self_critical import (
    Reward,
    compute_rewards,
    sample_captions,
    self_critical_loss,
)
from training.caption.views import Views, load_cells, load_views
from training.common.averaging import swap_weights, update_average
from training.common.checkpoints import find_checkpoint
from training.common.command_line import training_parser
from training.common.errors import BackboneError, CorpusError, RecipeError
from training.common.loss import projected_cross_entropy
from training.common.mixed_precision import CPU, has_bfloat16, mixed_precision
from training.common.schedule import (
    average_decay,
    is_self_critical,
    phase_learning_rate,
    phase_schedule,
)

CAPTIONS = 5  # of each photo
AVERAGE_EVERY = 4  # updates between two steps of the running average, which is bound by memory


class Baseline(nn.Module):
    """Baseline of REINFORCE: the expected return of a step; it is not shipped."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.guess = nn.Linear(width, 1)

    def forward(self, asking: Tensor) -> Tensor:
        """Return the expected return (P, C, Q) for the queries (P, C, Q, D)."""
        return self.guess(asking.to(torch.float32))[..., 0]


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
        return len(self.seen.seen)

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
        return len(self.seen.seen)

    def cells(self, places: Tensor, view: int) -> Tensor:
        """Load the precomputed cells."""
        return self.seen.cells(view, places)


@dataclass(slots=True)
class Captions:
    """Features of a split, and the ids of its captions."""

    features: Features
    ids: Sequence[Sequence[Sequence[int]]]
    judged: Reward | None = None

    @property
    def reward(self) -> Reward:
        """Reward of a caption of one of its photos."""
        if self.judged is None:
            self.judged = Reward(self.ids)
        return self.judged


@dataclass(slots=True)
class CaptionRun:
    """State of a training run: everything that a save keeps."""

    recipe: CaptionRecipe
    tokenizer: BytePieces
    model: CaptionNetwork
    image_encoder: ImageEncoder
    train: Captions
    dev: Captions
    parts: nn.ModuleDict
    optimizer: torch.optim.Optimizer
    average: dict[str, Tensor]
    update: int = 0
    best: float = math.inf

    @classmethod
    def begin(cls, recipe: CaptionRecipe, data: Path, runs: Path) -> CaptionRun:
        """Create a run at update 0."""
        torch.manual_seed(recipe.schedule.seed)
        splits = {split: load_photos(data, split, runs) for split in ("train", "dev")}
        tokenizer = caption_pieces(splits["train"], runs)
        network = replace(recipe.network, vocabulary=len(tokenizer))
        model = build_network(network)
        if recipe.start:
            start_from(model, find_checkpoint(recipe.start, runs))
        image_encoder, features = load_features(recipe, data, runs, splits)
        captions = {
            split: Captions(features[split], caption_ids(photos, tokenizer))
            for split, photos in splits.items()
        }
        parts = nn.ModuleDict({"model": model, "image_encoder": image_encoder})
        if network.mechanism == "hard":
            parts["baseline"] = Baseline(network.decoder_width + network.embedding)
        optimizer = torch.optim.AdamW(
            _groups(recipe, parts),
            betas=(0.9, 0.98),
            weight_decay=recipe.schedule.weight_decay,
            fused=True,
        )
        average = {
            name: value.detach().clone()
            for name, value in parts.named_parameters()
            if value.requires_grad
        }
        recipe = replace(recipe, network=network)
        return cls(
            recipe,
            tokenizer,
            model,
            image_encoder,
            captions["train"],
            captions["dev"],
            parts,
            optimizer,
            average,
        )

    def save(self, path: Path) -> None:
        """Save the state atomically."""
        fresh = path.with_suffix(".part")
        state = {
            "parts": self.parts.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average,
            "update": self.update,
            "best": self.best,
        }
        torch.save(state, fresh)
        fresh.replace(path)

    def resume(self, path: Path) -> None:
        """Restore a saved state."""
        state: dict[str, Any] = torch.load(path, weights_only=True)
        self.parts.load_state_dict(state["parts"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.average, self.update, self.best = state["average"], state["update"], state["best"]


def load_features(
    recipe: ImageRecipe, data: Path, runs: Path, splits: dict[str, Photos]
) -> tuple[ImageEncoder, dict[str, Features]]:
    """Load the image encoder and the features of each split; dev has one view."""
    halved = has_bfloat16(CPU)
    blocks = recipe.image_encoder.cached_blocks
    counts = {"train": recipe.image_encoder.views, "dev": 1}
    features: dict[str, Features] = {}
    if recipe.image_encoder.trainable:
        image_encoder = ImageEncoder(recipe.network.cells)
        image_encoder.backbone = load_backbone(data)
        image_encoder.backbone.freeze(recipe.image_encoder.frozen)
    else:
        image_encoder = load_image_encoder(find_image_encoder(recipe.network.image_encoder, runs))
    for split, photos in splits.items():
        count = counts[split]
        path = runs / "views" / f"{split}-{blocks}-{count}.npy"
        seen = load_views(
            photos, load_backbone(data), blocks, recipe.augmentation, count, path, halved
        )
        if recipe.image_encoder.trainable:
            features[split] = TrainableFeatures(image_encoder, blocks, seen)
        else:
            mark = digest(find_image_encoder(recipe.network.image_encoder, runs) / WEIGHTS)[:12]
            seen = Views(seen.seen[: recipe.image_encoder.cached_views])
            cells = runs / "views" / f"{split}-cells-{mark}-{len(seen.seen)}.npy"
            features[split] = FrozenFeatures(load_cells(seen, image_encoder, blocks, cells, halved))
    return image_encoder, features


def find_image_encoder(image_encoder: str, runs: Path) -> Path:
    """Return the folder of an image encoder: of the runs if it is there, else the shipped one."""
    for folder in (runs / image_encoder, DEFAULT_DIRECTORY / image_encoder):
        if (folder / WEIGHTS).exists():
            return folder
    raise RecipeError(f"{image_encoder}: no such image encoder, neither among the runs nor shipped")


@torch.no_grad()
def start_from(model: CaptionNetwork, folder: Path) -> None:
    """Copy every tensor of the same name and shape from another model."""
    learned = dict(load_image_network(folder).named_parameters())
    for name, value in model.named_parameters():
        if name in learned and learned[name].shape == value.shape:
            value.copy_(learned[name])


def _groups(recipe: CaptionRecipe, parts: nn.ModuleDict) -> list[dict[str, Any]]:
    """Group the parameters: the backbone learns more slowly than the rest."""
    slow: list[nn.Parameter] = []
    fast: list[nn.Parameter] = []
    for name, value in parts.named_parameters():
        if value.requires_grad:
            (slow if name.startswith("image_encoder.backbone") else fast).append(value)
    groups: list[dict[str, Any]] = [{"params": fast, "share": 1.0}]
    if slow:
        groups.append({"params": slow, "share": recipe.image_encoder.rate})
    return groups


def batches(run: CaptionRun) -> Iterator[CaptionBatch]:
    """Yield batches of endless epochs; a resumed run draws others than the interrupted one."""
    seed = run.recipe.schedule.seed * 1_000_003 + run.update
    while True:
        yield from caption_batches(run.train.ids, run.recipe.schedule.batch, seed)
        seed += 1


def training_loss(
    run: CaptionRun, features: Features, batch: CaptionBatch, view: int
) -> tuple[Tensor, Tensor]:
    """Return the total loss, and its cross-entropy in nats a token, without padding."""
    recipe, learning = run.recipe, run.parts.training
    photos = len(batch.places)
    fed, target = (each.view(photos, CAPTIONS, -1) for each in (batch.fed, batch.target))
    real = target != PAD
    with mixed_precision(CPU):
        cells = features.cells(batch.places, view)
        softened = recipe.hard_attention.softened if learning else 0.0
        output = teacher_force(run.model, cells, fed, softened)
    readouts = output.readouts[real]
    smoothing = recipe.schedule.label_smoothing if learning else 0.0
    words = projected_cross_entropy(
        readouts.bfloat16() if has_bfloat16(CPU) else readouts.float(),
        run.model.output.weight,
        run.model.output.bias,
        target[real],
        smoothing,
    )
    total = words
    if learning and output.weights is not None:
        length = real.sum(dim=-1).float().mean()
        total = (
            total
            + recipe.doubly_stochastic_penalty
            * doubly_stochastic_penalty(output.weights, real)
            / length
        )
        total = total + recipe.entropy_penalty * attention_entropy(output.weights, real)
    if learning and output.drawn is not None and recipe.hard_attention.rate:
        with torch.no_grad():
            rewards = -nll(run.model, output.readouts.float(), target)
        total = total + policy_loss(run, output.drawn, rewards, real)
    return total, words


def policy_loss(run: CaptionRun, drawn: DrawnCells, rewards: Tensor, real: Tensor) -> Tensor:
    """REINFORCE with a learned baseline and a reward for entropy (Xu et al. 2015, section 4.1)."""
    drawing = run.recipe.hard_attention
    gained = discounted_returns(rewards, real, drawing.discount)
    expected = run.parts["baseline"](drawn.asking)
    counted = (real * drawn.alone.bool()).float()
    count = counted.sum().clamp_min(1.0)
    better = (gained - expected).detach()
    scale = (better.square() * counted).sum().div(count).sqrt().clamp_min(1e-3)
    policy = -(better / scale * drawn.log_probability * counted).sum() / count
    undecided = (drawn.entropy * counted).sum() / count
    missed = ((gained - expected).square() * counted).sum() / count
    return drawing.rate * policy - drawing.entropy * undecided + missed


def self_critical_losses(run: CaptionRun, batch: CaptionBatch, view: int) -> tuple[Tensor, Tensor]:
    """Return the self-critical loss and the mean reward of the samples."""
    recipe, phase = run.recipe, run.recipe.self_critical
    with mixed_precision(CPU):
        cells = run.train.features.cells(batch.places, view)
        captions = sample_captions(run.model, cells, phase.draws, LONGEST, phase.temperature)
        rewards = compute_rewards(captions, batch.places, run.train.reward)
        total, output, real = self_critical_loss(
            run.model, cells, captions, rewards, phase.temperature
        )
    if output.weights is not None:
        length = real.sum(dim=-1).float().mean()
        total = (
            total
            + recipe.doubly_stochastic_penalty
            * doubly_stochastic_penalty(output.weights, real)
            / length
        )
        total = total + recipe.entropy_penalty * attention_entropy(output.weights, real)
    return total, rewards.mean()


def train_step(run: CaptionRun, batch: CaptionBatch) -> float:
    """Make one update; return the loss in nats a token, or the mean reward."""
    schedule, phase = run.recipe.schedule, run.recipe.self_critical
    for group in run.optimizer.param_groups:
        waits = group["share"] < 1 and run.update < run.recipe.image_encoder.after
        group["lr"] = (
            0.0 if waits else group["share"] * phase_learning_rate(schedule, phase, run.update)
        )
    view = int(torch.randint(run.train.features.views, ()))
    if is_self_critical(schedule, phase, run.update):
        run.parts.eval()  # no dropout: samples and loss come from the same network
        total, words = self_critical_losses(run, batch, view)
        if phase.reference_weight:
            total = (
                total
                + phase.reference_weight * training_loss(run, run.train.features, batch, view)[0]
            )
    else:
        run.parts.train()
        total, words = training_loss(run, run.train.features, batch, view)
    run.optimizer.zero_grad(set_to_none=True)
    total.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(run.parts.parameters(), schedule.clip)
    run.optimizer.step()
    run.update += 1
    if run.update % AVERAGE_EVERY == 0:
        now = phase_schedule(schedule, phase, run.update)
        update_average(run.average, run.parts, average_decay(now, run.update) ** AVERAGE_EVERY)
    return float(words.detach())


@torch.no_grad()
def dev_loss(run: CaptionRun) -> float:
    """Return the dev loss in nats a token; in the self-critical phase, minus the mean reward."""
    if is_self_critical(run.recipe.schedule, run.recipe.self_critical, run.update - 1):
        return -dev_reward(run)
    total = tokens = 0.0
    for batch in caption_batches(run.dev.ids, run.recipe.schedule.batch, 0):
        count = int((batch.target != PAD).sum())
        total += count * float(training_loss(run, run.dev.features, batch, 0)[1])
        tokens += count
    return total / tokens


def dev_reward(run: CaptionRun) -> float:
    """Return the mean reward of greedy captions of dev."""
    found = []
    for batch in caption_batches(run.dev.ids, run.recipe.schedule.batch, 0):
        with mixed_precision(CPU):
            cells = run.dev.features.cells(batch.places, 0)
            captions = sample_captions(run.model, cells, 1, LONGEST)
        found.append(compute_rewards(captions, batch.places, run.dev.reward))
    return float(torch.cat(found).mean())


@torch.no_grad()
def keep_best(run: CaptionRun, folder: Path) -> float:
    """Return the dev loss of the averaged weights; write them if it is the lowest so far."""
    own = swap_weights(run.parts, run.average)
    run.parts.eval()
    loss = dev_loss(run)
    if loss < run.best:
        run.best = loss
        write_checkpoint(run, folder)
    swap_weights(run.parts, own)
    return loss


def write_checkpoint(run: CaptionRun, folder: Path) -> None:
    """Write the weights as a checkpoint, and the image encoder if it is trained."""
    recipe = run.recipe
    place = folder.parent.parent / recipe.network.image_encoder
    if recipe.image_encoder.trainable:
        save_image_encoder(place, run.image_encoder)
    about = {
        "id": recipe.id,
        "name": recipe.name,
        "task": recipe.task,
        "source": {"code": "picture", "name": "Picture"},
        "target": {"code": "en", "name": "English"},
        "granularity": "subwords",
        "limits": {"characters": recipe.characters, "tokens": recipe.steps, "steps": recipe.steps},
        "examples": [],
        "rank": recipe.rank,
    }
    weights = dict(run.model.named_parameters())
    save_checkpoint(folder, about, recipe.network, weights, run.tokenizer)


def train(recipe: CaptionRecipe, runs: Path, data: Path) -> Path:
    """Train by a recipe and return the folder of the checkpoint."""
    run = CaptionRun.begin(recipe, data, runs)
    saved = runs / recipe.id / "last.pt"
    saved.parent.mkdir(parents=True, exist_ok=True)
    if saved.exists():
        run.resume(saved)
    schedule = recipe.schedule
    folder = runs / recipe.id / "checkpoint"
    stream = batches(run)
    with tqdm(total=schedule.updates, initial=run.update, unit="update", desc=recipe.id) as bar:
        while run.update < schedule.updates:
            loss = train_step(run, next(stream))
            bar.update()
            if run.update % schedule.report_every == 0:
                now = phase_learning_rate(schedule, recipe.self_critical, run.update)
                bar.set_postfix(loss=f"{loss:.4f}", rate=f"{now:.1e}")
            save_every = phase_schedule(schedule, recipe.self_critical, run.update).save_every
            if run.update % save_every == 0 or run.update == schedule.updates:
                found = keep_best(run, folder)
                run.save(saved)
                bar.write(f"update {run.update}: dev loss {found:.4f}, {run.best:.4f} at best")
    return folder


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = training_parser("training.caption.train", __doc__)
    given = parser.parse_args(arguments)
    torch.set_num_threads(given.threads)
    try:
        print(train(CaptionRecipe.named(given.model), given.runs, given.data))
    except (RecipeError, CorpusError, BackboneError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
