"""The maps of a trace, from the attention of every step.

Shapes: `B` texts, `L` layers, `H` heads, `Q` queries, `K` keys, `D` width of a head.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heed.models.generation.search import Record
from heed.models.networks.map_group import MapGroup
from heed.models.runtime.edited import EditPlan, missing_weight
from heed.models.runtime.protocol import Attended, Encoded, Projected
from heed.models.trace import AttentionMap, AxisName, Floats, HeadVectors, MapKind


class EncodedInput(NamedTuple):
    """One encoded input, without the padding behind it."""

    memory: Floats  # (K, D)
    attended: tuple[Attended, ...]  # (H, K, K), one per group of the encoder
    projected: tuple[Projected | None, ...]  # (H, K, D), one per group of a step
    own: bool  # true if the maps of self-attention have vectors
    edits: EditPlan | None = None  # of its encoder and its steps


def select_input(encoded: Encoded, row: int, keys: int, *, own: bool = False) -> EncodedInput:
    """Select the input of this row, which has `keys` tokens."""
    return EncodedInput(
        encoded.memory[row, :keys],
        tuple(_row_of(attended, row, keys, own=own) for attended in encoded.attended),
        tuple(
            projected and Projected(projected.keys[row, :, :keys], projected.values[row, :, :keys])
            for projected in encoded.projected
        ),
        own,
    )


def _row_of(attended: Attended, row: int, keys: int, *, own: bool) -> Attended:
    """Select the self-attention of one text."""
    scores, weights, *vectors = attended
    kept = (vector if vector is None else vector[row, :, :keys] for vector in vectors if own)
    return Attended(scores[row, :, :keys, :keys], weights[row, :, :keys, :keys], *kept)


def encoder_maps(groups: Sequence[MapGroup], encoded: EncodedInput) -> list[AttentionMap]:
    """Build the maps of the encoder's self-attention."""
    maps = []
    for group, attended in zip(groups, encoded.attended, strict=True):
        scores, weights, *vectors = attended
        kept = [vector for vector in vectors if vector is not None]
        maps += _heads(group, scores, weights, _vectors(*kept) if kept else None, encoded.edits)
    return maps


def decoder_maps(
    groups: Sequence[MapGroup], records: Sequence[Record], encoded: EncodedInput
) -> list[AttentionMap]:
    """Build the maps of the decoder. Layers of one shape are stacked together, which is faster."""
    maps = []
    for likeness, layers in groupby(range(len(groups)), lambda place: _likeness(groups[place])):
        places = list(layers)
        stack = _Stack(records, places)
        keys = records[0].keys[places[0]]
        projected = [encoded.projected[place] for place in places]
        if encoded.own and likeness.key == "decoder_input":
            own = stack.vectors("key"), stack.vectors("value")
            projected = [Projected(*columns) for columns in zip(*own, strict=True)]
        queries = stack.vectors("query") if all(projected) else projected
        for place, scores, weights, query, projection in zip(
            places,
            stack.stacked("scores", keys, -np.inf),
            stack.stacked("weights", keys, 0.0),
            queries,
            projected,
            strict=True,
        ):
            vectors = projection and _vectors(query, *projection)
            maps += _heads(groups[place], scores, weights, vectors, encoded.edits)
    return maps


class _Likeness(NamedTuple):
    """The properties that groups must share for their arrays to be stacked."""

    kind: MapKind
    key: AxisName
    heads: int


def _likeness(group: MapGroup) -> _Likeness:
    return _Likeness(group.kind, group.key, group.heads)


class _Stack:
    """The attention of the groups at these places, of every step of one output."""

    def __init__(self, records: Sequence[Record], places: Sequence[int]) -> None:
        self._shape = len(places), len(records)
        self._attended = [
            record.rows.step.attended[place] for place in places for record in records
        ]
        self._at = [record.row for record in records] * len(places)

    def vectors(self, name: Literal["query", "key", "value"]) -> Floats:
        """Stack a vector of each layer, head and step: (L, H, Q, D)."""
        return self._joined(self._rows(name)).swapaxes(1, 2)

    def stacked(
        self, name: Literal["scores", "weights"], keys: int | None, filling: float
    ) -> Floats:
        """Stack the rows (H, K) of each layer to (L, H, Q, K), without the padding.

        The rows of self-attention, whose keys are the tokens written, grow by one each.
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
        """Collect an array of each layer and step."""
        both = zip(self._attended, self._at, strict=True)
        return [getattr(output, name)[row] for output, row in both]

    def _joined(self, rows: Sequence[Floats]) -> Floats:
        """Join rows to one array; `np.array` would take several times as long."""
        return np.concatenate(rows).reshape(*self._shape, *rows[0].shape)


@lru_cache(maxsize=256)
def _reached(steps: int) -> NDArray[np.bool_]:
    """Return the lower triangle: the tokens written by each step."""
    return np.tri(steps, dtype=bool)


def _heads(
    group: MapGroup,
    scores: Floats,
    weights: Floats,
    vectors: Sequence[HeadVectors] | None = None,
    edits: EditPlan | None = None,
) -> list[AttentionMap]:
    """Build the maps of a group from its scores and weights (H, Q, K)."""
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
            missing_weight(edits, group, head, weights[head]),
        )
        for head in range(group.heads)
    ]


def _vectors(*parts: Floats) -> list[HeadVectors]:
    """Build the vectors of each head: queries (H, Q, D), keys and values (H, K, D)."""
    return [HeadVectors(*parts_of_head) for parts_of_head in zip(*parts, strict=True)]
