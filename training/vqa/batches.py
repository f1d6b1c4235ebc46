"""Batches of photos with all their questions, teacher forcing, and greedy answers.

A photo costs more time than a question, so its features serve all its questions.

Shapes: `P` photos, `B` questions, `W` words of a question, `Q` tokens of an answer, `K` cells,
`A` attention width, `D` width, `N` tokens of all answers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from heed.models.networks.attention import Keys, ends, softmax
from heed.models.networks.vqa import VQAMemory, VQANetwork
from heed.models.text.tokenizer import END, PAD, START, BytePieces
from training.common.batches import chunks, pad, round_up
from training.text.manual_bptt import encode
from training.vqa.questions import Question

WORDS, ROWS = (
    4,
    16,
)  # questions and batches are padded to a multiple: see training/common/batches.py


@dataclass(frozen=True, slots=True)
class QuestionNoise:
    """Probabilities of noise in training questions."""

    reworded: float = 0.0  # another of its wordings
    unstopped: float = 0.0  # no question mark
    garbled: float = 0.0  # for each piece, a random one instead, like an unknown word


class VQABatch(NamedTuple):
    """Photos, questions and answers, the longest answers first."""

    places: Tensor  # (P,) of the photos in their array
    about: Tensor  # (B,) which of these photos a question is about
    questions: Tensor  # (B, W)
    lengths: Tensor  # (B,) of the questions
    fed: Tensor  # (B, Q), the answer shifted right by its start mark
    target: Tensor  # (B, Q)


class Questions:
    """Questions about the photos of a split, as ids."""

    def __init__(
        self, questions: Sequence[Question], names: Sequence[str], tokenizer: BytePieces
    ) -> None:
        self._tokenizer = tokenizer
        self._ids: dict[str, list[int]] = {}
        places = {name: place for place, name in enumerate(names)}
        by_place: Mapping[int, list[Question]] = defaultdict(list)
        for question in questions:
            by_place[places[question.photo]].append(question)
        self._questions = dict(sorted(by_place.items()))

    def epoch(self, size: int, seed: int, noise: QuestionNoise) -> Iterator[VQABatch]:
        """Yield every photo with questions, `size` at a time, in random order."""
        random = Random(seed)
        order = list(self._questions)
        random.shuffle(order)
        for places in chunks(order, size):
            yield self._collate(places, random, noise, ROWS)

    def in_order(self, size: int) -> Iterator[tuple[VQABatch, list[Question]]]:
        """Yield every photo with questions once, with the original questions."""
        for places in chunks(self._questions, size):
            asked = self._asked(places)
            yield (
                self._collate(places, Random(0), QuestionNoise()),
                [question for _, question in asked],
            )

    def _asked(self, places: Sequence[int]) -> list[tuple[int, Question]]:
        """Return the questions with the index of their photo, the longest answers first."""
        asked = [
            (i, question) for i, place in enumerate(places) for question in self._questions[place]
        ]
        return sorted(asked, key=lambda pair: -len(self._of(pair[1].answer)))

    def _collate(
        self, places: Sequence[int], random: Random, noise: QuestionNoise, rows: int = 1
    ) -> VQABatch:
        asked = self._asked(places)
        nothing = round_up(len(asked), rows) - len(asked)
        about = [photo for photo, _ in asked] + [0] * nothing
        questions = [self._put(question, random, noise) for _, question in asked]
        questions += [[END]] * nothing
        targets = [self._of(question.answer) for _, question in asked] + [[PAD]] * nothing
        return VQABatch(
            torch.tensor(places),
            torch.tensor(about),
            pad(questions, WORDS),
            torch.tensor([len(ids) for ids in questions]),
            pad([[START, *ids[:-1]] for ids in targets]),
            pad(targets),
        )

    def _put(self, question: Question, random: Random, noise: QuestionNoise) -> list[int]:
        text = question.text
        if question.wordings and random.random() < noise.reworded:
            text = random.choice(question.wordings)
        if random.random() < noise.unstopped:
            text = text.rstrip("?")
        others = len(self._tokenizer)
        return [
            random.randrange(END + 1, others) if random.random() < noise.garbled else id
            for id in self._of(text)[:-1]
        ] + [END]

    def _of(self, text: str) -> list[int]:
        if text not in self._ids:
            self._ids[text] = self._tokenizer.ids(text)
        return self._ids[text]


class TeacherForced(NamedTuple):
    """Result of teacher forcing, before the projection onto the vocabulary."""

    readouts: Tensor  # (N, D)
    target: Tensor  # (N,)
    score_variance: Tensor  # mean over all rows of the variance of their scores over the cells


def teacher_force(model: VQANetwork, cells: Tensor, batch: VQABatch) -> TeacherForced:
    """Run the decoder on the answers of a batch with cells (P, K, D).

    The same numbers as `advance`, step by step, for the unfinished answers.
    """
    question = encode(model.reader, model.embedding(batch.questions), batch.lengths)
    words = model.to_question.prepare(question.states, question.mask)
    attend = CellAttention(model, cells, batch.about)
    hidden = torch.tanh(model.bridge(ends(question.states, question.mask)))
    embedded = model.dropout(model.embedding(batch.fed))  # (B, Q, D)
    readouts, targets, variances = [], [], []
    for step, target in enumerate(batch.target.unbind(dim=1)):
        count = min(round_up(int((target != PAD).sum()), ROWS), len(hidden))
        hidden, word = hidden[:count], embedded[:count, step]
        query = torch.cat([hidden, word], dim=-1)
        keys = Keys(words.keys[:count], words.values[:count], question.mask[:count])
        attended = model.to_question(query[:, None], keys)
        words_context = attended.context[:, 0]
        context, scores = attend(model.query(query, words_context))
        both, hidden = model.update(word, words_context, context, hidden)
        variances.append(scores.var(dim=1)[target[:count] != PAD])
        readouts.append(model.dropout(model.readout(hidden, both, word)))
        targets.append(target[:count])
    real = torch.cat(targets)
    readout, target = torch.cat(readouts)[real != PAD], real[real != PAD]
    return TeacherForced(readout, target, torch.cat(variances).mean())


class CellAttention:
    """Attention of each question to the cells of its photo.

    Products over the cells of all photos are mostly unused, and still much faster than copying the
    cells of its photo for every question.
    """

    def __init__(self, model: VQANetwork, cells: Tensor, about: Tensor) -> None:
        count = cells.shape[1]
        self._keys = model.to_cells.key(cells).flatten(0, 1)  # (P·K, A)
        self._cells = cells.flatten(0, 1)  # (P·K, D)
        self._own = about[:, None] * count + torch.arange(count, device=about.device)  # (B, K)

    def __call__(self, query: Tensor) -> tuple[Tensor, Tensor]:
        """Return the context (n, D) and the scores (n, K) of the first n questions (n, A)."""
        every = F.linear(query, self._keys)  # (n, P·K)
        own = self._own[: len(query)]
        scores = every.gather(1, own).to(torch.float32)
        weights = softmax(scores).to(every.dtype)
        return torch.zeros_like(every).scatter(1, own, weights) @ self._cells, scores


def greedy_answers(model: VQANetwork, memory: VQAMemory, steps: int) -> Tensor:
    """Decode greedily (B, Q), with PAD after the stop token of each answer."""
    state = model.start(memory)
    token = torch.full((len(memory.about),), START)
    over = torch.zeros(len(token), dtype=torch.bool)
    written = []
    for _ in range(steps):
        advanced, state = model.advance(token, state)
        scores = model.predict(advanced.readout)
        scores[:, [PAD, START]] = -torch.inf
        token = scores.argmax(dim=-1).masked_fill(over, PAD)
        over |= token == END
        written.append(token)
        if over.all():
            break
    return torch.stack(written, dim=1)


def exact_matches(written: Tensor, target: Tensor) -> Tensor:
    """Return whether each answer (B,) is right to the last token."""
    steps = max(written.shape[1], target.shape[1])
    given, wanted = (F.pad(ids, (0, steps - ids.shape[1])) for ids in (written, target))
    return (given == wanted).all(dim=1)
