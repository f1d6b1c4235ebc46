"""Batches of stories: tensors, and their endless variation by other names, places and things.

Shapes: `N` examples, `S` sentences with the empty one, `W` words, `H` hops.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

import torch
from torch import Tensor

from heed.models.families.memory.stories import PADDING, UNKNOWN
from training.stories.examples import Example, draw
from training.stories.grammar import MOST
from training.stories.questions import HOPS
from training.stories.recipe import MemoryNetworkRecipe
from training.stories.vocabulary import (
    ANIMALS,
    CANNOT_KNOW,
    NAMES,
    OBJECTS,
    PLACES,
    SPECIAL,
    Vocabulary,
)


class Batch(NamedTuple):
    """Stories, questions and answers, and the weights that each hop should have."""

    story: Tensor  # (N, S, W)
    sentences: Tensor  # (N, S), false where the story is padded
    question: Tensor  # (N, W)
    answer: Tensor  # (N,)
    guide: Tensor  # (N, H, S), each row sums to 1

    def select(self, rows: Tensor) -> Batch:
        """Select these rows."""
        return Batch(*(tensor[rows] for tensor in self))

    def trim(self) -> Batch:
        """Cut the stories where the longest of them ends."""
        end = int(self.sentences.sum(dim=1).max())
        return self._replace(
            story=self.story[:, :end],
            sentences=self.sentences[:, :end],
            guide=self.guide[..., :end],
        )


def read_batch(vocabulary: Vocabulary, examples: Iterable[Example]) -> Batch:
    """Read examples."""
    given = list(examples)
    story = torch.zeros(len(given), MOST + 1, vocabulary.longest, dtype=torch.int64)
    guide = torch.zeros(len(given), HOPS, MOST + 1)
    for row, example in enumerate(given):
        read = torch.tensor(vocabulary.read_story(example.sentences))
        story[row, : len(read)] = read
        for hop, facts in enumerate(example.hops):
            guide[row, hop, [fact + 1 for fact in facts]] = 1 / len(facts)
    return Batch(
        story,
        (story != PADDING).any(dim=-1),
        torch.tensor([vocabulary.read_sentence(example.question) for example in given]),
        torch.tensor([vocabulary.answer_ids[example.answer] for example in given]),
        guide,
    )


def draw_pool(vocabulary: Vocabulary, part: str, count: int, recipe: MemoryNetworkRecipe) -> Batch:
    """Draw examples for training, the same for the same part of the same recipe."""
    rng = Random(f"{recipe.schedule.seed} {part}")
    kinds = rng.choices(list(recipe.kinds), list(recipe.kinds.values()), k=count)
    drawn = (draw(rng, kind, rng.random() >= recipe.unanswerable) for kind in kinds)
    return read_batch(vocabulary, drawn)


@dataclass(frozen=True, slots=True)
class Variation:
    """Exchange of the names, places, objects and animals of an example for others of their sort."""

    vocabulary: Vocabulary
    unknown: float  # examples of which one word is replaced by the unknown word

    def vary(self, batch: Batch) -> Batch:
        """Return a batch in which every example has other names, or a word that is not known."""
        count, words = len(batch.answer), len(self.vocabulary.words)
        table = torch.arange(words).repeat(count, 1)  # the new word of each word
        answers = torch.arange(len(self.vocabulary.answers)).repeat(count, 1)
        for start, size, answer in SORTS:
            order = torch.rand(count, size).argsort(dim=1)
            table[:, start : start + size] = order + start
            if answer is not None:
                answers[:, answer : answer + size] = order + answer
        self.forget(batch, table, answers)
        return batch._replace(
            story=table.gather(1, batch.story.flatten(1)).reshape(batch.story.shape),
            question=table.gather(1, batch.question),
            answer=answers.gather(1, batch.answer[:, None]).squeeze(1),
        )

    def forget(self, batch: Batch, table: Tensor, answers: Tensor) -> None:
        """Let one word of some examples become unknown; an answer that is unknown is not given."""
        rows = torch.nonzero(torch.rand(len(table)) < self.unknown).squeeze(1)
        texts = torch.cat([batch.story[rows].flatten(1), batch.question[rows]], dim=1)
        if not len(rows):
            return
        words = texts.gather(1, torch.multinomial((texts >= len(SPECIAL)).float(), 1)).squeeze(1)
        table[rows, words] = UNKNOWN
        for start, size, answer in SORTS:
            if answer is not None:
                ours = (words >= start) & (words < start + size)
                places = answer + words[ours] - start
                answers[rows[ours], places] = self.vocabulary.answer_ids[CANNOT_KNOW]


def _sorts() -> tuple[tuple[int, int, int | None], ...]:
    """The first word of each sort of names, their number, and the first answer that is one."""
    start, answer = len(SPECIAL), 0
    sorts: list[tuple[int, int, int | None]] = []
    for names in (NAMES, PLACES, OBJECTS, ANIMALS):
        is_answer = names in (NAMES, PLACES)
        sorts.append((start, len(names), answer if is_answer else None))
        start, answer = start + len(names), answer + len(names)
    return tuple(sorts)


SORTS: Final = _sorts()
