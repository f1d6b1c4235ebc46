"""Sentences of a training, and their batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from heed.models.text.words import WordVocabulary
from training.common.batches import pad
from training.reading.corpus import (
    draw_vocabulary,
    english_sentences,
    nouns_of,
    read_sentences,
    shuffled,
)
from training.reading.measure import read_template
from training.reading.recipe import ReadingRecipe
from training.reading.templates import agreements, held_out_nouns


class Sentences(NamedTuple):
    """The vocabulary and the sentences of a training, as ids with start and end."""

    vocabulary: WordVocabulary
    train: list[list[int]]
    dev: list[list[int]]
    nouns: tuple[tuple[str, str], ...]  # of the templates, with their plurals


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


def load_sentences(recipe: ReadingRecipe, data: Path) -> Sentences:
    """Read the corpora; no dev sentence is among those of the training."""
    texts = english_sentences(data, "train")
    vocabulary = draw_vocabulary(texts, recipe.network.vocabulary)
    dev = read_sentences(vocabulary, english_sentences(data, "dev"), without=frozenset())
    held_out = frozenset(tuple(ids[1:-1]) for ids in dev)
    train = read_sentences(vocabulary, texts, without=held_out)
    nouns = nouns_of(vocabulary, train, held_out_nouns())
    return Sentences(vocabulary, train, dev, nouns)


def rows(sentences: Sentences, templates: int, seed: str) -> Iterator[Row]:
    """Yield every sentence of the training once, with templates among them."""
    drawn = agreements("train", seed, sentences.nouns)
    for place, ids in enumerate(shuffled(sentences.train, seed)):
        if templates and place % templates == 0:
            template = next(drawn)
            ids_of_template = read_template(sentences.vocabulary, template)
            yield Row(ids_of_template, template.verb, template.head + 1)
        yield Row(ids)


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
