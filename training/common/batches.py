"""Batches of examples of like length.

Shapes: `B` batch, `K` source tokens, `Q` target tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple, TypeVar

import torch
from torch import Tensor

from heed.models.text.tokenizer import PAD, START

Pair = tuple[Sequence[int], Sequence[int]]  # source and target, each with its end mark

Item = TypeVar("Item")

POOL = 40  # batches drawn at once, sorted by length, then shuffled
POOL_PAIRS = 16_000  # the same where batches are counted in tokens

# Where batches are counted in tokens, their shapes are kept to a grid: a shape that was never met
# before costs oneDNN milliseconds for every product in it.
ROWS = 16
STEPS = 2


class ReferencedSource(NamedTuple):
    """A source to be translated, and what people wrote for it; the first of these is learned."""

    source: Sequence[int]
    references: Sequence[Sequence[int]]


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


def collate(pairs: Sequence[Pair], multiple: int = 1) -> Batch:
    """Pad a few pairs to one batch, both sides to a multiple of a length."""
    fed = [[START, *target[:-1]] for _, target in pairs]
    return Batch(
        pad([source for source, _ in pairs], multiple),
        torch.tensor([len(source) for source, _ in pairs]),
        pad(fed, multiple),
        pad([target for _, target in pairs], multiple),
    )


def pad(rows: Sequence[Sequence[int]], multiple: int = 1) -> Tensor:
    """Rows of different length as one matrix, filled up at the right."""
    longest = round_up(max(len(row) for row in rows), multiple)
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
    for batch in buckets(pairs, _lengths, size, seed, by_tokens=by_tokens):
        yield collate(batch, STEPS if by_tokens else 1)


def _lengths(pair: Pair) -> tuple[int, int]:
    return max(map(len, pair)), len(pair[0])


def buckets(
    items: Iterable[Item],
    lengths: Callable[[Item], tuple[int, int]],
    size: int,
    seed: int,
    *,
    by_tokens: bool = False,
) -> Iterator[Sequence[Item]]:
    """Lists of `size` items, or tokens, in random order; what is side by side is of like length.

    By `lengths` they are sorted, and the first of these is what is counted as tokens.
    """
    rng = Random(seed)
    for pool in chunks(items, POOL_PAIRS if by_tokens else size * POOL):
        pool.sort(key=lengths)
        batches = list(_by_tokens(pool, lengths, size) if by_tokens else chunks(pool, size))
        rng.shuffle(batches)
        yield from batches


def _by_tokens(
    pool: Sequence[Item], lengths: Callable[[Item], tuple[int, int]], size: int
) -> Iterator[Sequence[Item]]:
    """Consecutive pieces of the pool, of at most `size` tokens a side, the padding counted."""
    start = longest = 0
    end = start
    while end < len(pool):
        longest = max(longest, round_up(lengths(pool[end])[0], STEPS))
        if end > start and (end + 1 - start) * longest > size:
            end = max(start + (end - start) // ROWS * ROWS, start + 1)
            yield pool[start:end]
            start, longest = end, 0
        else:
            end += 1
    if start < len(pool):
        yield pool[start:]


def round_up(length: int, multiple: int) -> int:
    """The next multiple."""
    return -(-length // multiple) * multiple
