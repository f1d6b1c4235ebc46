"""The numbers of a Vision Transformer, between its runtime and the pipeline.

Shapes: `L` layers, `H` heads, `K` tokens (the class token, then the patches), `D` width,
`V` width of a head, `C` classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from heed.models.rollout import rollout
from heed.models.trace import (
    AttentionMap,
    Floats,
    Output,
    Token,
    TokenAxis,
    TraceStep,
    Word,
    likeliest,
)

ALTERNATIVES = 5
SINK = 1e-4  # of a row: less is rounding


class LayerVectors(NamedTuple):
    """The vectors of every layer, and of every head where it has its own."""

    queries: Floats  # (L, H, K, V)
    keys: Floats  # (L, H, K, V)
    values: Floats  # (L, H, K, V)
    states: Floats  # (L, K, D), after each layer; the last are normalised


class VisionResult(NamedTuple):
    """The attention of every layer and head in one picture, and its classes."""

    scores: Floats  # (L, H, K, K)
    weights: Floats  # (L, H, K, K)
    query: Floats  # (D,), the class token before the last layer
    context: Floats  # (D,), what the last layer's attention adds to it
    state: Floats  # (D,), the class token after the last layer
    log_probabilities: Floats  # (C,)
    vectors: LayerVectors | None = None  # None: the runtime does not keep them


def class_output(
    looked: VisionResult, classes: Sequence[str], maps: Sequence[AttentionMap]
) -> Output:
    """Build the output: the likeliest class, all maps, and the rollout of the class token."""
    logs = looked.log_probabilities
    alternatives = likeliest(logs, classes.__getitem__, ALTERNATIVES)
    best, name, _ = alternatives[0]
    certainty = float(logs[best])
    axis = TokenAxis(
        name,
        (Token(best, name, 0, len(name), 0),),
        (Word(name, 0, len(name)),),
        "mean",
    )
    step = TraceStep(
        certainty,
        alternatives,
        looked.query,
        looked.context,
        looked.state,
    )
    read = rollout(looked.weights)[None]
    missing = np.maximum(1 - read.sum(axis=-1), 0)
    sinks = missing if missing.max() > SINK else None  # where values are silenced
    with np.errstate(divide="ignore"):
        scores = np.log(read)
    whole = AttentionMap("rollout", 0, 0, "target", "source", read, scores, sinks=sinks)
    return Output(axis, (*maps, whole), (step,), certainty, certainty, "end")


def likeness(positions: Floats) -> Floats:
    """Return the cosines (K, K) between embeddings (K, D)."""
    lengths = np.linalg.norm(positions, axis=1, keepdims=True)
    directions = positions / np.maximum(lengths, np.float32(1e-9))
    cosines: Floats = directions @ directions.T
    return cosines
