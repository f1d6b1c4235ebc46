"""From a tape to the maps of a trace.

Shapes: `H` heads, `Q` queries, `K` keys, `D` width of a head.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from heed.models.errors import RecordingError
from heed.models.recording.tape import LOWEST, Call, Tape
from heed.models.trace import AttentionMap, AxisName, Floats, HeadVectors, MapKind, Vectors

FORMULA_TOLERANCE = 1e-2


class Axes(NamedTuple):
    """The axes of the maps of a kind."""

    query: AxisName
    key: AxisName


WRITING: Mapping[MapKind, Axes] = {
    "cross": Axes("target", "source"),
    "decoder-self": Axes("target", "decoder_input"),
    "encoder-self": Axes("source", "source"),
}
"""Of a model that reads an input and writes an output."""
READING: Mapping[MapKind, Axes] = {
    "decoder-self": Axes("source", "source"),
    "encoder-self": Axes("source", "source"),
}
"""Of a model whose tokens stand on one axis."""


def maps_of(
    tape: Tape,
    axes: Mapping[MapKind, Axes],
    lengths: Mapping[AxisName, int],
    *,
    row: int = 0,
    vectors: Vectors = "cross",
    alone: MapKind | None = None,
    cut: bool = False,
) -> list[AttentionMap]:
    """Make the maps of one row of the batch; padding behind the axes is left out.

    `alone` is the kind of all maps, of a model that has maps of one kind alone. With `cut`, the
    weight of keys behind the axis becomes that of a sink.
    """
    maps: list[AttentionMap] = []
    layers = tape.layers() if alone is None else {alone: tape.calls}
    for kind in ("cross", "decoder-self", "encoder-self"):
        for layer, call in enumerate(layers.get(kind, ())):
            if kind not in axes:
                message = f"{call.path} attends from one axis to another, but the trace has one"
                raise RecordingError(f"{message}: give an output, or record a part of the model.")
            place = axes[kind]
            size = lengths[place.query], lengths[place.key]
            if any(have < want for have, want in zip(call.weights.shape[-2:], size, strict=True)):
                have = " × ".join(map(str, call.weights.shape[-2:]))
                message = f"{call.path} has a map of {have}, but its axes have {size[0]} and"
                raise RecordingError(f"{message} {size[1]} tokens: it cannot be shown.")
            wanted = kind == "cross" or vectors == "all"
            maps += _heads(call, kind, layer, place, size, row, vectors=wanted, cut=cut)
    return maps


def _heads(
    call: Call,
    kind: MapKind,
    layer: int,
    axes: Axes,
    size: tuple[int, int],
    row: int,
    *,
    vectors: bool,
    cut: bool,
) -> list[AttentionMap]:
    rows, columns = size
    scores = masked(_array(call.scores[_at(call.scores, row)])[:, :rows, :columns])
    weights = _array(call.weights[_at(call.weights, row)])[:, :rows, :columns]
    sinks = None if call.sinks is None else _array(call.sinks[_at(call.sinks, row)])[:, :rows]
    if cut and columns < call.weights.shape[-1]:
        behind = _array(call.weights[_at(call.weights, row)])[:, :rows, columns:].sum(-1)
        sinks = behind if sinks is None else sinks + behind
    parts = head_vectors(call, row, size, scores) if vectors else None
    return [
        AttentionMap(
            kind,
            layer,
            head,
            axes.query,
            axes.key,
            weights[head],
            scores[head],
            None if parts is None else parts[head],
            None if sinks is None else sinks[head],
        )
        for head in range(len(weights))
    ]


def head_vectors(
    call: Call, row: int, size: tuple[int, int], scores: Floats
) -> list[HeadVectors] | None:
    """Return the vectors of each head; None if the scores are not q·k / √D, but for a factor.

    Scores with a bias of positions, a cap or a mask of real numbers are not. A model that does not
    divide by √D has its queries multiplied by it, so that the formula holds.
    """
    if call.queries is None or call.keys is None or call.values is None:
        return None
    queries, keys, values = (
        _array(vectors[_at(vectors, row)]) for vectors in (call.queries, call.keys, call.values)
    )
    queries, keys, values = queries[:, : size[0]], keys[:, : size[1]], values[:, : size[1]]
    root = math.sqrt(queries.shape[-1])
    products = queries @ keys.swapaxes(1, 2)
    there = np.isfinite(scores)
    for factor in (1.0, root):
        wrong = np.abs(products * (factor / root) - scores, where=there, out=np.zeros_like(scores))
        if wrong.max(initial=0.0) < FORMULA_TOLERANCE:
            return [
                HeadVectors(*vectors)
                for vectors in zip(queries * np.float32(factor), keys, values, strict=True)
            ]
    return None


def _at(tensor: Tensor, row: int) -> int:
    """Return the place of a row; a tensor for all rows has one."""
    return row if tensor.shape[0] > 1 else 0


def masked(scores: Floats) -> Floats:
    """Return scores with -inf for a masked key, which transformers gives the lowest number."""
    return np.where(scores < LOWEST, np.float32(-np.inf), scores)


def _array(tensor: Tensor) -> Floats:
    return tensor.detach().to("cpu", torch.float32).numpy()
