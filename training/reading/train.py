"""`python -m training.reading.train MODEL`: train a network that reads word by word.

It learns to predict the next word of English sentences, and of templates in which a verb agrees
with a distant noun; `--plain` trains the baseline without a tape on the same batches. An
interrupted run continues from its last save.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from heed.models.text.words import PADDING
from training.common.batches import buckets, pad
from training.common.command_line import training_parser
from training.common.errors import CorpusError, RecipeError
from training.common.loss import projected_cross_entropy
from training.common.mixed_precision import CPU, mixed_precision
from training.common.updates import apply_gradients, make_updates
from training.reading.checkpoint import save_reader
from training.reading.corpus import shuffled
from training.reading.deferred import DeferredLSTMN
from training.reading.measure import dev_perplexity, read_template, reader_of
from training.reading.quality import evaluate_agreement
from training.reading.recipe import ReadingRecipe
from training.reading.run import ReadingRun, load_sentences
from training.reading.templates import agreements

DEV_SENTENCES = 3000  # at every save
DEV_TEMPLATES = 300


class Row(NamedTuple):
    """A sentence as ids with start and end; of a template, the places of verb and head."""

    ids: list[int]
    verb: int = -1
    head: int = -1


class Batch(NamedTuple):
    """Sentences, and the rows, verbs and heads of the templates among them."""

    words: Tensor  # (B, T), with start, without end
    target: Tensor  # (B, T), the words shifted by one
    rows: Tensor  # (templates,)
    verbs: Tensor  # (templates,)
    heads: Tensor  # (templates,)


def collate(rows: Sequence[Row]) -> Batch:
    """Pad sentences to one batch."""
    every = pad([row.ids for row in rows])
    templates = [place for place, row in enumerate(rows) if row.verb >= 0]
    return Batch(
        every[:, :-1],
        every[:, 1:],
        torch.tensor(templates, dtype=torch.int64),
        torch.tensor([rows[place].verb for place in templates], dtype=torch.int64),
        torch.tensor([rows[place].head for place in templates], dtype=torch.int64),
    )


def rows(run: ReadingRun, seed: str) -> Iterator[Row]:
    """Yield every sentence of the training once, with templates among them."""
    recipe, (vocabulary, sentences, _, nouns) = run.recipe, run.sentences
    drawn = agreements("train", seed, nouns)
    for place, ids in enumerate(shuffled(sentences, seed)):
        if recipe.templates and place % recipe.templates == 0:
            template = next(drawn)
            yield Row(read_template(vocabulary, template), template.verb, template.head + 1)
        yield Row(ids)


def batches(run: ReadingRun) -> Iterator[Batch]:
    """Yield endless batches of sentences of similar length."""
    first = run.update
    for epoch in count():
        stream = rows(run, f"{run.recipe.schedule.seed} {first} {epoch}")
        for part in buckets(stream, _length, run.recipe.schedule.batch, first + epoch):
            yield collate(part)


def _length(row: Row) -> tuple[int, int]:
    return len(row.ids), 0


def train_step(run: ReadingRun, batch: Batch) -> float:
    """Make one update and return the cross-entropy of the words."""
    run.optimizer.zero_grad(set_to_none=True)
    with mixed_precision(CPU):
        read = run.model(batch.words)
    real = batch.target != PADDING
    readouts = read.readouts[real]
    weight, bias = run.model.embedding.weight, run.model.output_bias
    shown = projected_cross_entropy(readouts, weight, bias, batch.target[real], 0.0)
    total = shown
    if run.recipe.guide and len(batch.rows) and read.weights is not None:
        guided = read.scores[batch.rows, batch.verbs].float()
        total = total + run.recipe.guide * F.cross_entropy(guided, batch.heads)
    total.backward()  # type: ignore[no-untyped-call]
    if isinstance(run.model, DeferredLSTMN):
        run.model.finish()
    apply_gradients(run, run.recipe.schedule)
    return float(shown.detach())


def train(recipe: ReadingRecipe, data: Path, runs: Path, *, plain: bool = False) -> Path:
    """Train by a recipe and return the folder of the checkpoint."""
    run = ReadingRun.begin(recipe, load_sentences(recipe, data), plain=plain)
    folder = runs / (f"{recipe.id}-plain" if plain else recipe.id) / "checkpoint"
    folder.mkdir(parents=True, exist_ok=True)
    saved = folder.with_name("last.pt")
    if saved.exists():
        run.resume(saved)
    stream = batches(run)

    def save() -> list[str]:
        run.save(saved)
        with run.averaged() as model:
            save_reader(folder, recipe, model, run.sentences.vocabulary)
            lost = dev_perplexity(model, run.sentences.dev[:DEV_SENTENCES])
            found = evaluate_agreement(reader_of(model, run.sentences.vocabulary), DEV_TEMPLATES)
        figures = ", ".join(f"{name} {value:.3f}" for name, value in found.items())
        return [f"update {run.update}: perplexity {lost:.2f}, {figures}"]

    make_updates(run, recipe.schedule, recipe.id, lambda: train_step(run, next(stream)), save)
    return folder


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = training_parser("training.reading.train", __doc__)
    parser.add_argument("--plain", action="store_true", help="train an LSTM without a tape")
    given = parser.parse_args(arguments)
    torch.set_num_threads(given.threads)
    try:
        recipe = ReadingRecipe.named(given.model)
        folder = train(recipe, given.data, given.runs, plain=given.plain)
    except (RecipeError, CorpusError) as error:
        print(error, file=sys.stderr)
        return 2
    print(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
