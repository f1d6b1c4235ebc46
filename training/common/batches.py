"""Batches of examples of similar length.

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

Pair = tuple[Sequence[int], Sequence[int]]  # source and target, each with its stop token

Item = TypeVar("Item")

POOL = 40  # batches in a pool, which is sorted by length; its batches are shuffled
POOL_PAIRS = 16_000  # the same where batches are counted in tokens

# Batches counted in tokens have shapes on a grid: each new shape costs oneDNN milliseconds for
# every product.
ROWS = 16
STEPS = 2


class ReferencedSource(NamedTuple):
    """A source and its references; the supervised loss uses the first."""

    source: Sequence[int]
    references: Sequence[Sequence[int]]


class Batch(NamedTuple):
    """Padded pairs: source, decoder input and target."""

    source: Tensor  # (B, K)
    lengths: Tensor  # (B,)
    fed: Tensor  # (B, Q), the target shifted right by the start token
    target: Tensor  # (B, Q)

    def to(self, device: torch.device) -> Batch:
        """Move to a device; the lengths stay on the CPU, where packing needs them."""
        return Batch(
            self.source.to(device), self.lengths, self.fed.to(device), self.target.to(device)
        )


def collate(pairs: Sequence[Pair], multiple: int = 1) -> Batch:
    """Pad pairs to one batch, both sides to a multiple of a length."""
    fed = [[START, *target[:-1]] for _, target in pairs]
    return Batch(
        pad([source for source, _ in pairs], multiple),
        torch.tensor([len(source) for source, _ in pairs]),
        pad(fed, multiple),
        pad([target for _, target in pairs], multiple),
    )


def pad(rows: Sequence[Sequence[int]], multiple: int = 1) -> Tensor:
    """Stack rows of different length, padded on the right."""
    longest = round_up(max(len(row) for row in rows), multiple)
    return torch.tensor([[*row, *[PAD] * (longest - len(row))] for row in rows])


def chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Yield lists of `size` items; the last may be shorter."""
    stream = iter(items)
    while chunk := list(islice(stream, size)):
        yield chunk


def bucketed(
    pairs: Iterable[Pair], size: int, seed: int, *, by_tokens: bool = False
) -> Iterator[Batch]:
    """Yield batches of `size` pairs, or tokens, of similar length, in random order."""
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
    """Yield lists of `size` items, or tokens, of similar length, in random order.

    `lengths` gives the sort key; its first number counts as tokens.
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
    """Yield consecutive parts of the pool, of at most `size` tokens a side with padding."""
    start = longest = 0
    end = start
    while end < len(pool):
        longest = max(longest, round_up(lengths(pool[end])[0], STEPS))
        if end > start and (end + 1 - start) * longest > size:
            end = start + ((end - start) // ROWS * ROWS or end - start)
            yield pool[start:end]
            start, longest = end, 0
        else:
            end += 1
    if start < len(pool):
        yield pool[start:]


def round_up(length: int, multiple: int) -> int:
    """Round up to a multiple."""
    return -(-length // multiple) * multiple
