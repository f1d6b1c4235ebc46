"""The maps of a trace, from what the groups of heads have told step by step.

Shapes: `B` texts, `H` heads, `Q` queries, `K` keys, `D` width of a head.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from models.runtime import Attended, Encoded, MapGroup, Projected
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
    groups: Sequence[MapGroup], steps: Sequence[tuple[Attended, ...]], read: Read
) -> list[AttentionMap]:
    """Where each step looked; a step has (H, K) of each group."""
    maps = []
    for group, rows, projected in zip(
        groups, zip(*steps, strict=True), read.projected, strict=True
    ):
        maps += _heads(
            group,
            _stack([row.scores for row in rows], -np.inf),
            _stack([row.weights for row in rows], 0.0),
            _vectors([row.query for row in rows if row.query is not None], projected),
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


def _vectors(queries: Sequence[Floats], projected: Projected | None) -> list[HeadVectors] | None:
    """What each head compared and summed, from the query (H, D) of each step."""
    if projected is None:
        return None
    asked = np.stack(queries, axis=1)  # (H, Q, D)
    return [HeadVectors(*each) for each in zip(asked, *projected, strict=True)]


def _stack(rows: Sequence[Floats], filling: float) -> Floats:
    """Rows (H, K) one below the other, (H, Q, K); the rows of self-attention grow by one each."""
    longest = max(row.shape[1] for row in rows)
    stacked = np.full((rows[0].shape[0], len(rows), longest), filling, dtype=np.float32)
    for place, row in enumerate(rows):
        stacked[:, place, : row.shape[1]] = row
    return stacked
