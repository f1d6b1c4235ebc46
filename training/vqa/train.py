"""`python -m training.vqa.train MODEL`: train question answering on images.

The image encoder is that of the captioners and stays frozen: its features are computed once. An
interrupted run continues from its last save.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor

from heed.models.checkpoint import save_checkpoint
from heed.models.networks.vqa import VQANetwork
from training.common.command_line import training_parser
from training.common.errors import BackboneError, CorpusError, RecipeError
from training.common.loss import projected_cross_entropy
from training.common.mixed_precision import CPU, has_bfloat16, mixed_precision
from training.common.updates import apply_gradients, make_updates
from training.vqa.batches import VQABatch, exact_matches, greedy_answers, teacher_force
from training.vqa.questions import FORMS
from training.vqa.recipe import VQARecipe
from training.vqa.run import AskedPhotos, VQARun

DEV_PHOTOS = 50  # photos in an evaluation batch

SetBatches = Mapping[str, VQABatch]  # a batch of each set, by its name


def batches(run: VQARun) -> Iterator[SetBatches]:
    """Yield the batches of endless updates; a resumed run draws others than the interrupted one."""
    seed = run.recipe.schedule.seed * 1_000_003 + run.update
    sizes, noise = run.recipe.photos_of_sets(), run.recipe.question_noise
    streams = {name: each.batches(sizes[name], seed, noise) for name, each in run.train.items()}
    while True:
        yield {name: next(stream) for name, stream in streams.items()}


def losses(run: VQARun, asked: AskedPhotos, batch: VQABatch) -> tuple[Tensor, Tensor]:
    """Return the total loss, and the cross-entropy in nats a token, without padding."""
    halved = has_bfloat16(CPU)
    view = int(torch.randint(asked.features.views, ()))
    with mixed_precision(CPU):
        cells = asked.features.cells(batch.places, view)
        cells = cells.bfloat16() if halved else cells
        output = teacher_force(run.model, cells, batch)
    words = projected_cross_entropy(
        output.readouts.bfloat16() if halved else output.readouts,
        run.model.output.weight,
        run.model.output.bias,
        output.target,
        run.recipe.schedule.label_smoothing,
    )
    return words + run.recipe.score_penalty * output.score_variance, words


def train_step(run: VQARun, update: SetBatches) -> float:
    """Make one update and return the loss in nats a token; a set counts by its questions."""
    run.model.train()
    run.optimizer.zero_grad(set_to_none=True)
    questions = {name: len(batch.target) for name, batch in update.items()}
    shown = 0.0
    for name, batch in update.items():
        share = questions[name] / sum(questions.values())
        total, words = losses(run, run.train[name], batch)
        (share * total).backward()  # type: ignore[no-untyped-call]
        shown += share * float(words.detach())
    apply_gradients(run, run.recipe.schedule)
    return shown


@torch.inference_mode()
def accuracies(model: VQANetwork, dev: AskedPhotos, steps: int) -> dict[str, float]:
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


def keep_best(run: VQARun, folder: Path) -> dict[str, dict[str, float]]:
    """Return the dev accuracies of the averaged weights on each set; write the best weights."""
    steps = run.recipe.steps
    with run.averaged() as model:
        found = {name: accuracies(model, asked, steps) for name, asked in run.dev.items()}
        mean = sum(each.get("all", 0.0) for each in found.values()) / len(found)
        if mean > run.best:
            run.best = mean
            write_checkpoint(run, folder)
    return found


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
        "learned_from": recipe.learned_from,
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
    stream = batches(run)

    def save() -> list[str]:
        found = keep_best(run, folder)
        run.save(saved)
        lines = []
        for name, accuracy in found.items():
            each = ", ".join(f"{form} {value:.1%}" for form, value in accuracy.items())
            lines.append(f"update {run.update}: right on {name}: {each}")
        return [*lines, f"at best {run.best:.1%}, the mean over the sets"]

    make_updates(run, recipe.schedule, recipe.id, lambda: train_step(run, next(stream)), save)
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
    except (RecipeError, CorpusError, BackboneError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
