"""Choice of the best weights of a captioner: loss or reward on the dev sets."""

from __future__ import annotations

from pathlib import Path

import torch

from heed.models.checkpoint import save_checkpoint, save_image_encoder
from heed.models.text.tokenizer import PAD
from training.caption.batches import LONGEST, caption_batches
from training.caption.run import CaptionRun, Captions
from training.caption.self_critical import compute_rewards, sample_captions
from training.common.averaging import averaged
from training.common.mixed_precision import CPU, mixed_precision
from training.common.schedule import is_self_critical


@torch.no_grad()
def keep_best(run: CaptionRun, folder: Path) -> dict[str, float]:
    """Return the dev loss of the averaged weights on each set; write them if the mean is best."""
    with averaged(run.parts, run.average):
        losses = {name: dev_loss(run, captions) for name, captions in run.dev.items()}
        mean = sum(losses.values()) / len(losses)
        if mean < run.best:
            run.best = mean
            write_checkpoint(run, folder)
    return losses


@torch.no_grad()
def dev_loss(run: CaptionRun, captions: Captions) -> float:
    """Return the dev loss in nats a token; in the self-critical phase, minus the mean reward."""
    if is_self_critical(run.recipe.schedule, run.recipe.self_critical, run.update - 1):
        return -dev_reward(run, captions)
    total = tokens = 0.0
    for batch in caption_batches(captions.ids, run.recipe.schedule.batch, 0):
        count = int((batch.target != PAD).sum())
        cells = captions.features.cells(batch.places, 0)
        total += count * float(run.losses.supervised(cells, batch, learning=False).shown)
        tokens += count
    return total / tokens


@torch.no_grad()
def dev_reward(run: CaptionRun, captions: Captions) -> float:
    """Return the mean reward of greedy captions."""
    found = []
    for batch in caption_batches(captions.ids, run.recipe.schedule.batch, 0):
        with mixed_precision(CPU):
            cells = captions.features.cells(batch.places, 0)
            written = sample_captions(run.model, cells, 1, LONGEST)
        penalty = run.recipe.repetition_penalty
        found.append(compute_rewards(written, batch.places, captions.reward, penalty))
    return float(torch.cat(found).mean())


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
        "learned_from": recipe.learned_from,
        "rank": recipe.rank,
    }
    weights = dict(run.model.named_parameters())
    save_checkpoint(folder, about, recipe.network, weights, run.tokenizer)
