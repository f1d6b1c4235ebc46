"""Decoders that attend to the cells of a picture, on the kernels.

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
from heed.models.networks.gumbel import gumbel
from heed.models.networks.mobilenet import CELLS
from heed.models.runtime.feature_cache import FeatureCache
from heed.models.runtime.native import kernels as c
from heed.models.runtime.native.recurrent import (
    RecurrentSource,
    RecurrentState,
    RecurrentSteps,
    additive,
    gru,
)
from heed.models.runtime.native.transformer import NativeTransformer
from heed.models.runtime.native.workspace import LogitsBuffer, Tensors
from heed.models.runtime.protocol import (
    DEFAULT_OPTIONS,
    Editing,
    Encoded,
    EncodeOptions,
    Ints,
    PictureInput,
)
from heed.models.trace import Floats

EPSILON = 1e-5  # of layer norms


class NativeRecurrentCaptioner(RecurrentSteps):
    """A recurrent decoder that attends to the cells (`RecurrentCaptioner`), soft or hard."""

    editing = Editing(gated=True)

    def __init__(
        self,
        kernel: ctypes.CDLL,
        config: RecurrentCaptionerConfig,
        weights: Tensors,
        features: FeatureCache,
        threads: int = 1,
    ) -> None:
        self._config, self.features, self._threads = config, features, threads
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
        self, sources: Sequence[PictureInput], options: EncodeOptions = DEFAULT_OPTIONS, /
    ) -> Encoded:
        """Encode a batch of pictures."""
        by_tiles = options.by_tiles
        cells = cells_of(self.features, sources, self._config.cells)
        rows, keys = cells.shape[:2]
        noise = None
        if self._config.mechanism == "hard":
            draws = gumbel([source.seed for source in sources], keys)
            noise = np.ascontiguousarray(draws.transpose(1, 0, 2))
        mean = cells.mean(axis=1)
        first = c.mapped(self._kernel, self._bridge, mean, c.SQUASHED, by_tiles=by_tiles)
        source = RecurrentSource(
            keys=c.mapped(self._kernel, self._key, cells, threads=self._threads, by_tiles=by_tiles),
            values=cells,
            lengths=np.full(rows, keys, np.int64),
            buffer=LogitsBuffer(self._config.vocabulary),
            by_tiles=by_tiles,
            edits=options.edits,
            noise=noise,
        )
        no_feed = np.zeros((rows, 0), np.float32)
        state = RecurrentState(source, np.arange(rows), first[:, None], no_feed)
        return Encoded(state, cells, (), (None,))


class NativeTransformerCaptioner(NativeTransformer):
    """A Transformer's decoder whose memory is the cells (`TransformerCaptioner`)."""

    def __init__(
        self,
        kernel: ctypes.CDLL,
        config: TransformerCaptionerConfig,
        weights: Tensors,
        features: FeatureCache,
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
        self.features, self._cells = features, config.cells
        self._read = self._held.linear(
            weights("read.weight", width, config.cells), weights("read.bias", width)
        )
        self._gain, self._bias = (
            weights(f"norms.0.{name}", width).astype(np.float32) for name in ("weight", "bias")
        )
        self._positions_of_cells = weights("places", CELLS, width).astype(np.float32)

    def encode(  # type: ignore[override]
        self, sources: Sequence[PictureInput], options: EncodeOptions = DEFAULT_OPTIONS, /
    ) -> Encoded:
        """Encode a batch of pictures, adding to each cell its position."""
        by_tiles = options.by_tiles
        cells = cells_of(self.features, sources, self._cells)
        states = c.mapped(self._kernel, self._read, cells, threads=self._threads, by_tiles=by_tiles)
        states += self._positions_of_cells
        states -= states.mean(axis=-1, keepdims=True)
        states /= np.sqrt(np.square(states).mean(axis=-1, keepdims=True) + EPSILON)
        memory = states * self._gain + self._bias
        counts: Ints = np.full(len(memory), memory.shape[1], np.int64)
        state, projected = self._start(memory, counts, options)
        # A trace leaves out the projected cells: two vectors per cell and head.
        return Encoded(state, memory, (), tuple(None for _ in projected))


def cells_of(features: FeatureCache, sources: Sequence[PictureInput], width: int) -> Floats:
    """Return the cells (B, K, D) of pictures."""
    cells = np.stack(features.of(sources))
    if cells.shape[1:] != (CELLS, width):
        raise ValueError(f"this image encoder gives {cells.shape[1:]}, not {CELLS, width}")
    return cells
