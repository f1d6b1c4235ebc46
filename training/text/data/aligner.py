"""Which words of two sentences belong together, learned from nothing but the pairs.

IBM model 2 along the diagonal (Dyer, Chahuneau and Smith 2013, "A Simple, Fast, and Effective
Reparameterization of IBM Model 2"): each written word comes from one that was read, or from none;
from which one is a matter of the two words and of how far apart they stand. It is learned in both
directions, and a link counts as much as both hold it likely (Liang, Taskar and Klein 2006).

Shapes: `R` words read, `W` words written, `C` cells: a word read (or none) beside one written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from heed.models.trace import Floats

Words = Sequence[str]
Places = NDArray[np.int64]
Likely = NDArray[np.floating[Any]]

NONE = 0  # id of the null word
UNREAD = 0.08  # probability of a target word without a source word
TENSION = 8.0  # strength of the diagonal prior
SPARSE = 0.01  # Dirichlet prior: a word has few translations
ROUNDS = 5  # EM iterations
UNSEEN = 1e-9  # probability of two words that never occur together


class Vocabulary(dict[str, int]):
    """Ids of words, in order of appearance, and a last one for all unknown words."""

    def places(self, words: Words) -> list[int]:
        """Return the ids of words, with new ids for new words."""
        return [self.setdefault(word, len(self) + 1) for word in words]

    def known(self, words: Words) -> list[int]:
        """Return the ids of words."""
        return [self.get(word, len(self) + 1) for word in words]

    @property
    def size(self) -> int:
        """Number of ids, with those of the null word and of unknown words."""
        return len(self) + 2


@dataclass(frozen=True, slots=True)
class Direction:
    """Translation probabilities in one direction."""

    size: int  # of the vocabulary that is written
    codes: Places  # of two words that met, sorted: read · size + written
    likely: Likely

    @classmethod
    def learned(cls, pairs: Sequence[tuple[list[int], list[int]]], size: int) -> Direction:
        """Estimate the probabilities from pairs of source and target ids."""
        words = [_codes(read, written, size) for read, written in pairs]
        cells = np.concatenate([pairs.ravel() for pairs in words])
        codes, met = np.unique(cells, return_inverse=True)
        along = np.concatenate([_along(*pairs.shape).ravel() for pairs in words])
        rows = np.cumsum([0, *(pairs.shape[1] for pairs in words for _ in pairs)])[:-1]
        lengths = np.diff([*rows, len(met)])
        readers = codes // size
        likely = np.ones(len(codes))
        for _ in range(ROUNDS):
            share = likely[met] * along
            share /= np.repeat(np.add.reduceat(share, rows), lengths)
            counts = np.bincount(met, share, len(codes)) + SPARSE
            every = np.bincount(readers, counts - SPARSE) + SPARSE * size
            likely = np.exp(_digamma(counts) - _digamma(every)[readers])
        return cls(size, codes, likely)

    def shares(self, read: list[int], written: list[int]) -> Likely:
        """Return how likely each target word comes from each source word (W, R); the rest: null."""
        codes = _codes(read, written, self.size)
        places = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        likely = np.where(self.codes[places] == codes, self.likely[places], UNSEEN)
        share = likely * _along(*codes.shape)
        return share[:, 1:] / share.sum(axis=1, keepdims=True)


@dataclass(frozen=True, slots=True)
class Aligner:
    """Word aligner of both directions."""

    source: Vocabulary
    target: Vocabulary
    there: Direction
    back: Direction

    @classmethod
    def learned(cls, pairs: Iterable[tuple[Words, Words]]) -> Aligner:
        """Train on the words of translated sentences."""
        source, target = Vocabulary(), Vocabulary()
        numbered = [(source.places(here), target.places(there)) for here, there in pairs]
        numbered = [(here, there) for here, there in numbered if here and there]
        turned = [(there, here) for here, there in numbered]
        return cls(
            source,
            target,
            Direction.learned(numbered, target.size),
            Direction.learned(turned, source.size),
        )

    def links(self, source: Words, target: Words) -> Floats:
        """Return the probability of each link of target to source word by both directions (W, R).

        An unknown word on both sides is a name and is linked to itself.
        """
        here, there = self.source.known(source), self.target.known(target)
        both = self.there.shares(here, there) * self.back.shares(there, here).T
        for word in set(source) & set(target):
            if word in self.source or word in self.target:
                continue
            rows, columns = (np.array(side) == word for side in (target, source))
            both[rows] = columns / columns.sum()
        return both.astype(np.float32)


def _codes(read: list[int], written: list[int], size: int) -> Places:
    """Return codes of word pairs, source words in columns behind the null word (W, 1 + R)."""
    return np.array([NONE, *read]) * size + np.array(written)[:, None]


@cache
def _along(written: int, read: int) -> Likely:
    """Return the prior of each link by its position (W, 1 + R) (equation 1)."""
    far = np.abs(_middles(written)[:, None] - _middles(read - 1))
    near = np.exp(-TENSION * far)
    near *= (1 - UNREAD) / near.sum(axis=1, keepdims=True)
    return np.concatenate([np.full((written, 1), UNREAD), near], axis=1)


def _middles(count: int) -> Likely:
    return (np.arange(count) + 0.5) / count


def _digamma(values: Likely) -> Likely:
    result: Likely = torch.digamma(torch.from_numpy(values)).numpy()
    return result
