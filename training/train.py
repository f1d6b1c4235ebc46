"""`python -m training.train MODEL`: make a shipped model again, from its recipe and its seed.

Resumable: killed at any moment, it goes on from the last save. Runs unchanged on CPU or CUDA.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional as F
from tqdm import tqdm

from models.checkpoint import save_checkpoint
from models.networks import Network, build_network
from models.tokenizer import PAD, BytePieces
from training.batches import Batch, Pair, bucketed
from training.dates import examples
from training.recipe import Recipe, RecipeError, Schedule

RUNS = Path("runs")


@dataclass(slots=True)
class Run:
    """A training under way: everything that must survive being killed."""

    recipe: Recipe
    tokenizer: BytePieces
    model: Network
    optimizer: torch.optim.Optimizer
    average: dict[str, torch.Tensor]
    update: int = 0

    @classmethod
    def begin(cls, recipe: Recipe, device: torch.device) -> Run:
        """A run at update 0."""
        torch.manual_seed(recipe.schedule.seed)
        model = build_network(recipe.network).to(device)
        optimizer = torch.optim.AdamW(
            model.parameters(),
            lr=recipe.schedule.learning_rate,
            betas=(0.9, 0.98),
            weight_decay=recipe.schedule.weight_decay,
        )
        average = {name: value.detach().clone() for name, value in model.named_parameters()}
        return cls(recipe, BytePieces.characters(lowercase=True), model, optimizer, average)

    def save(self, path: Path) -> None:
        """Write everything, whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".part")
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average,
            "update": self.update,
            "random": torch.get_rng_state(),
        }
        torch.save(state, fresh)
        fresh.replace(path)

    def resume(self, path: Path) -> None:
        """Go on from what `save` wrote."""
        state: dict[str, Any] = torch.load(path, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.average = state["average"]
        self.update = state["update"]
        torch.set_rng_state(state["random"])


def rate(schedule: Schedule, update: int) -> float:
    """The learning rate at an update: a line up, then a cosine down to zero."""
    if update < schedule.warmup:
        return schedule.learning_rate * (update + 1) / schedule.warmup
    done = (update - schedule.warmup) / max(schedule.updates - schedule.warmup, 1)
    return schedule.learning_rate * 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))


def date_pairs(tokenizer: BytePieces, seed: int) -> Iterator[Pair]:
    """Dates without end, as token ids."""
    for example in examples(seed):
        yield tokenizer.ids(example.source), tokenizer.ids(example.target)


def batches(run: Run) -> Iterator[Batch]:
    """The batches still to come; a resumed run draws others than the killed one would have."""
    seed = run.recipe.schedule.seed * 1_000_003 + run.update
    return bucketed(date_pairs(run.tokenizer, seed), run.recipe.schedule.batch, seed)


def learn(run: Run, batch: Batch) -> float:
    """One update; the loss in nats a token."""
    schedule = run.recipe.schedule
    for group in run.optimizer.param_groups:
        group["lr"] = rate(schedule, run.update)
    run.model.train()
    logits = run.model(batch.source, batch.lengths, batch.fed)
    loss = F.cross_entropy(
        logits.flatten(0, 1),
        batch.target.flatten(),
        ignore_index=PAD,
        label_smoothing=schedule.label_smoothing,
    )
    run.optimizer.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(run.model.parameters(), schedule.clip)
    run.optimizer.step()
    run.update += 1
    _average(run)
    return float(loss.detach())


@torch.no_grad()
def _average(run: Run) -> None:
    """Move the running average towards the weights; at first it follows them closely."""
    decay = min(run.recipe.schedule.average, run.update / (run.update + 10))
    for name, value in run.model.named_parameters():
        run.average[name].lerp_(value, 1 - decay)


def train(recipe: Recipe, runs: Path) -> Path:
    """Follow a recipe to its end; where the checkpoint stands."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    run = Run.begin(recipe, device)
    saved = runs / recipe.id / "last.pt"
    if saved.exists():
        run.resume(saved)
    schedule = recipe.schedule
    stream = batches(run)
    with tqdm(total=schedule.updates, initial=run.update, unit="update", desc=recipe.id) as bar:
        while run.update < schedule.updates:
            loss = learn(run, next(stream).to(device))
            bar.update()
            if run.update % schedule.report_every == 0:
                bar.set_postfix(loss=f"{loss:.4f}", rate=f"{rate(schedule, run.update):.1e}")
            if run.update % schedule.save_every == 0 or run.update == schedule.updates:
                run.save(saved)
                write(run, runs / recipe.id / "checkpoint")
    return runs / recipe.id / "checkpoint"


def write(run: Run, folder: Path) -> None:
    """Write the averaged weights as a checkpoint that can be shipped."""
    recipe = run.recipe
    weights = run.average if recipe.schedule.average else dict(run.model.named_parameters())
    about = {
        "id": recipe.id,
        "name": recipe.name,
        "task": recipe.task,
        "source": {"code": recipe.source.code, "name": recipe.source.name},
        "target": {"code": recipe.target.code, "name": recipe.target.name},
        "granularity": "characters",
        "limits": {
            "characters": recipe.limits.characters,
            "tokens": recipe.limits.tokens,
            "steps": recipe.limits.steps,
        },
        "examples": list(recipe.examples),
        "rank": recipe.rank,
    }
    save_checkpoint(folder, about, recipe.network, weights, run.tokenizer)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m training.train", description=__doc__)
    parser.add_argument("model", help="id of a recipe in training/recipes")
    parser.add_argument("--runs", type=Path, default=RUNS, help="where runs are kept")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    try:
        print(train(Recipe.named(arguments.model), arguments.runs))
    except RecipeError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
