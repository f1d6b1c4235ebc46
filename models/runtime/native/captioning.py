"""Decoders that look at the cells of a picture, on the kernels.

Shapes: `B` pictures, `K` cells, `D` width of a vector.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np

from heed.models.config import (
    RecurrentCaptionerConfig,
    TransformerCaptionerConfig,
    TransformerConfig,
)
from heed.models.runtime.feature_cache import CELLS, FeatureCache
from heed.models.runtime.gumbel import gumbel
from heed.models.runtime.native import kernels as c
from heed.models.runtime.native.recurrent import (
    RecurrentRead,
    RecurrentState,
    RecurrentSteps,
    additive,
    gru,
)
from heed.models.runtime.native.transformer import NativeTransformer, TransformerState
from heed.models.runtime.native.workspace import LogitsBuffer, Tensors
from heed.models.runtime.protocol import Encoded, ImageInput, Ints
from heed.models.trace import Floats

EPSILON = 1e-5  # of layer norms


class NativeRecurrentCaptioner(RecurrentSteps):
    """A recurrent decoder that asks the cells (`RecurrentCaptioner`), soft or hard."""

    def __init__(
        self,
        kernel: ctypes.CDLL,
        config: RecurrentCaptionerConfig,
        weights: Tensors,
        sight: FeatureCache[Floats],
        threads: int = 1,
    ) -> None:
        self._config, self._sight, self._threads = config, sight, threads
        held = c.KeepAlive()
        width, cells, embedding = config.decoder_width, config.cells, config.embedding
        table = weights("embedding.weight", config.vocabulary, embedding)
        self._key, query, energy = additive(
            held, weights, "attention.", width + embedding, cells, config.attention_width
        )
        self._bridge = held.linear(
            weights("bridge.weight", width, cells), weights("bridge.bias", width)
        )
        given, hidden = gru(held, weights, "cell.", embedding + cells, width)
        net = c.Recurrent(
            query=query,
            join=held.linear(
                weights("join.weight", embedding, width + cells + embedding),
                weights("join.bias", embedding),
            ),
            output=held.linear(table, weights("output.bias", config.vocabulary)),
            given=(c.Linear * 1)(given),
            hidden=(c.Linear * 1)(hidden),
            table=held.at(table),
            energy=held.at(energy),
            gate=held.at(weights("gate.weight", 1, width)[0].astype(np.float32)),
            embedding=embedding,
            width=width,
            memory=cells,
            scored=config.attention_width,
            layers=1,
            vocabulary=config.vocabulary,
            mechanism=c.ADDITIVE,
            query_feeding=True,
            threads=threads,
            scale=1.0,
            gate_bias=float(weights("gate.bias", 1)[0]),
        )
        super().__init__(kernel, net, held)

    def encode(
        self, sources: Sequence[ImageInput], *, vectors: bool = False
    ) -> Encoded[RecurrentState]:
        """Look at a batch of pictures."""
        del vectors  # the cells do not look at each other
        cells = seen(self._sight, sources, self._config.cells)
        rows, keys = cells.shape[:2]
        luck = None
        if self._config.mechanism == "hard":
            draws = gumbel([look.seed for look in sources], keys)
            luck = np.ascontiguousarray(draws.transpose(1, 0, 2))
        mean = cells.mean(axis=1)
        first = c.mapped(self._kernel, self._bridge, mean, c.SQUASHED)
        read = RecurrentRead(
            keys=c.mapped(self._kernel, self._key, cells, threads=self._threads),
            values=cells,
            seen=np.full(rows, keys, np.int64),
            desk=LogitsBuffer(self._config.vocabulary),
            luck=luck,
        )
        nothing = np.zeros((rows, 0), np.float32)
        state = RecurrentState(read, np.arange(rows), first[:, None], nothing)
        return Encoded(state, cells, (), (None,))


class NativeTransformerCaptioner(NativeTransformer):
    """A Transformer's decoder whose memory are the cells (`TransformerCaptioner`)."""

    def __init__(
        self,
        kernel: ctypes.CDLL,
        config: TransformerCaptionerConfig,
        weights: Tensors,
        sight: FeatureCache[Floats],
        threads: int = 1,
    ) -> None:
        width = config.width
        super().__init__(
            kernel,
            TransformerConfig(
                vocabulary=config.vocabulary,
                width=width,
                heads=config.heads,
                feedforward=config.feedforward,
                encoder_layers=0,
                decoder_layers=config.layers,
            ),
            weights,
            threads,
        )
        self._sight, self._cells = sight, config.cells
        self._read = self._held.linear(
            weights("read.weight", width, config.cells), weights("read.bias", width)
        )
        self._gain, self._bias = (
            weights(f"norms.0.{name}", width).astype(np.float32) for name in ("weight", "bias")
        )
        self._where = weights("places", CELLS, width).astype(np.float32)

    def encode(  # type: ignore[override]
        self, sources: Sequence[ImageInput], *, vectors: bool = False
    ) -> Encoded[TransformerState]:
        """Look at a batch of pictures, and say of each cell where it lies."""
        del vectors  # the cells do not look at each other
        cells = seen(self._sight, sources, self._cells)
        states = c.mapped(self._kernel, self._read, cells, threads=self._threads) + self._where
        states -= states.mean(axis=-1, keepdims=True)
        states /= np.sqrt(np.square(states).mean(axis=-1, keepdims=True) + EPSILON)
        memory = states * self._gain + self._bias
        counts: Ints = np.full(len(memory), memory.shape[1], np.int64)
        state, projected = self._remembered(memory, counts)
        # Two vectors a cell and head are more than anybody reads.
        return Encoded(state, memory, (), tuple(None for _ in projected))


def seen(sight: FeatureCache[Floats], sources: Sequence[ImageInput], width: int) -> Floats:
    """The cells (B, K, D) of pictures."""
    cells = np.stack(sight.cells([look.pixels for look in sources]))
    if cells.shape[1:] != (CELLS, width):
        raise ValueError(f"these eyes see {cells.shape[1:]} in a picture, not {CELLS, width}")
    return cells
