"""`python -m training.vision.train MODEL`: train a Vision Transformer on a convolutional network.

The teacher's view of the photos is computed once. An interrupted run continues from its last save.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from heed.models.networks.mobilenet import CELLS
from training.caption.photo_sets import LOADERS, load_photos
from training.caption.photos import Split
from training.common.checkpoints import find_checkpoint
from training.common.command_line import training_parser
from training.common.errors import BackboneError, CorpusError, RecipeError
from training.common.mixed_precision import CPU, mixed_precision
from training.common.updates import apply_gradients, make_updates
from training.vision.checkpoint import class_names, save_vision
from training.vision.losses import losses_of, mirrored
from training.vision.quality import measure
from training.vision.recipe import VisionRecipe
from training.vision.run import VisionRun
from training.vision.teacher import Found, Teacher, join, load_found

FITTED_ON = "everyday"  # the photos from which the components of the maps are computed
MIRRORED = 0.5


def train(recipe: VisionRecipe, runs: Path, data: Path) -> Path:
    """Train by a recipe and return the folder of the checkpoint."""
    run = VisionRun.begin(recipe)
    folder = runs / recipe.id / "checkpoint"
    saved = folder.with_name("last.pt")
    if saved.exists():
        run.resume(saved)
    classes = class_names(data)
    teacher = load_teacher(recipe, runs, data)
    dev = join([each.at(range(len(each))) for each in load_sets(teacher, runs, data, "dev")])
    sets = load_sets(teacher, runs, data, "train")
    if run.update == 0 and recipe.start:
        run.start_from(find_checkpoint(recipe.start, runs))
    elif run.update == 0:
        every = [torch.from_numpy(np.array(each.logits)) for each in sets]
        run.adopt(teacher.backbone, torch.cat(every))
    stream = batches(run, sets)

    def save() -> list[str]:
        run.save(saved)
        with run.averaged() as student:
            save_vision(folder, recipe, student.network, classes)
            found = measure(student.network, dev)
        return [", ".join([f"update {run.update}", *(f"{k} {v:.3f}" for k, v in found.items())])]

    make_updates(run, recipe.schedule, recipe.id, lambda: train_step(run, next(stream)), save)
    return folder


def load_teacher(recipe: VisionRecipe, runs: Path, data: Path) -> Teacher:
    """Load the convolutional network."""
    fitted_on = load_photos(FITTED_ON, data, "train", runs)
    path = runs / "teacher" / "components.pt"
    return Teacher.load(data, recipe.network.blocks, fitted_on, path)


def load_sets(teacher: Teacher, runs: Path, data: Path, split: Split) -> list[Found]:
    """Load what the teacher finds in each set of photos of a split."""
    return [
        load_found(
            load_photos(name, data, split, runs), teacher, runs / "teacher" / f"{name}-{split}"
        )
        for name in LOADERS
    ]


def batches(run: VisionRun, sets: Sequence[Found]) -> Iterator[Found]:
    """Yield endless batches of photos, half of which are mirrored."""
    ends = np.cumsum([len(each) for each in sets])
    while True:
        every = torch.randperm(int(ends[-1]))
        for places in every.split(run.recipe.schedule.batch):  # type: ignore[no-untyped-call]
            parts = []
            for each, end in zip(sets, ends, strict=True):
                own = places - (int(end) - len(each))
                parts.append(each.at(own[(own >= 0) & (own < len(each))].numpy()))
            batch = join(parts)
            yield mirrored(batch) if torch.rand(()) < MIRRORED else batch


def train_step(run: VisionRun, found: Found) -> float:
    """Make one update and return the divergence from the teacher's classes."""
    run.optimizer.zero_grad(set_to_none=True)
    with mixed_precision(CPU):
        losses = losses_of(run.model, found, _kept(run, len(found.logits)), run.recipe)
    losses.total(run.recipe).backward()  # type: ignore[no-untyped-call]
    apply_gradients(run, run.recipe.schedule)
    return float(losses.classes.detach())


def _kept(run: VisionRun, count: int) -> Tensor | None:
    """Draw the patches that are read, other ones of each photo; None for all."""
    recipe = run.recipe
    if recipe.kept == 1 or run.update >= recipe.whole_from * recipe.schedule.updates:
        return None
    return torch.rand(count, CELLS).argsort(dim=1)[:, : round(recipe.kept * CELLS)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    given = training_parser("training.vision.train", __doc__).parse_args(arguments)
    torch.set_num_threads(given.threads)
    try:
        folder = train(VisionRecipe.named(given.model), given.runs, given.data)
    except (RecipeError, CorpusError, BackboneError) as error:
        print(error, file=sys.stderr)
        return 2
    print(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
