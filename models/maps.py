"""The maps of a trace, from what the groups of heads have told step by step.

Shapes: `B` texts, `H` heads, `Q` queries, `K` keys, `D` width of a head.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from models.runtime import Attended, Encoded, MapGroup, Projected
from models.search import Record
from models.trace import AttentionMap, Floats, HeadVectors


class Read(NamedTuple):
    """What was made of one text before the first step, without the padding behind it."""

    memory: Floats  # (K, D)
    attended: tuple[Attended, ...]  # (H, K, K), one per group of the encoder
    projected: tuple[Projected | None, ...]  # (H, K, D), one per group of a step
    own: bool  # whether the heads of self-attention tell their vectors, too


def read_of(encoded: Encoded[Any], row: int, keys: int, *, own: bool = False) -> Read:
    """What was made of the text of this row, which has so many tokens."""
    return Read(
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


def encoder_maps(groups: Sequence[MapGroup], read: Read) -> list[AttentionMap]:
    """How the text looked at itself."""
    maps = []
    for group, attended in zip(groups, read.attended, strict=True):
        scores, weights, *vectors = attended
        told = [each for each in vectors if each is not None]
        maps += _heads(group, scores, weights, _vectors(*told) if told else None)
    return maps


def decoder_maps(
    groups: Sequence[MapGroup], records: Sequence[Record], read: Read
) -> list[AttentionMap]:
    """Where each step looked."""
    maps = []
    for place, (group, projected) in enumerate(zip(groups, read.projected, strict=True)):
        looked = [(record.told.kept.attended[place], record.row) for record in records]
        keys = records[0].keys[place]
        if projected is None and read.own and group.key == "fed":
            projected = Projected(
                _joined((each.key, row) for each, row in looked),
                _joined((each.value, row) for each, row in looked),
            )
        maps += _heads(
            group,
            _stack([each.scores[row] for each, row in looked], keys, -np.inf),
            _stack([each.weights[row] for each, row in looked], keys, 0.0),
            projected and _vectors(_joined((each.query, row) for each, row in looked), *projected),
        )
    return maps


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


def _joined(steps: Iterable[tuple[Floats | None, int]]) -> Floats:
    """What each step told of its row, (H, Q, D)."""
    return np.array([each[row] for each, row in steps if each is not None]).swapaxes(0, 1)


def _stack(rows: Sequence[Floats], keys: int | None, filling: float) -> Floats:
    """Rows (H, K) one below the other, (H, Q, K), without what lies behind the keys.

    The rows of self-attention, whose keys are what was written, grow by one each.
    """
    if keys is not None:
        return np.ascontiguousarray(np.array(rows)[:, :, :keys].swapaxes(0, 1))
    stacked = np.full((len(rows[0]), len(rows), rows[-1].shape[1]), filling, dtype=np.float32)
    for place, row in enumerate(rows):
        stacked[:, place, : row.shape[1]] = row
    return stacked
