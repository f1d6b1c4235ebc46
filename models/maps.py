"""The maps of a trace, from what the groups of heads have told step by step.

Shapes: `B` texts, `H` heads, `Q` queries, `K` keys, `D` width of a head.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    """Where each step looked."""
    maps = []
    for place, (group, projected) in enumerate(zip(groups, read.projected, strict=True)):
        looked = [record.told.kept.attended[place] for record in records]
        rows = [record.row for record in records]
        keys = records[0].keys[place]
        maps += _heads(
            group,
            _stack(
                [each.scores[row] for each, row in zip(looked, rows, strict=True)], keys, -np.inf
            ),
            _stack([each.weights[row] for each, row in zip(looked, rows, strict=True)], keys, 0.0),
            projected
            and _vectors(
                [
                    each.query[row]
                    for each, row in zip(looked, rows, strict=True)
                    if each.query is not None
                ],
                projected,
            ),
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


def _vectors(queries: Sequence[Floats], projected: Projected) -> list[HeadVectors]:
    """What each head compared and summed, from the query (H, D) of each step."""
    asked = np.array(queries).swapaxes(0, 1)  # (H, Q, D)
    return [HeadVectors(*each) for each in zip(asked, *projected, strict=True)]


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
