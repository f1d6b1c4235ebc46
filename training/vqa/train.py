"""`python -m training.vqa.train MODEL`: train question answering on images.

The image encoder is that of the captioners and stays frozen: its features are computed once. An
interrupted run continues from its last save.

Shapes: `P` photos, `B` questions, `K` cells, `D` width.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from tqdm import tqdm

from heed.models.checkpoint import save_checkpoint
from heed.models.networks.vqa import VQANetwork
from heed.models.registry import build_network
from heed.models.text.tokenizer import BytePieces
from training.caption.flickr8k import Photos, caption_pieces, load_photos
from training.caption.train import Features, load_features
from training.common.averaging import swap_weights, update_average
from training.common.command_line import training_parser
from training.common.errors import CorpusError, RecipeError
from training.common.loss import projected_cross_entropy
from training.common.mixed_precision import CPU, has_bfloat16, mixed_precision
from training.common.schedule import average_decay, learning_rate
from training.vqa.batches import Questions, VQABatch, exact_matches, greedy_answers, teacher_force
from training.vqa.questions import FORMS, make_questions
from training.vqa.recipe import VQARecipe

DEV_PHOTOS = 50  # photos in an evaluation batch


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
class Split:
    """Features and questions of a split."""

    features: Features
    questions: Questions


@dataclass(slots=True)
class VQARun:
    """State of a training run: everything that a save keeps."""

    recipe: VQARecipe
    tokenizer: BytePieces
    model: VQANetwork
    train: Split
    dev: Split
    optimizer: torch.optim.Optimizer
    average: dict[str, Tensor]
    update: int = 0
    best: float = -1.0  # accuracy on dev

    @classmethod
    def begin(cls, recipe: VQARecipe, data: Path, runs: Path, *, blind: bool = False) -> VQARun:
        """Create a run at update 0; a blind run has blank features."""
        torch.manual_seed(recipe.schedule.seed)
        photos = {split: load_photos(data, split, runs) for split in ("train", "dev")}
        tokenizer = caption_pieces(photos["train"], runs)
        recipe = replace(recipe, network=replace(recipe.network, vocabulary=len(tokenizer)))
        model = build_network(recipe.network)
        _, features = load_features(recipe, data, runs, photos)
        splits = {
            split: Split(
                BlankFeatures(features[split]) if blind else features[split],
                _questions(photos[split], tokenizer, least),
            )
            for split, least in (("train", recipe.least), ("dev", 2))
        }
        optimizer = torch.optim.AdamW(
            model.parameters(),
            betas=(0.9, 0.98),
            weight_decay=recipe.schedule.weight_decay,
            fused=True,
        )
        average = {name: value.detach().clone() for name, value in model.named_parameters()}
        return cls(recipe, tokenizer, model, splits["train"], splits["dev"], optimizer, average)

    def save(self, path: Path) -> None:
        """Save the state atomically."""
        fresh = path.with_suffix(".part")
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average,
            "update": self.update,
            "best": self.best,
            "random": torch.get_rng_state(),
        }
        torch.save(state, fresh)
        fresh.replace(path)

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
        own = swap_weights(self.model, self.average)
        self.model.eval()
        try:
            yield self.model
        finally:
            swap_weights(self.model, own)
            self.model.train()


def _questions(photos: Photos, tokenizer: BytePieces, least: int) -> Questions:
    captions = dict(zip(photos.names, photos.captions, strict=True))
    return Questions(make_questions(captions, least), photos.names, tokenizer)


def batches(run: VQARun) -> Iterator[VQABatch]:
    """Yield batches of endless epochs; a resumed run draws others than the interrupted one."""
    schedule = run.recipe.schedule
    seed = schedule.seed * 1_000_003 + run.update
    while True:
        yield from run.train.questions.epoch(schedule.batch, seed, run.recipe.question_noise)
        seed += 1


def cross_entropy(run: VQARun, batch: VQABatch, view: int) -> Tensor:
    """Return the cross-entropy in nats a token, without padding."""
    halved = has_bfloat16(CPU)
    with mixed_precision(CPU):
        cells = run.train.features.cells(batch.places, view)
        cells = cells.bfloat16() if halved else cells
        readouts, target = teacher_force(run.model, cells, batch)
    return projected_cross_entropy(
        readouts.bfloat16() if halved else readouts,
        run.model.output.weight,
        run.model.output.bias,
        target,
        run.recipe.schedule.label_smoothing,
    )


def train_step(run: VQARun, batch: VQABatch) -> float:
    """Make one update and return the loss in nats a token."""
    schedule = run.recipe.schedule
    for group in run.optimizer.param_groups:
        group["lr"] = learning_rate(schedule, run.update)
    run.model.train()
    view = int(torch.randint(run.train.features.views, ()))
    loss = cross_entropy(run, batch, view)
    run.optimizer.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(run.model.parameters(), schedule.clip)
    run.optimizer.step()
    run.update += 1
    update_average(run.average, run.model, average_decay(schedule, run.update))
    return float(loss.detach())


@torch.inference_mode()
def accuracies(model: VQANetwork, dev: Split, steps: int) -> dict[str, float]:
    """Return the share of right answers: of all questions, and of each form."""
    total: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for batch, questions in dev.questions.in_order(DEV_PHOTOS):
        cells = dev.features.cells(batch.places, 0)
        memory = model.encode(cells, batch.questions, batch.lengths, batch.about)
        matches = exact_matches(greedy_answers(model, memory, steps), batch.target)
        for question, is_right in zip(questions, matches.tolist(), strict=True):
            for form in ("all", question.form):
                total[form] += 1
                found[form] += is_right
    return {form: found[form] / total[form] for form in ("all", *FORMS) if total[form]}


def keep_best(run: VQARun, folder: Path) -> dict[str, float]:
    """Return the dev accuracies of the averaged weights; write them if they are the best so far."""
    with run.averaged() as model:
        accuracy = accuracies(model, run.dev, run.recipe.steps)
        if accuracy.get("all", 0.0) > run.best:
            run.best = accuracy.get("all", 0.0)
            write_checkpoint(run, folder)
    return accuracy


def write_checkpoint(run: VQARun, folder: Path) -> None:
    """Write the weights as a checkpoint."""
    recipe = run.recipe
    about = {
        "id": recipe.id,
        "name": recipe.name,
        "task": recipe.task,
        "source": {"code": "picture", "name": "Picture"},
        "target": {"code": "en", "name": "English"},
        "granularity": "subwords",
        "limits": {
            "characters": recipe.characters,
            "tokens": recipe.tokens,
            "steps": recipe.steps,
        },
        "examples": list(recipe.examples),
        "rank": recipe.rank,
    }
    weights = dict(run.model.named_parameters())
    save_checkpoint(folder, about, recipe.network, weights, run.tokenizer)


def train(recipe: VQARecipe, runs: Path, data: Path, *, blind: bool = False) -> Path:
    """Train by a recipe and return the folder of the checkpoint."""
    run = VQARun.begin(recipe, data, runs, blind=blind)
    folder = runs / (f"{recipe.id}-blind" if blind else recipe.id) / "checkpoint"
    folder.mkdir(parents=True, exist_ok=True)
    saved = folder.with_name("last.pt")
    if saved.exists():
        run.resume(saved)
    schedule = recipe.schedule
    stream = batches(run)
    with tqdm(total=schedule.updates, initial=run.update, unit="update", desc=recipe.id) as bar:
        while run.update < schedule.updates:
            loss = train_step(run, next(stream))
            bar.update()
            if run.update % schedule.report_every == 0:
                bar.set_postfix(
                    loss=f"{loss:.4f}", rate=f"{learning_rate(schedule, run.update):.1e}"
                )
            if run.update % schedule.save_every == 0 or run.update == schedule.updates:
                accuracy = keep_best(run, folder)
                run.save(saved)
                each = ", ".join(f"{form} {value:.1%}" for form, value in accuracy.items())
                bar.write(f"update {run.update}: right on dev: {each}; at best {run.best:.1%}")
    return folder


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = training_parser("training.vqa.train", __doc__)
    parser.add_argument(
        "--blind", action="store_true", help="train on blank features, for comparison"
    )
    given = parser.parse_args(arguments)
    torch.set_num_threads(given.threads)
    try:
        print(train(VQARecipe.named(given.model), given.runs, given.data, blind=given.blind))
    except (RecipeError, CorpusError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
