"""`python -m training.caption.train MODEL`: train a captioner.

The image encoder is trained with the first captioner only; the others use its features, which are
computed once. An interrupted run continues from its last save.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import torch
from tqdm import tqdm

from training.caption.batches import CaptionBatch
from training.caption.losses import Loss
from training.caption.recipe import CaptionRecipe
from training.caption.run import CaptionRun, Captions
from training.caption.validation import keep_best
from training.common.averaging import update_average
from training.common.command_line import training_parser
from training.common.errors import BackboneError, CorpusError, RecipeError
from training.common.mixed_precision import CPU, mixed_precision
from training.common.schedule import (
    average_decay,
    is_self_critical,
    phase_learning_rate,
    phase_schedule,
)

AVERAGE_EVERY = 4  # updates between two steps of the running average, which is bound by memory

SetBatches = Mapping[str, CaptionBatch]  # a batch of each set, by its name


def batches(run: CaptionRun) -> Iterator[SetBatches]:
    """Yield the batches of endless updates; a resumed run draws others than the interrupted one."""
    seed = run.recipe.schedule.seed * 1_000_003 + run.update
    sizes = run.recipe.photos_of_sets()
    streams = {name: each.batches(sizes[name], seed) for name, each in run.train.items()}
    while True:
        yield {name: next(stream) for name, stream in streams.items()}


def train_step(run: CaptionRun, update: SetBatches) -> float:
    """Make one update; return the loss in nats a token, or the mean reward, over all sets.

    A set counts by its captions, as if all were in one batch; one batch would be padded to the
    photo with most captions.
    """
    schedule, phase = run.recipe.schedule, run.recipe.self_critical
    _set_learning_rates(run)
    critical = is_self_critical(schedule, phase, run.update)
    run.parts.train(not critical)  # samples and loss come from the same network: no dropout
    run.optimizer.zero_grad(set_to_none=True)
    captions = {name: len(batch.target) for name, batch in update.items()}
    shown = 0.0
    for name, batch in update.items():
        share = captions[name] / sum(captions.values())
        loss = (_critical_loss if critical else _supervised_loss)(run, run.train[name], batch)
        (share * loss.total).backward()  # type: ignore[no-untyped-call]
        shown += share * float(loss.shown.detach())
    torch.nn.utils.clip_grad_norm_(run.parts.parameters(), schedule.clip)
    run.optimizer.step()
    run.update += 1
    if run.update % AVERAGE_EVERY == 0:
        now = phase_schedule(schedule, phase, run.update)
        update_average(run.average, run.parts, average_decay(now, run.update) ** AVERAGE_EVERY)
    return shown


def _supervised_loss(run: CaptionRun, captions: Captions, batch: CaptionBatch) -> Loss:
    view = int(torch.randint(captions.features.views, ()))
    with mixed_precision(CPU):
        cells = captions.features.cells(batch.places, view)
    return run.losses.supervised(cells, batch, learning=True)


def _critical_loss(run: CaptionRun, captions: Captions, batch: CaptionBatch) -> Loss:
    view = int(torch.randint(captions.features.views, ()))
    with mixed_precision(CPU):
        cells = captions.features.cells(batch.places, view)
    found = run.losses.self_critical(cells, batch.places, captions.reward)
    weight = run.recipe.self_critical.reference_weight
    if not weight:
        return found
    references = run.losses.supervised(cells, batch, learning=False).total
    return Loss(found.total + weight * references, found.shown)


def _set_learning_rates(run: CaptionRun) -> None:
    rate = phase_learning_rate(run.recipe.schedule, run.recipe.self_critical, run.update)
    for group in run.optimizer.param_groups:
        waits = group["share"] < 1 and run.update < run.recipe.image_encoder.after
        group["lr"] = 0.0 if waits else group["share"] * rate


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
                each = ", ".join(f"{name} {value:.4f}" for name, value in found.items())
                bar.write(f"update {run.update}: dev loss: {each}; {run.best:.4f} at best")
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
