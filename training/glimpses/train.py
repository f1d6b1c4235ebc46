"""`python -m training.glimpses.train MODEL`: train a network that looks in glimpses.

Pictures are drawn by the training: there is no corpus. The places are learned by REINFORCE
(Williams 1992), everything else by the cross-entropy of the beliefs. An interrupted run continues
from its last save.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F

from heed.models.networks.glimpse_network import Glimpses
from training.common.command_line import training_parser
from training.common.errors import RecipeError
from training.common.mixed_precision import CPU, mixed_precision
from training.common.updates import apply_gradients, make_updates
from training.glimpses.batches import Batch
from training.glimpses.checkpoint import save_glimpse
from training.glimpses.quality import KINDS, Looked, evaluate_glimpses, held_out
from training.glimpses.recipe import GlimpseRecipe
from training.glimpses.run import GlimpseRun

DEV_PICTURES = 1000  # of each kind, at every save


def loss_of(found: Glimpses, labels: Tensor, recipe: GlimpseRecipe) -> tuple[Tensor, Tensor]:
    """Return the total loss, and the cross-entropy of the last belief in nats.

    The reward of a place is the mean probability that the beliefs from there on give to the right
    digit. Its gradient is that of REINFORCE with a learned baseline (equations 4 and 5).
    """
    glimpses = found.logits.shape[1]
    logs = found.logits.float().log_softmax(dim=-1)
    right = logs.gather(2, labels[:, None, None].expand(-1, glimpses, 1)).squeeze(2)  # (B, T)
    by_glimpse = -right.mean(dim=0)
    total = by_glimpse[-1] + recipe.each_glimpse * by_glimpse[:-1].mean()
    rewards = right.detach().exp().flip(1).cumsum(1).flip(1)
    rewards = (rewards / torch.arange(glimpses, 0, -1))[:, 1:]  # the first place is fixed
    baselines = found.baselines.float()[:, 1:]
    advantage = rewards - baselines.detach()
    advantage = advantage / (advantage.std() + 1e-6)
    away = (found.drawn.detach() - found.means.float())[:, 1:] / recipe.network.deviation
    policy = 0.5 * (advantage * away.square().sum(dim=2)).mean()
    surprise = F.mse_loss(baselines, rewards)
    return total + recipe.policy * policy + recipe.baseline * surprise, by_glimpse[-1]


def train_step(run: GlimpseRun, batch: Batch) -> float:
    """Make one update and return the cross-entropy of the last belief."""
    run.optimizer.zero_grad(set_to_none=True)
    with mixed_precision(CPU):
        found = run.model(batch.pictures, run.choose)
    total, shown = loss_of(found, batch.labels, run.recipe)
    total.backward()  # type: ignore[no-untyped-call]
    apply_gradients(run, run.recipe.schedule)
    return float(shown.detach())


def train(recipe: GlimpseRecipe, runs: Path, *, random: bool = False) -> Path:
    """Train by a recipe and return the folder of the checkpoint."""
    run = GlimpseRun.begin(recipe, random=random)
    folder = runs / (f"{recipe.id}-random" if random else recipe.id) / "checkpoint"
    folder.mkdir(parents=True, exist_ok=True)
    saved = folder.with_name("last.pt")
    if saved.exists():
        run.resume(saved)

    def save() -> list[str]:
        run.save(saved)
        with run.averaged() as model:
            save_glimpse(folder, recipe, model)
            return [f"update {run.update}: right after each glimpse: {_progress(run)}"]

    make_updates(run, recipe.schedule, recipe.id, lambda: train_step(run, run.draw()), save)
    return folder


@torch.inference_mode()
def _progress(run: GlimpseRun) -> str:
    """Measure a run on the dev pictures."""

    def look(pictures: Tensor) -> Looked:
        found: Glimpses = run.model(pictures, run.choose if run.random else None)
        return Looked(found.logits, found.places)

    lines = []
    for kind in KINDS:
        tested = held_out("dev", kind, DEV_PICTURES, run.recipe.network.picture)
        right, on_digit = evaluate_glimpses(look, tested)
        shares = ", ".join(f"{share:.1%}" for share in right)
        lines.append(f"{kind} {shares} ({on_digit:.1%} on the digit)")
    return "; ".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = training_parser("training.glimpses.train", __doc__)
    parser.add_argument(
        "--random", action="store_true", help="train at random places, for comparison"
    )
    given = parser.parse_args(arguments)
    torch.set_num_threads(given.threads)
    try:
        recipe = GlimpseRecipe.named(given.model)
        folder = train(recipe, given.runs, random=given.random)
    except RecipeError as error:
        print(error, file=sys.stderr)
        return 2
    print(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
