"""`python -m training.caption.train MODEL`: train what looks at pictures and writes captions.

The eyes learn with the first model only; the others are trained on what those eyes see, which is
made once. A run can be killed at any moment and goes on from its last save.

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
from training.caption.recipe import CaptionRecipe
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
from training.vqa.recipe import VQARecipe

CAPTIONS = 5  # of every photo
AVERAGE_EVERY = 4  # updates between two looks at the weights: it is memory that takes the time


class Baseline(nn.Module):
    """What a drawing policy expects to follow, whatever it draws; it is not shipped."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.guess = nn.Linear(width, 1)

    def forward(self, asking: Tensor) -> Tensor:
        """The return expected (P, C, Q) of what asked (P, C, Q, D)."""
        return self.guess(asking.to(torch.float32))[..., 0]


class Features(Protocol):
    """Where the cells of a batch come from."""

    @property
    def views(self) -> int:
        """How many there are of each photo."""

    def cells(self, places: Tensor, view: int) -> Tensor:
        """The cells (P, K, D) of a view of the photos at these places."""


@dataclass(slots=True)
class TrainableFeatures:
    """Eyes that learn: all but their first blocks look at every batch anew."""

    eyes: ImageEncoder
    blocks: int
    seen: Views

    @property
    def views(self) -> int:
        """How many there are."""
        return len(self.seen.seen)

    def cells(self, places: Tensor, view: int) -> Tensor:
        """The cells as the eyes see them now."""
        maps = self.eyes.backbone.late(self.seen.at(view, places), self.blocks)
        return self.eyes.of_maps(maps)


@dataclass(slots=True)
class FrozenFeatures:
    """Eyes that have learned: what they see was written down."""

    seen: Views

    @property
    def views(self) -> int:
        """How many there are."""
        return len(self.seen.seen)

    def cells(self, places: Tensor, view: int) -> Tensor:
        """The cells as they were seen."""
        return self.seen.cells(view, places)


@dataclass(slots=True)
class Captions:
    """A split: how its photos are seen, and the ids of what is said of them."""

    sight: Features
    ids: Sequence[Sequence[Sequence[int]]]
    judged: Reward | None = None

    @property
    def reward(self) -> Reward:
        """How good a caption of one of its photos is."""
        if self.judged is None:
            self.judged = Reward(self.ids)
        return self.judged


