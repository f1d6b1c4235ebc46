"""Batches of examples of like length.

Shapes: `B` batch, `K` source tokens, `Q` target tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple, TypeVar

import torch
from torch import Tensor

from models.tokenizer import PAD, START

Pair = tuple[Sequence[int], Sequence[int]]  # source and target, each with its end mark

Item = TypeVar("Item")

POOL = 40  # batches drawn at once, sorted by length, then shuffled
TOKENS_A_PAIR = 20  # about, to draw about as many pairs where batches are counted in tokens


class Batch(NamedTuple):
    """Padded pairs: what is read, what is fed and what is to be written."""

    source: Tensor  # (B, K)
    lengths: Tensor  # (B,)
    fed: Tensor  # (B, Q), the target shifted right by its start mark
    target: Tensor  # (B, Q)

    def to(self, device: torch.device) -> Batch:
        """The same on another device; the lengths stay, packing wants them on the CPU."""
        return Batch(
            self.source.to(device), self.lengths, self.fed.to(device), self.target.to(device)
        )


def collate(pairs: Sequence[Pair]) -> Batch:
    """Pad a few pairs to one batch."""
    fed = [[START, *target[:-1]] for _, target in pairs]
    return Batch(
        pad([source for source, _ in pairs]),
        torch.tensor([len(source) for source, _ in pairs]),
        pad(fed),
        pad([target for _, target in pairs]),
    )


def pad(rows: Sequence[Sequence[int]]) -> Tensor:
    """Rows of different length as one matrix, filled up at the right."""
    longest = max(len(row) for row in rows)
    return torch.tensor([[*row, *[PAD] * (longest - len(row))] for row in rows])


def chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """The items in lists of `size`, the last one shorter."""
    stream = iter(items)
    while chunk := list(islice(stream, size)):
        yield chunk


def bucketed(
    pairs: Iterable[Pair], size: int, seed: int, *, by_tokens: bool = False
) -> Iterator[Batch]:
    """Batches of `size` pairs, or tokens, of like length, in random order."""
    rng = Random(seed)
    pool_size = size * POOL // (TOKENS_A_PAIR if by_tokens else 1)
    for pool in chunks(pairs, pool_size):
        pool.sort(key=lambda pair: (len(pair[0]), len(pair[1])))
        batches = list(_cut(pool, size, by_tokens=by_tokens))
        rng.shuffle(batches)
        yield from map(collate, batches)


def _cut(pool: Sequence[Pair], size: int, *, by_tokens: bool) -> Iterator[Sequence[Pair]]:
    """Consecutive pieces of the pool; counted in tokens, the padding counts too."""
    start = longest = 0
    for end, pair in enumerate(pool):
        longest = max(longest, *map(len, pair))
        cost = (end + 1 - start) * (longest if by_tokens else 1)
        if cost > size and end > start:
            yield pool[start:end]
            start, longest = end, max(map(len, pair))
    yield pool[start:]
