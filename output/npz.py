"""NumPy's `.npz`: a trace written as arrays, every number as the model gave it.

Of the formats that programs read, this one needs no more than NumPy. What a trace is written with
(`source`, `target`, `weights`) can be saved again as it is. Apache Arrow would add 50 MB of library
for tables of columns, which a stack of matrices is not.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from heed.models.trace import (
    AttentionMap,
    ClassAxis,
    GlimpseAxis,
    GraphAxis,
    GridAxis,
    HopAxis,
    SentenceAxis,
    TokenAxis,
    Trace,
)

WORD_START = "▁"
PREFIXES = {
    "encoder-self": "encoder_self",
    "decoder-self": "decoder_self",
    "drawn": "drawn_shares",
    "rollout": "rollout",
}

Array = NDArray[np.generic]


def write_npz(trace: Trace) -> bytes:
    """Write a trace as an archive of arrays, every number as the model gave it."""
    file = io.BytesIO()
    np.savez(file, **dict(_arrays(trace)))  # type: ignore[arg-type] # its stub allows no mapping
    return file.getvalue()


def _arrays(trace: Trace) -> Iterator[tuple[str, Array]]:
    yield from _input_arrays(trace)
    yield "target", _pieces(trace.output.target)
    yield "text", np.array(trace.output.text)
    yield "model", np.array(trace.model.id)
    if isinstance(trace.output.target, TokenAxis):
        yield "unit", np.array("tokens")
    yield from _map_arrays(trace.output.maps)
    steps = trace.output.steps
    if not steps:
        return
    yield "log_probabilities", np.array([step.log_probability for step in steps])
    alternatives = [step.alternatives for step in steps]
    most = min(map(len, alternatives))
    yield (
        "alternatives",
        np.array([[other.id for other in likeliest[:most]] for likeliest in alternatives]),
    )
    probabilities = [
        [other.probability for other in likeliest[:most]] for likeliest in alternatives
    ]
    yield "probabilities", np.array(probabilities, np.float32)
    for name in ("query", "context", "state"):
        yield name, np.stack([getattr(step, name) for step in steps])
    if all(step.gate is not None for step in steps):
        yield "gate", np.array([step.gate for step in steps], np.float32)
    if all(step.drawn is not None for step in steps):
        yield "drawn", np.array([step.drawn.cell for step in steps if step.drawn is not None])
    if isinstance(trace.output.target, GlimpseAxis):
        yield "boxes", np.array(trace.output.target.glimpses)
    for name in ("keys", "values", "seen", "cell", "cell_context", "gates"):
        vectors = [vector for step in steps if (vector := getattr(step, name)) is not None]
        if vectors:
            yield name, np.stack(vectors)


def _input_arrays(trace: Trace) -> Iterator[tuple[str, Array]]:
    """Yield the pieces, or the grid (its rows and columns, then left, top, width, height)."""
    source = trace.source
    if isinstance(source, GridAxis):
        size = (source.left, source.top, source.width, source.height)
        yield "grid", np.array([source.rows, source.columns, *size])
        if source.marks:
            yield "marks", np.array(source.marks)
    else:
        yield "source", _pieces(source)
    if isinstance(source, GraphAxis):
        yield "edges", np.array(source.edges, np.int64).reshape(-1, 2)
        yield "places", np.array([(node.x, node.y) for node in source.nodes])
    if trace.question is not None:
        yield "question", _pieces(trace.question)
    if trace.memory is not None:
        yield "memory", trace.memory
    if trace.positions is not None:
        yield "positions", trace.positions


def _map_arrays(maps: tuple[AttentionMap, ...]) -> Iterator[tuple[str, Array]]:
    """Yield weights and scores, (L, H, Q, K): of the source without a prefix, else with one."""
    groups: dict[str, list[AttentionMap]] = {}
    for attention in maps:
        prefix = "" if attention.kind == "cross" else f"{PREFIXES[attention.kind]}_"
        if attention.key == "question":
            prefix = "question_"
        groups.setdefault(prefix, []).append(attention)
    for prefix, group in groups.items():
        yield f"{prefix}weights", _stacked(group, [attention.weights for attention in group])
        yield f"{prefix}scores", _stacked(group, [attention.scores for attention in group])


def _stacked(group: Sequence[AttentionMap], matrices: Sequence[Array]) -> Array:
    layers = len({attention.layer for attention in group})
    stacked = np.stack(matrices)
    return stacked.reshape(layers, -1, *stacked.shape[1:]).astype(np.float32)


def _pieces(
    axis: TokenAxis | SentenceAxis | HopAxis | GlimpseAxis | GraphAxis | ClassAxis,
) -> Array:
    """Return the pieces, with a sign before each that begins a word; or what else the axis has."""
    if isinstance(axis, SentenceAxis):
        return np.array([sentence.text for sentence in axis.sentences])
    if isinstance(axis, HopAxis | GlimpseAxis):
        return np.array(axis.names)
    if isinstance(axis, GraphAxis):
        return np.array([node.text for node in axis.nodes])
    if isinstance(axis, ClassAxis):
        return np.array(axis.classes)
    words = [-1, *(token.word for token in axis.tokens)]
    return np.array(
        [
            token.text if token.special or token.word == before else f"{WORD_START}{token.text}"
            for token, before in zip(axis.tokens, words, strict=False)
        ]
    )