@dataclass(slots=True)
class CaptionRun:
    """A training under way: everything that must survive being killed."""

    recipe: CaptionRecipe
    tokenizer: BytePieces
    model: CaptionNetwork
    eyes: ImageEncoder
    train: Captions
    dev: Captions
    parts: nn.ModuleDict
    optimizer: torch.optim.Optimizer
    average: dict[str, Tensor]
    update: int = 0
    best: float = math.inf

    @classmethod
    def begin(cls, recipe: CaptionRecipe, data: Path, runs: Path) -> CaptionRun:
        """A run at update 0."""
        torch.manual_seed(recipe.schedule.seed)
        splits = {split: load_photos(data, split, runs) for split in ("train", "dev")}
        tokenizer = caption_pieces(splits["train"], runs)
        network = replace(recipe.network, vocabulary=len(tokenizer))
        model = build_network(network)
        if recipe.start:
            start_from(model, find_checkpoint(recipe.start, runs))
        eyes, sights = load_features(recipe, data, runs, splits)
        captions = {
            split: Captions(sights[split], caption_ids(photos, tokenizer))
            for split, photos in splits.items()
        }
        parts = nn.ModuleDict({"model": model, "eyes": eyes})
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
            eyes,
            captions["train"],
            captions["dev"],
            parts,
            optimizer,
            average,
        )

    def save(self, path: Path) -> None:
        """Write everything, whole or not at all."""
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
        """Go on from what `save` wrote."""
        state: dict[str, Any] = torch.load(path, weights_only=True)
        self.parts.load_state_dict(state["parts"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.average, self.update, self.best = state["average"], state["update"], state["best"]


def load_features(
    recipe: CaptionRecipe | VQARecipe, data: Path, runs: Path, splits: dict[str, Photos]
) -> tuple[ImageEncoder, dict[str, Features]]:
    """The eyes, and how they see each split; dev is seen as it is only."""
    halved = has_bfloat16(CPU)
    blocks = recipe.image_encoder.cached_blocks
    counts = {"train": recipe.image_encoder.views, "dev": 1}
    sights: dict[str, Features] = {}
    if recipe.image_encoder.trainable:
        eyes = ImageEncoder(recipe.network.cells)
        eyes.backbone = load_backbone(data)
        eyes.backbone.freeze(recipe.image_encoder.frozen)
    else:
        eyes = load_image_encoder(find_image_encoder(recipe.network.image_encoder, runs))
    for split, photos in splits.items():
        count = counts[split]
        path = runs / "views" / f"{split}-{blocks}-{count}.npy"
        seen = load_views(
            photos, load_backbone(data), blocks, recipe.augmentation, count, path, halved
        )
        if recipe.image_encoder.trainable:
            sights[split] = TrainableFeatures(eyes, blocks, seen)
        else:
            mark = digest(find_image_encoder(recipe.network.image_encoder, runs) / WEIGHTS)[:12]
            seen = Views(seen.seen[: recipe.image_encoder.cached_views])
            cells = runs / "views" / f"{split}-cells-{mark}-{len(seen.seen)}.npy"
            sights[split] = FrozenFeatures(load_cells(seen, eyes, blocks, cells, halved))
    return eyes, sights


def find_image_encoder(eyes: str, runs: Path) -> Path:
    """Where the weights of the eyes are: among the runs, or else as they ship."""
    for folder in (runs / eyes, DEFAULT_DIRECTORY / eyes):
        if (folder / WEIGHTS).exists():
            return folder
    raise RecipeError(f"{eyes}: there are no such eyes, neither among the runs nor shipped")


@torch.no_grad()
def start_from(model: CaptionNetwork, folder: Path) -> None:
    """Take over what a sibling has learned: every tensor of the same name and shape."""
    learned = dict(load_image_network(folder).named_parameters())
    for name, value in model.named_parameters():
        if name in learned and learned[name].shape == value.shape:
            value.copy_(learned[name])


def _groups(recipe: CaptionRecipe, parts: nn.ModuleDict) -> list[dict[str, Any]]:
    """The eyes learn more slowly than the words; what projects their maps is new, and does not."""
    slow: list[nn.Parameter] = []
    fast: list[nn.Parameter] = []
    for name, value in parts.named_parameters():
        if value.requires_grad:
            (slow if name.startswith("eyes.backbone") else fast).append(value)
    groups: list[dict[str, Any]] = [{"params": fast, "share": 1.0}]
    if slow:
        groups.append({"params": slow, "share": recipe.image_encoder.rate})
    return groups


def batches(run: CaptionRun) -> Iterator[CaptionBatch]:
    """Epochs without end; a resumed run draws others than the killed one would have."""
    seed = run.recipe.schedule.seed * 1_000_003 + run.update
    while True:
        yield from caption_batches(run.train.ids, run.recipe.schedule.batch, seed)
        seed += 1


def training_loss(
    run: CaptionRun, sight: Features, batch: CaptionBatch, view: int
) -> tuple[Tensor, Tensor]:
    """What is learned from, and of it the cross-entropy in nats a token, the padding left out."""
    recipe, learning = run.recipe, run.parts.training
    photos = len(batch.places)
    fed, target = (each.view(photos, CAPTIONS, -1) for each in (batch.fed, batch.target))
    real = target != PAD
    with mixed_precision(CPU):
        cells = sight.cells(batch.places, view)
        softened = recipe.hard_attention.softened if learning else 0.0
        told = teacher_force(run.model, cells, fed, softened)
    readouts = told.readouts[real]
    smoothing = recipe.schedule.label_smoothing if learning else 0.0
    words = projected_cross_entropy(
        readouts.bfloat16() if has_bfloat16(CPU) else readouts.float(),
        run.model.output.weight,
        run.model.output.bias,
        target[real],
        smoothing,
    )
    total = words
    if learning and told.weights is not None:
        length = real.sum(dim=-1).float().mean()
        total = (
            total
            + recipe.doubly_stochastic_penalty
            * doubly_stochastic_penalty(told.weights, real)
            / length
        )
        total = total + recipe.entropy_penalty * attention_entropy(told.weights, real)
    if learning and told.drawn is not None and recipe.hard_attention.rate:
        with torch.no_grad():
            rewards = -nll(run.model, told.readouts.float(), target)
        total = total + policy_loss(run, told.drawn, rewards, real)
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
    """What is learned from captions of its own, and their mean reward, which is not to fall."""
    recipe, phase = run.recipe, run.recipe.self_critical
    with mixed_precision(CPU):
        cells = run.train.sight.cells(batch.places, view)
        captions = sample_captions(run.model, cells, phase.draws, LONGEST, phase.temperature)
        rewards = compute_rewards(captions, batch.places, run.train.reward)
        total, told, real = self_critical_loss(
            run.model, cells, captions, rewards, phase.temperature
        )
    if told.weights is not None:
        length = real.sum(dim=-1).float().mean()
        total = (
            total
            + recipe.doubly_stochastic_penalty
            * doubly_stochastic_penalty(told.weights, real)
            / length
        )
        total = total + recipe.entropy_penalty * attention_entropy(told.weights, real)
    return total, rewards.mean()


def train_step(run: CaptionRun, batch: CaptionBatch) -> float:
    """One update; the loss in nats a token, or the mean reward once that is what counts."""
    schedule, phase = run.recipe.schedule, run.recipe.self_critical
    for group in run.optimizer.param_groups:
        waits = group["share"] < 1 and run.update < run.recipe.image_encoder.after
        group["lr"] = (
            0.0 if waits else group["share"] * phase_learning_rate(schedule, phase, run.update)
        )
    view = int(torch.randint(run.train.sight.views, ()))
    if is_self_critical(schedule, phase, run.update):
        run.parts.eval()  # what is drawn, and what is learned from it, by the same network
        total, words = self_critical_losses(run, batch, view)
        if phase.reference_weight:
            total = (
                total + phase.reference_weight * training_loss(run, run.train.sight, batch, view)[0]
            )
    else:
        run.parts.train()
        total, words = training_loss(run, run.train.sight, batch, view)
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
    """The loss on dev, in nats a token; of a model that is criticised, its reward below zero."""
    if is_self_critical(run.recipe.schedule, run.recipe.self_critical, run.update - 1):
        return -dev_reward(run)
    total = tokens = 0.0
    for batch in caption_batches(run.dev.ids, run.recipe.schedule.batch, 0):
        count = int((batch.target != PAD).sum())
        total += count * float(training_loss(run, run.dev.sight, batch, 0)[1])
        tokens += count
    return total / tokens


def dev_reward(run: CaptionRun) -> float:
    """The mean reward of the likeliest captions of dev."""
    found = []
    for batch in caption_batches(run.dev.ids, run.recipe.schedule.batch, 0):
        with mixed_precision(CPU):
            cells = run.dev.sight.cells(batch.places, 0)
            captions = sample_captions(run.model, cells, 1, LONGEST)
        found.append(compute_rewards(captions, batch.places, run.dev.reward))
    return float(torch.cat(found).mean())


@torch.no_grad()
def keep_best(run: CaptionRun, folder: Path) -> float:
    """The loss of the averaged weights on dev; if it is the best so far, they are written."""
    own = swap_weights(run.parts, run.average)
    run.parts.eval()
    loss = dev_loss(run)
    if loss < run.best:
        run.best = loss
        write_checkpoint(run, folder)
    swap_weights(run.parts, own)
    return loss


def write_checkpoint(run: CaptionRun, folder: Path) -> None:
    """Write the weights as a checkpoint that can be shipped, and the eyes if they have learned."""
    recipe = run.recipe
    place = folder.parent.parent / recipe.network.image_encoder
    if recipe.image_encoder.trainable:
        save_image_encoder(place, run.eyes)
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
    """Follow a recipe to its end; where the checkpoint stands."""
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
    """The command line."""
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
