"""Traces that no shipped model makes yet, as the wire has them: the page must show them anyway."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from heed.app.inference.execution import trace_bytes
from heed.models import trace as core

END = "</s>"


def axis(words: Sequence[Sequence[str]], merge: core.Merge) -> core.TokenAxis:
    """Words, each cut into its pieces, and the end mark."""
    text = " ".join("".join(pieces) for pieces in words)
    tokens: list[core.Token] = []
    whole: list[core.Word] = []
    at = 0
    for index, pieces in enumerate(words):
        start = at
        for piece in pieces:
            tokens.append(core.Token(len(tokens) + 10, piece, at, at + len(piece), index))
            at += len(piece)
        whole.append(core.Word("".join(pieces), start, at))
        at += 1
    tokens.append(core.Token(1, END, len(text), len(text), len(whole), special=True))
    whole.append(core.Word(END, len(text), len(text), special=True))
    return core.TokenAxis(text, tuple(tokens), tuple(whole), merge)


def diagonal(rows: int, columns: int, shift: int = 0) -> core.Floats:
    """Weights that walk along with the rows."""
    weights = np.full((rows, columns), 0.1 / columns, np.float32)
    for row in range(rows):
        weights[row, (row + shift) % columns] += 0.9
    return weights


def projected(rows: int, columns: int, seed: int, width: int = 8) -> core.HeadVectors:
    """Queries, keys and values of a head, as they might be."""
    random = np.random.default_rng(seed)
    vectors = (random.normal(0, 2, (count, width)) for count in (rows, columns, columns))
    return core.HeadVectors(*(each.astype(np.float32) for each in vectors))


def headed(rows: int, columns: int, layer: int, head: int) -> core.AttentionMap:
    """A map whose scores and weights follow from its vectors."""
    vectors = projected(rows, columns, 10 * layer + head)
    scores = vectors.queries @ vectors.keys.T / np.sqrt(vectors.keys.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return core.AttentionMap("cross", layer, head, "target", "source", weights, scores, vectors)


def looking_back(rows: int, layer: int, head: int) -> core.AttentionMap:
    """A map of a decoder that looks at what it wrote: evenly at all of it."""
    weights = np.tril(np.ones((rows, rows), np.float32))
    weights /= weights.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):
        scores = np.log(weights)
    return core.AttentionMap(
        "decoder-self", layer, head, "target", "decoder_input", weights, scores
    )


def trace(
    source: Sequence[Sequence[str]],
    target: Sequence[Sequence[str]],
    *,
    layers: int = 1,
    heads: int = 1,
    runners_up: Sequence[Sequence[Sequence[str]]] = (),
    self_attention: bool = False,
    transformer: bool = False,
) -> dict[str, Any]:
    """A trace of these words, as the API would give it; that of a Transformer has vectors."""
    read = axis(source, "sum")

    def output(words: Sequence[Sequence[str]]) -> core.Output:
        written = axis(words, "mean")
        places = [(layer, head) for layer in range(layers) for head in range(heads)]
        maps = [
            headed(len(written), len(read), layer, head)
            if transformer
            else core.AttentionMap(
                "cross", layer, head, "target", "source", weights, np.log(weights)
            )
            for layer, head in places
            for weights in [diagonal(len(written), len(read), layer + head)]
        ]
        if transformer:
            maps += [looking_back(len(written), layer, head) for layer, head in places]
        if self_attention:
            weights = diagonal(len(read), len(read))
            maps.append(
                core.AttentionMap(
                    "encoder-self", 0, 0, "source", "source", weights, np.log(weights)
                )
            )
        vector = np.linspace(-1, 1, 64, dtype=np.float32)
        steps = tuple(
            core.TraceStep(-0.1, (core.Alternative(token.id, token.text, 0.9),), *[vector] * 3)
            for token in written.tokens
        )
        return core.Output(written, tuple(maps), steps, -1.0, -0.1, "end")

    made = core.Trace(
        model=core.ModelStamp("canned", "0" * 64, "multihead", "after")
        if transformer
        else core.ModelStamp("canned", "0" * 64, "scaled_dot", "before"),
        task="dates",
        request=core.TraceRequest(read.text),
        source=read,
        output=output(target),
        runners_up=tuple(output(words) for words in runners_up),
        timing=core.Timing(1.0, 1.0),
    )
    wire: dict[str, Any] = json.loads(trace_bytes(made, "steps"))
    return wire
