"""A score of a Transformer as the sum of parts of its query times parts of its key.

Both are linear in the residual stream, once the scale of each layer norm is held: the stream is the
sum of the embedding, the position, and the outputs of the sublayers before it. What depends on no
token, the biases of norms and linear layers, is a part of its own. With q = Σₐ qₐ and k = Σ_b k_b,
the score is exactly e = Σₐ Σ_b qₐ·k_b / √d (Vaswani et al. 2017, equation 1).

Shapes: `T` tokens, `D` width, `H` heads, `d` width of a head, `P` parts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from heed.models.config import TransformerCaptionerConfig, TransformerConfig
from heed.models.runtime.native.transformer import positions
from heed.models.runtime.numpy.operations import EPSILON, Linear, Norm, Weights, relu, softmax
from heed.models.text.tokenizer import START
from heed.models.trace import Floats, MapKind

BIASES: Final = "biases"


class Split(NamedTuple):
    """The parts of a query and of a key, and the product of each two."""

    query: tuple[str, ...]
    key: tuple[str, ...]
    products: Floats  # (parts of the query, parts of the key)

    @property
    def score(self) -> float:
        """The sum of all products."""
        return float(self.products.sum())


class Stream:
    """States (T, D) as the sum of named parts."""

    def __init__(self, parts: dict[str, Floats]) -> None:
        self.parts = parts

    @property
    def states(self) -> Floats:
        """The states themselves."""
        total: Floats = np.sum(list(self.parts.values()), axis=0)
        return total

    def plus(self, name: str, output: Floats, bias: Floats) -> Stream:
        """Add the output of a sublayer, whose bias depends on no token."""
        biases = self.parts.get(BIASES, np.zeros_like(output)) + bias
        return Stream({**self.parts, name: output - bias, BIASES: biases})

    def normed(self, norm: Norm) -> Stream:
        """Apply a layer norm with its scale held: each part is centred and scaled alike."""
        states = self.states
        deviation = np.sqrt(states.var(axis=-1, keepdims=True) + EPSILON)
        parts = {
            name: (part - part.mean(axis=-1, keepdims=True)) / deviation * norm.weight
            for name, part in self.parts.items()
        }
        biases = parts.get(BIASES, np.zeros_like(states)) + norm.bias
        return Stream({**parts, BIASES: biases})

    def at(self, place: int) -> Stream:
        """Take one token."""
        return Stream({name: part[place : place + 1] for name, part in self.parts.items()})

    def mapped(self, linear: Linear, head: slice) -> tuple[tuple[str, ...], Floats]:
        """Return the names of the parts, and each of them (P, d) in a head of a linear layer."""
        last = self.parts[BIASES] @ linear.weight[:, head] + linear.bias[head]
        others = {name: part for name, part in self.parts.items() if name != BIASES}
        mapped = [part @ linear.weight[:, head] for part in others.values()]
        return (*others, BIASES), np.concatenate([*mapped, last])


class TransformerSplit:
    """A Transformer that reads one text and is forced to write another, in NumPy.

    The tensors of a layer are read when it is computed, so that few are held at a time.
    """

    def __init__(self, folder: Path, config: TransformerConfig) -> None:
        self._weights, self._config = Weights(folder), config

    def split(
        self,
        source: Any,
        target: Sequence[int],
        kind: MapKind,
        layer: int,
        head: int,
        row: int,
        column: int,
    ) -> Split:
        """Take the score of a cell apart."""
        if kind == "encoder-self":
            stream = self._reading(self._embedded(source), layer)
            name = f"encoder.{layer}"
            read = wrote = stream.normed(self._norm(f"{name}.norms.0"))
            attention = f"{name}.attention"
        else:
            memory = self._memory(source)
            stream = self._embedded([START, *target[:-1]])
            for before in range(layer):
                stream = self._written(stream, before, memory.states)
            name = f"decoder.{layer}"
            if kind == "decoder-self":
                read = wrote = stream.normed(self._norm(f"{name}.norms.0"))
                attention = f"{name}.own"
            else:
                stream = self._self_attended(stream, layer)
                read, wrote = memory, stream.normed(self._norm(f"{name}.norms.1"))
                attention = f"{name}.cross"
        width = self._config.width // self._config.heads
        part = slice(head * width, (head + 1) * width)
        names, queries = wrote.at(row).mapped(self._linear(f"{attention}.query"), part)
        others, keys = read.at(column).mapped(self._linear(f"{attention}.key"), part)
        products: Floats = queries @ keys.T / math.sqrt(width)
        return Split(names, others, products)

    def _memory(self, source: Any) -> Stream:
        """Return what the decoder attends to."""
        memory = self._reading(self._embedded(source), self._config.encoder_layers)
        return memory.normed(self._norm("norms.0"))

    def _embedded(self, tokens: Sequence[int]) -> Stream:
        width = self._config.width
        table = self._weights.rows("embedding.weight", tokens, width)
        embedded = table * np.float32(math.sqrt(width))
        return Stream({"embedding": embedded, "position": positions(len(tokens), width)})

    def _reading(self, stream: Stream, layers: int) -> Stream:
        """Run the first layers of the encoder."""
        for layer in range(layers):
            name = f"encoder.{layer}"
            normed = stream.normed(self._norm(f"{name}.norms.0")).states
            attended, bias = self._attend(f"{name}.attention", normed, normed)
            stream = stream.plus(f"attention {layer + 1}", attended, bias)
            stream = self._fed_forward(stream, name, 1, layer)
        return stream

    def _self_attended(self, stream: Stream, layer: int) -> Stream:
        """Run the masked self-attention of a layer of the decoder."""
        name = f"decoder.{layer}"
        normed = stream.normed(self._norm(f"{name}.norms.0")).states
        attended, bias = self._attend(f"{name}.own", normed, normed, causal=True)
        return stream.plus(f"self-attention {layer + 1}", attended, bias)

    def _written(self, stream: Stream, layer: int, memory: Floats) -> Stream:
        """Run a layer of the decoder."""
        name = f"decoder.{layer}"
        stream = self._self_attended(stream, layer)
        query = stream.normed(self._norm(f"{name}.norms.1")).states
        attended, bias = self._attend(f"{name}.cross", query, memory)
        stream = stream.plus(f"cross-attention {layer + 1}", attended, bias)
        return self._fed_forward(stream, name, 2, layer)

    def _fed_forward(self, stream: Stream, name: str, norm: int, layer: int) -> Stream:
        width, wide = self._config.width, self._config.feedforward
        up = self._weights.linear(f"{name}.feedforward.0", wide, width)
        down = self._weights.linear(f"{name}.feedforward.3", width, wide)
        output = down(relu(up(stream.normed(self._norm(f"{name}.norms.{norm}")).states)))
        return stream.plus(f"feed-forward {layer + 1}", output, down.bias)

    def _attend(
        self, name: str, queries: Floats, memory: Floats, *, causal: bool = False
    ) -> tuple[Floats, Floats]:
        """Return the output (T, D) of an attention, and the bias (D,) in it."""
        output = self._linear(f"{name}.output")
        heads = [
            np.stack(list(self._heads(self._linear(f"{name}.{part}")(states))))
            for part, states in (("query", queries), ("key", memory), ("value", memory))
        ]
        query, key, value = heads
        scores = query @ key.transpose(0, 2, 1) / np.float32(math.sqrt(query.shape[-1]))
        if causal:
            scores = np.where(np.tri(len(queries), dtype=bool), scores, np.float32(-np.inf))
        context = softmax(scores) @ value  # (H, T, d)
        joined = context.transpose(1, 0, 2).reshape(len(queries), -1)
        return output(joined), output.bias

    def _heads(self, states: Floats) -> Iterator[Floats]:
        return iter(np.split(states, self._config.heads, axis=-1))

    def _linear(self, name: str) -> Linear:
        return self._weights.linear(name, self._config.width, self._config.width)

    def _norm(self, name: str) -> Norm:
        return self._weights.norm(name, self._config.width)


class CaptionerSplit(TransformerSplit):
    """A Transformer that attends to the features of the cells of a picture (K, D)."""

    def __init__(self, folder: Path, config: TransformerCaptionerConfig) -> None:
        super().__init__(folder, config.decoder)
        self._cells = config.cells

    def _memory(self, source: Floats) -> Stream:
        width = self._config.width
        read = self._weights.linear("read", width, self._cells)
        parts = {
            "features": source @ read.weight,
            "position": self._weights("places", len(source), width),
            BIASES: np.broadcast_to(read.bias, (len(source), width)),
        }
        return Stream(parts).normed(self._norm("norms.0"))
