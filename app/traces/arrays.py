"""A trace as NumPy's `.npz`, for programs: every number as the model gave it, nothing rounded.

Of the forms that programs read, this one needs no more than NumPy, and what it names `source`,
`target` and `weights` can be saved again as it is. Apache Arrow would ask 50 MB of library for
tables of columns, which a stack of matrices is not.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from heed.models.trace import AttentionMap, GridAxis, TokenAxis, Trace

BEGINS = "▁"
Array = NDArray[np.generic]
BESIDE = {"encoder-self": "encoder_self", "decoder-self": "decoder_self", "drawn": "drawn_shares"}


def trace_arrays(trace: Trace) -> bytes:
    """The archive."""
    file = io.BytesIO()
    np.savez(file, **dict(_arrays(trace)))  # type: ignore[arg-type] # its stub allows no mapping
    return file.getvalue()


def _arrays(trace: Trace) -> Iterator[tuple[str, Array]]:
    yield from _read(trace)
    yield "target", _pieces(trace.output.target)
    yield "text", np.array(trace.output.text)
    yield "model", np.array(trace.model.id)
    yield from _maps(trace.output.maps)
    steps = trace.output.steps
    if not steps:
        return
    yield "log_probabilities", np.array([step.log_probability for step in steps])
    likely = [step.alternatives for step in steps]
    most = min(map(len, likely))
    yield "alternatives", np.array([[other.id for other in each[:most]] for each in likely])
    chances = [[other.probability for other in each[:most]] for each in likely]
    yield "probabilities", np.array(chances, np.float32)
    for name in ("query", "context", "state"):
        yield name, np.stack([getattr(step, name) for step in steps])
    if all(step.gate is not None for step in steps):
        yield "gate", np.array([step.gate for step in steps], np.float32)
    if all(step.drawn is not None for step in steps):
        yield "drawn", np.array([step.drawn.cell for step in steps if step.drawn is not None])


def _read(trace: Trace) -> Iterator[tuple[str, Array]]:
    """What was read: pieces, or the grid (its rows and columns, then left, top, width, height)."""
    source = trace.source
    if isinstance(source, GridAxis):
        size = (source.left, source.top, source.width, source.height)
        yield "grid", np.array([source.rows, source.columns, *size])
    else:
        yield "source", _pieces(source)
    if trace.question is not None:
        yield "question", _pieces(trace.question)
    if trace.memory is not None:
        yield "memory", trace.memory


def _maps(maps: tuple[AttentionMap, ...]) -> Iterator[tuple[str, Array]]:
    """Weights and scores, (L, H, Q, K): of what was read without a prefix, of others with one."""
    named: dict[str, list[AttentionMap]] = {}
    for each in maps:
        prefix = "" if each.kind == "cross" else f"{BESIDE[each.kind]}_"
        if each.key == "question":
            prefix = "question_"
        named.setdefault(prefix, []).append(each)
    for prefix, group in named.items():
        yield f"{prefix}weights", _stacked(group, [each.weights for each in group])
        yield f"{prefix}scores", _stacked(group, [each.scores for each in group])


def _stacked(group: Sequence[AttentionMap], parts: Sequence[Array]) -> Array:
    layers = len({each.layer for each in group})
    matrices = np.stack(parts)
    return matrices.reshape(layers, -1, *matrices.shape[1:]).astype(np.float32)


def _pieces(axis: TokenAxis) -> Array:
    """The pieces, a sign before those that a word begins with."""
    words = [-1, *(token.word for token in axis.tokens)]
    return np.array(
        [
            token.text if token.special or token.word == before else f"{BEGINS}{token.text}"
            for token, before in zip(axis.tokens, words, strict=False)
        ]
    )
