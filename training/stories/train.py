"""`python -m training.stories.train MODEL`: train a memory network on stories.

Stories are made by a grammar: there is no corpus. An interrupted run continues from its last save.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F

from heed.models.networks.memory_network import MemoryNetwork
from training.common.command_line import training_parser
from training.common.errors import RecipeError
from training.common.updates import apply_gradients, make_updates
from training.stories.batches import Batch, Variation, draw_pool
from training.stories.checkpoint import answerer, save_memory
from training.stories.quality import evaluate_stories
from training.stories.recipe import MemoryRecipe
from training.stories.run import MemoryRun

DEV_STORIES = 100  # of each kind, at every save
FRESH = 16  # stories that are replaced before so many batches
SORTED_BATCHES = 8  # drawn together and sorted by the length of their stories


def loss_of(model: MemoryNetwork, batch: Batch, recipe: MemoryRecipe) -> tuple[Tensor, Tensor]:
    """Return the total loss, and the cross-entropy of the answers in nats."""
    hops = model(batch.story, batch.sentences, batch.question)
    every = hops.logits.flatten(0, 1)
    repeated = batch.answer.repeat_interleave(hops.logits.shape[1])
    by_hop = F.cross_entropy(every, repeated, reduction="none").view(len(batch.answer), -1).mean(0)
    total = by_hop[-1] + recipe.each_hop * by_hop[:-1].sum()
    if recipe.guide:
        chances = hops.scores.log_softmax(dim=-1).masked_fill(~batch.sentences[:, None], 0)
        total = total - recipe.guide * (batch.guide * chances).sum(dim=-1).mean()
    return total, by_hop[-1]


def batches(run: MemoryRun) -> Iterator[Batch]:
    """Yield endless batches of stories of similar length, with other names each time.

    Fresh stories take the places of old ones in the pool.
    """
    place = run.update * FRESH // SORTED_BATCHES
    variation, size = Variation(run.vocabulary, run.recipe.unknown), run.recipe.schedule.batch
    lengths = run.pool.sentences.sum(dim=1)
    while True:
        fresh = draw_pool(run.vocabulary, f"{run.update}", FRESH, run.recipe)
        rows = torch.arange(place, place + FRESH) % len(lengths)
        place += FRESH
        for kept, new in zip((*run.pool, lengths), (*fresh, fresh.sentences.sum(1)), strict=True):
            kept[rows] = new
        rows = torch.randint(len(lengths), (SORTED_BATCHES * size,))
        parts = rows[lengths[rows].argsort()].view(SORTED_BATCHES, size)
        for part in torch.randperm(SORTED_BATCHES).tolist():
            yield variation.vary(run.pool.select(parts[part]).trim())


def train_step(run: MemoryRun, batch: Batch) -> float:
    """Make one update and return the cross-entropy of the answers."""
    run.optimizer.zero_grad(set_to_none=True)
    total, shown = loss_of(run.model, batch, run.recipe)
    total.backward()  # type: ignore[no-untyped-call]
    apply_gradients(run, run.recipe.schedule)
    return float(shown.detach())


def train(recipe: MemoryRecipe, runs: Path, *, uniform: bool = False) -> Path:
    """Train by a recipe and return the folder of the checkpoint."""
    run = MemoryRun.begin(recipe, uniform=uniform)
    folder = runs / (f"{recipe.id}-uniform" if uniform else recipe.id) / "checkpoint"
    folder.mkdir(parents=True, exist_ok=True)
    saved = folder.with_name("last.pt")
    if saved.exists():
        run.resume(saved)
    else:
        run.draw_stories()
    stream = batches(run)

    def save() -> list[str]:
        run.save(saved)
        with run.averaged() as model:
            save_memory(folder, recipe, model, run.vocabulary)
            found = evaluate_stories(answerer(model, run.vocabulary), DEV_STORIES)
        each = ", ".join(f"{kind} {value['right']:.1%}" for kind, value in found.items())
        return [f"update {run.update}: right: {each}"]

    make_updates(run, recipe.schedule, recipe.id, lambda: train_step(run, next(stream)), save)
    return folder


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = training_parser("training.stories.train", __doc__)
    parser.add_argument(
        "--uniform", action="store_true", help="train with equal weights, for comparison"
    )
    given = parser.parse_args(arguments)
    torch.set_num_threads(given.threads)
    try:
        recipe = MemoryRecipe.named(given.model)
        folder = train(recipe, given.runs, uniform=given.uniform)
    except RecipeError as error:
        print(error, file=sys.stderr)
        return 2
    print(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
