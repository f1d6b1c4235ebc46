"""The maps of a trace, from what the groups of heads have told step by step.

Shapes: `B` texts, `L` layers, `H` heads, `Q` queries, `K` keys, `D` width of a head.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.runtime import Attended, Encoded, MapGroup, Projected
from models.search import Record
from models.trace import AttentionMap, Floats, HeadVectors


class Read(NamedTuple):
    """What was made of one text before the first step, without the padding behind it."""

    memory: Floats  # (K, D)
    attended: tuple[Attended, ...]  # (H, K, K), one per group of the encoder
    projected: tuple[Projected | None, ...]  # (H, K, D), one per group of a step


def read_of(encoded: Encoded[Any], row: int, keys: int) -> Read:
    """What was made of the text of this row, which has so many tokens."""
    return Read(
        encoded.memory[row, :keys],
        tuple(
            Attended(each.scores[row, :, :keys, :keys], each.weights[row, :, :keys, :keys])
            for each in encoded.attended
        ),
        tuple(
            each and Projected(each.keys[row, :, :keys], each.values[row, :, :keys])
            for each in encoded.projected
        ),
    )


def encoder_maps(groups: Sequence[MapGroup], read: Read) -> list[AttentionMap]:
    """How the text looked at itself."""
    maps = []
    for group, attended in zip(groups, read.attended, strict=True):
        maps += _heads(group, attended.scores, attended.weights)
    return maps


def decoder_maps(
    groups: Sequence[MapGroup], records: Sequence[Record], read: Read
) -> list[AttentionMap]:
    """Where each step looked. Layers that are alike are told together, which takes less time."""
    maps: list[AttentionMap] = []
    for _, layers in groupby(range(len(groups)), lambda place: _likeness(groups[place])):
        places = list(layers)
        told = [groups[place] for place in places]
        looked = [record.told.kept.attended[place] for place in places for record in records]
        rows = [record.row for record in records] * len(places)
        shape = len(places), len(records)
        keys = records[0].keys[places[0]]
        maps += _layers(
            told,
            _stack(_of_rows([each.scores for each in looked], rows), shape, keys, -np.inf),
            _stack(_of_rows([each.weights for each in looked], rows), shape, keys, 0.0),
            _vectors(looked, rows, shape, [read.projected[place] for place in places]),
        )
    return maps


def _likeness(group: MapGroup) -> tuple[str, str, int]:
    return group.kind, group.key, group.heads


def _layers(
    groups: Sequence[MapGroup],
    scores: Floats,
    weights: Floats,
    vectors: Sequence[Sequence[HeadVectors] | None],
) -> Iterator[AttentionMap]:
    """The maps of like groups, from (L, H, Q, K) of each."""
    for each in zip(groups, scores, weights, vectors, strict=True):
        yield from _heads(*each)


def _heads(
    group: MapGroup,
    scores: Floats,
    weights: Floats,
    vectors: Sequence[HeadVectors] | None = None,
) -> list[AttentionMap]:
    """The maps of a group, from (H, Q, K) of each."""
    return [
        AttentionMap(
            group.kind,
            group.layer,
            head,
            group.query,
            group.key,
            weights[head],
            scores[head],
            vectors[head] if vectors else None,
        )
        for head in range(group.heads)
    ]


def _vectors(
    looked: Sequence[Attended],
    rows: Sequence[int],
    shape: tuple[int, int],
    projected: Sequence[Projected | None],
) -> list[list[HeadVectors] | None]:
    """What each head of each layer compared and summed."""
    asked = [each.query for each in looked if each.query is not None]
    if not any(projected):
        return [None for _ in projected]
    queries = _joined(_of_rows(asked, rows), shape).swapaxes(1, 2)  # (L, H, Q, D)
    return [
        each and list(map(HeadVectors, heads, each.keys, each.values))
        for heads, each in zip(queries, projected, strict=True)
    ]


def _of_rows(arrays: Sequence[Floats], rows: Sequence[int]) -> list[Floats]:
    """Of each array the row."""
    return [array[row] for array, row in zip(arrays, rows, strict=True)]


def _stack(
    rows: Sequence[Floats], shape: tuple[int, int], keys: int | None, filling: float
) -> Floats:
    """Rows (H, K) of so many layers and steps, as (L, H, Q, K), without what lies behind the keys.

    The rows of self-attention, whose keys are what was written, grow by one each.
    """
    if keys is not None:
        return np.ascontiguousarray(_joined(rows, shape)[..., :keys].swapaxes(1, 2))
    layers, steps = shape
    heads = len(rows[0])
    stacked = np.full((layers, heads, steps, steps), filling, np.float32)
    there = np.concatenate(rows, axis=1).reshape(heads, layers, -1)
    stacked[:, :, _reached(steps)] = there.swapaxes(0, 1)
    return stacked


def _joined(rows: Sequence[Floats], shape: tuple[int, int]) -> Floats:
    """Arrays of so many layers and steps as one; `np.array` would take several times as long."""
    return np.concatenate(rows).reshape(*shape, *rows[0].shape)


@lru_cache(maxsize=256)
def _reached(steps: int) -> NDArray[np.bool_]:
    """What had been written by each step, the lower half of a square."""
    return np.tri(steps, dtype=bool)
