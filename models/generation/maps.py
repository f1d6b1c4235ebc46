"""The maps of a trace, from what the groups of heads have told step by step.

Shapes: `B` texts, `L` layers, `H` heads, `Q` queries, `K` keys, `D` width of a head.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heed.models.generation.search import Record
from heed.models.runtime.protocol import Attended, Encoded, MapGroup, Projected
from heed.models.trace import AttentionMap, AxisName, Floats, HeadVectors, MapKind


class EncodedInput(NamedTuple):
    """What was made of one text before the first step, without the padding behind it."""

    memory: Floats  # (K, D)
    attended: tuple[Attended, ...]  # (H, K, K), one per group of the encoder
    projected: tuple[Projected | None, ...]  # (H, K, D), one per group of a step
    own: bool  # whether the heads of self-attention tell their vectors, too


def read_of(encoded: Encoded[Any], row: int, keys: int, *, own: bool = False) -> EncodedInput:
    """What was made of the text of this row, which has so many tokens."""
    return EncodedInput(
        encoded.memory[row, :keys],
        tuple(_row_of(each, row, keys, own=own) for each in encoded.attended),
        tuple(
            each and Projected(each.keys[row, :, :keys], each.values[row, :, :keys])
            for each in encoded.projected
        ),
        own,
    )


def _row_of(looked: Attended, row: int, keys: int, *, own: bool) -> Attended:
    """How one text of several looked at itself."""
    scores, weights, *vectors = looked
    told = (each if each is None else each[row, :, :keys] for each in vectors if own)
    return Attended(scores[row, :, :keys, :keys], weights[row, :, :keys, :keys], *told)


def encoder_maps(groups: Sequence[MapGroup], read: EncodedInput) -> list[AttentionMap]:
    """How the text looked at itself."""
    maps = []
    for group, attended in zip(groups, read.attended, strict=True):
        scores, weights, *vectors = attended
        told = [each for each in vectors if each is not None]
        maps += _heads(group, scores, weights, _vectors(*told) if told else None)
    return maps


def decoder_maps(
    groups: Sequence[MapGroup], records: Sequence[Record], read: EncodedInput
) -> list[AttentionMap]:
    """Where each step looked. Layers that are alike are told together, which takes less time."""
    maps = []
    for likeness, layers in groupby(range(len(groups)), lambda place: _likeness(groups[place])):
        places = list(layers)
        looked = _Looked(records, places)
        keys = records[0].keys[places[0]]
        projected = [read.projected[place] for place in places]
        if read.own and likeness.key == "decoder_input":
            own = looked.vectors("key"), looked.vectors("value")
            projected = [Projected(*each) for each in zip(*own, strict=True)]
        queries = looked.vectors("query") if all(projected) else projected
        for place, scores, weights, asked, kept in zip(
            places,
            looked.stacked("scores", keys, -np.inf),
            looked.stacked("weights", keys, 0.0),
            queries,
            projected,
            strict=True,
        ):
            vectors = kept and _vectors(asked, *kept)
            maps += _heads(groups[place], scores, weights, vectors)
    return maps


class _Likeness(NamedTuple):
    """What the arrays of groups that are told together have in common."""

    kind: MapKind
    key: AxisName
    heads: int


def _likeness(group: MapGroup) -> _Likeness:
    return _Likeness(group.kind, group.key, group.heads)


class _Looked:
    """What the groups at these places told of one text, step by step."""

    def __init__(self, records: Sequence[Record], places: Sequence[int]) -> None:
        self._shape = len(places), len(records)
        self._looked = [record.told.kept.attended[place] for place in places for record in records]
        self._at = [record.row for record in records] * len(places)

    def vectors(self, name: Literal["query", "key", "value"]) -> Floats:
        """A vector of each layer, head and step: (L, H, Q, D)."""
        return self._joined(self._rows(name)).swapaxes(1, 2)

    def stacked(
        self, name: Literal["scores", "weights"], keys: int | None, filling: float
    ) -> Floats:
        """The rows (H, K) of each layer, (L, H, Q, K), without what lies behind the keys.

        The rows of self-attention, whose keys are what was written, grow by one each.
        """
        rows = self._rows(name)
        if keys is not None:
            return np.ascontiguousarray(self._joined(rows)[..., :keys].swapaxes(1, 2))
        layers, steps = self._shape
        heads = len(rows[0])
        stacked = np.full((layers, heads, steps, steps), filling, np.float32)
        there = np.concatenate(rows, axis=1).reshape(heads, layers, -1)
        stacked[:, :, _reached(steps)] = there.swapaxes(0, 1)
        return stacked

    def _rows(self, name: str) -> list[Floats]:
        """What each layer told of each step."""
        both = zip(self._looked, self._at, strict=True)
        return [getattr(each, name)[row] for each, row in both]

    def _joined(self, rows: Sequence[Floats]) -> Floats:
        """The same as one array; `np.array` would take several times as long."""
        return np.concatenate(rows).reshape(*self._shape, *rows[0].shape)


@lru_cache(maxsize=256)
def _reached(steps: int) -> NDArray[np.bool_]:
    """What had been written by each step, the lower half of a square."""
    return np.tri(steps, dtype=bool)


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


def _vectors(*parts: Floats) -> list[HeadVectors]:
    """What each head compared and summed: queries (H, Q, D), keys and values (H, K, D)."""
    return [HeadVectors(*each) for each in zip(*parts, strict=True)]
