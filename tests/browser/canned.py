"""Traces that no shipped model makes yet, as the wire has them: the page must show them anyway."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.wire import trace_out
from models import trace as core

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


def trace(
    source: Sequence[Sequence[str]],
    target: Sequence[Sequence[str]],
    *,
    layers: int = 1,
    heads: int = 1,
    runners_up: Sequence[Sequence[Sequence[str]]] = (),
    self_attention: bool = False,
) -> dict[str, Any]:
    """A trace of these words, as the API would give it."""
    read = axis(source, "sum")

    def output(words: Sequence[Sequence[str]]) -> core.Output:
        written = axis(words, "mean")
        maps = [
            core.AttentionMap("cross", layer, head, "target", "source", weights, np.log(weights))
            for layer in range(layers)
            for head in range(heads)
            for weights in [diagonal(len(written), len(read), layer + head)]
        ]
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
        model=core.ModelStamp("canned", "0" * 64, "scaled_dot", "before"),
        task="dates",
        request=core.TraceRequest(read.text),
        source=read,
        output=output(target),
        runners_up=tuple(output(words) for words in runners_up),
        timing=core.Timing(1.0, 1.0),
    )
    return trace_out(made, "steps").model_dump(mode="json", by_alias=True)
