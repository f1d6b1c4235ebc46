"""State of a training of a reader: its network, its sentences and its optimizer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from heed.models.networks.lstmn import LSTMN
from heed.models.text.words import WordVocabulary
from training.common.averaging import averaged, begin_average
from training.common.saves import ResumableRun
from training.reading.corpus import (
    draw_vocabulary,
    english_sentences,
    nouns_of,
    read_sentences,
)
from training.reading.deferred import DeferredLSTMN
from training.reading.plain import PlainLSTM
from training.reading.recipe import ReadingRecipe
from training.reading.templates import held_out_nouns


class Sentences(NamedTuple):
    """The vocabulary and the sentences of a training, as ids with start and end."""

    vocabulary: WordVocabulary
    train: list[list[int]]
    dev: list[list[int]]
    nouns: tuple[tuple[str, str], ...]  # of the templates, with their plurals


def load_sentences(recipe: ReadingRecipe, data: Path) -> Sentences:
    """Read the corpora; no dev sentence is among those of the training."""
    texts = english_sentences(data, "train")
    vocabulary = draw_vocabulary(texts, recipe.network.vocabulary)
    dev = read_sentences(vocabulary, english_sentences(data, "dev"), without=frozenset())
    held_out = frozenset(tuple(ids[1:-1]) for ids in dev)
    train = read_sentences(vocabulary, texts, without=held_out)
    nouns = nouns_of(vocabulary, train, held_out_nouns())
    return Sentences(vocabulary, train, dev, nouns)


@dataclass(slots=True)
class ReadingRun(ResumableRun):
    """State of a training run: everything that a save keeps."""

    recipe: ReadingRecipe
    sentences: Sentences
    model: LSTMN | PlainLSTM
    optimizer: torch.optim.Optimizer
    average: dict[str, Tensor]
    update: int = 0

    @classmethod
    def begin(cls, recipe: ReadingRecipe, sentences: Sentences, *, plain: bool) -> ReadingRun:
        """Create a run at update 0; `plain`: of the baseline without attention."""
        torch.manual_seed(recipe.schedule.seed)
        model = (PlainLSTM if plain else DeferredLSTMN)(recipe.network)
        optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), fused=True)
        average = begin_average(model)
        return cls(recipe, sentences, model, optimizer, average)

    @contextmanager
    def averaged(self) -> Iterator[LSTMN | PlainLSTM]:
        """Give the model its averaged weights within a `with` block."""
        with averaged(self.model, self.average):
            yield self.model
