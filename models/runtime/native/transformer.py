"""A Transformer on the kernels.

The encoder is one call for all layers, a step another. Shapes: `N` rows, `B` texts, `H` heads,
`K` keys, `L` layers of the decoder, `T` tokens written, `D` width of a vector.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from heed.models.config import TransformerConfig
from heed.models.networks.map_group import MapGroup
from heed.models.runtime.edited import Plans, plans_of
from heed.models.runtime.native import kernels as c
from heed.models.runtime.native.edits import encoder_table, step_table
from heed.models.runtime.native.workspace import (
    LogitsBuffer,
    Tensors,
    Workspace,
    check,
    indices,
    log_address,
    optional_address,
)
from heed.models.runtime.operation_log import OperationLog
from heed.models.runtime.protocol import (
    DEFAULT_OPTIONS,
    RANKED,
    Attended,
    Editing,
    Encoded,
    EncodeOptions,
    Ints,
    Projected,
    Ranking,
    Step,
    Tokens,
    all_in_order,
    foreign_state,
    padded,
)
from heed.models.trace import Floats

ROOM: Final = 16  # tokens by which the memory of keys and values grows at least


class Written:
    """Keys and values of the tokens each row has written, with room for more.

    They are contiguous, so the next step appends in place, unless it continues other rows or
    another step has already appended to the same state.
    """

    def __init__(self, layers: int, rows: int, room: int, width: int) -> None:
        self.parts = np.empty((2 * layers, rows, room, width), np.float32)
        self.filled = 0
        size, base = self.parts[0].nbytes, c.address(self.parts)
        self.at = np.array([base + part * size for part in range(2 * layers)], np.uint64)

    @property
    def rows(self) -> int:
        """Count of rows."""
        return int(self.parts.shape[1])

    @property
    def room(self) -> int:
        """Count of tokens of each row that fit."""
        return int(self.parts.shape[2])


@dataclass(frozen=True, slots=True)
class TransformerSource:
    """An encoded batch, projected for the layers of the decoder, the same for all steps."""

    cross: Floats  # (2 L, B, K, D): keys and values of each layer
    at: Ints  # addresses of these parts
    lengths: Ints  # (B,), the count of keys that are not masked
    buffer: LogitsBuffer
    by_tiles: bool
    edits: Plans  # of each text
    log: OperationLog | None


class TransformerState(NamedTuple):
    """The decoder's state."""

    source: TransformerSource
    owners: Ints  # (N,), the text of each row
    written: Written
    length: int  # tokens written so far


class NativeTransformer:
    """A Transformer's encoder and decoder."""

    editing = Editing()

    def __init__(
        self, kernel: ctypes.CDLL, config: TransformerConfig, weights: Tensors, threads: int = 1
    ) -> None:
        self._kernel, self._config, self._weights = kernel, config, weights
        self._threads = threads
        self._held = held = c.KeepAlive()
        self._table = weights("embedding.weight", config.vocabulary, config.width)
        self.encode_groups = tuple(
            MapGroup("encoder-self", layer, config.heads, "source", "source")
            for layer in range(config.encoder_layers)
        )
        layers = range(config.decoder_layers)
        self.step_groups = tuple(
            MapGroup("cross", layer, config.heads, "target", "source") for layer in layers
        ) + tuple(
            MapGroup("decoder-self", layer, config.heads, "target", "decoder_input")
            for layer in layers
        )
        self._encoder = self._stack("encoder", config.encoder_layers, 0)
        self._decoder = self._stack("decoder", config.decoder_layers, 1)
        self._cross = [
            self._linear(f"decoder.{layer}.cross.{part}", config.width, config.width)
            for layer in range(config.decoder_layers)
            for part in ("key", "value")
        ]
        self._decoder.output = held.linear(self._table, weights("output.bias", config.vocabulary))
        self._decoder.table = held.at(self._table)
        self._positions = positions(512, config.width)
        del self._weights

    def encode(
        self, sources: Sequence[Tokens], options: EncodeOptions = DEFAULT_OPTIONS, /
    ) -> Encoded:
        """Encode a batch of texts: 1. embed 2. the layers 3. keys and values for the decoder's."""
        config = self._config
        texts, lengths = padded(sources).values()
        count, keys = texts.shape
        memory = self._table[texts].astype(np.float32) * np.float32(math.sqrt(config.width))
        memory += self._places(keys)[:keys]
        maps = np.empty((2, config.encoder_layers, count, config.heads, keys, keys), np.float32)
        scores, weights = maps
        made = self._vectors(config.encoder_layers, count, keys) if options.vectors else None
        table = encoder_table(self.encode_groups, options.edits, keys)
        self._kernel.heed_encode_transformer(
            c.TransformerEncoding(
                net=ctypes.pointer(self._encoder),
                states=c.address(memory),
                lengths=c.address(lengths),
                scores=c.address(scores),
                weights=c.address(weights),
                vectors=optional_address(made),
                edits=None if table is None else table.address,
                log=log_address(options.log),
                n=count,
                k=keys,
                by_tiles=options.by_tiles,
            )
        )
        own = () if made is None else made.transpose(3, 0, 1, 4, 2, 5)
        state, projected = self._start(memory, lengths, options)
        attended = tuple(Attended(*layer) for layer in zip(scores, weights, *own, strict=True))
        return Encoded(state, memory, attended, projected)

    def _start(
        self, memory: Floats, lengths: Ints, options: EncodeOptions
    ) -> tuple[TransformerState, tuple[Projected | None, ...]]:
        """Make the first state, and the memory as the decoder's heads project it."""
        config, by_tiles = self._config, options.by_tiles
        count, keys = memory.shape[:2]
        cross = np.stack(
            [
                c.mapped(self._kernel, part, memory, threads=self._threads, by_tiles=by_tiles)
                for part in self._cross
            ]
        )
        size, base = cross[0].nbytes, c.address(cross)
        at = np.array([base + part * size for part in range(len(cross))], np.int64)
        buffer = LogitsBuffer(config.vocabulary)
        source = TransformerSource(cross, at, lengths, buffer, by_tiles, options.edits, options.log)
        heads = cross.reshape(len(cross), count, keys, config.heads, -1).transpose(0, 1, 3, 2, 4)
        no_projection = [None] * config.decoder_layers
        projected = (Projected(*pair) for pair in zip(heads[::2], heads[1::2], strict=True))
        state = TransformerState(source, np.arange(count), self._room(count, 0), 0)
        return state, (*projected, *no_projection)

    def step(
        self, state: object, rows: Ints, tokens: Ints, edits: Plans = ()
    ) -> tuple[Step, TransformerState]:
        """Continue these rows, each with its last token, under its own edits if any are given."""
        if not isinstance(state, TransformerState):
            raise foreign_state(state)
        config, source, count = self._config, state.source, len(rows)
        rows, tokens = indices(rows), indices(tokens)
        check(tokens, config.vocabulary)
        length, keys = state.length, source.cross.shape[2]
        layers, heads, width = config.decoder_layers, config.heads, config.width
        before = written = state.written
        in_place = all_in_order(rows, before.rows) and before.filled == length
        if not in_place or before.room == length:
            written = self._room(count, length)
        owners = state.owners[rows]
        logits = source.buffer.logits(count)
        block = Workspace(
            query=(count, width),
            context=(count, width),
            state=(count, width),
            logs=(count, RANKED),
            normalizers=(count,),
            scores=(layers, count, heads, keys),
            weights=(layers, count, heads, keys),
            queries=(layers, count, heads, width // heads),
            own_scores=(layers, count, heads, length + 1),
            own_weights=(layers, count, heads, length + 1),
            own_projected=(layers, count, 3, heads, width // heads),
        )
        likeliest = np.empty((count, RANKED), np.int64)
        plans = edits or plans_of(source.edits, owners)
        table = step_table(self.step_groups, plans, length)
        self._kernel.heed_step_transformer(
            self._decoder,
            c.TransformerStep(
                tokens=c.address(tokens),
                rows=c.address(rows),
                owners=c.address(owners),
                lengths=c.address(source.lengths),
                cross=c.address(source.at),
                before=c.address(before.at),
                written=c.address(written.at),
                position=c.address(self._places(length + 1)[length]),
                edits=None if table is None else table.address,
                log=log_address(source.log),
                n=count,
                k=keys,
                t=length,
                room_before=before.room,
                room=written.room,
                by_tiles=source.by_tiles,
                logits=c.address(logits),
                likeliest=c.address(likeliest),
                **block.addresses,
            ),
        )
        written.filled = length + 1
        cross = block["scores"], block["weights"], block["queries"]
        projected = block["own_projected"].transpose(2, 0, 1, 3, 4)  # queries, keys and values
        own = block["own_scores"], block["own_weights"], *projected
        step = Step(
            logits=logits,
            ranking=Ranking(likeliest, block["logs"], block["normalizers"]),
            attended=tuple(
                Attended(*layer) for group in (cross, own) for layer in zip(*group, strict=True)
            ),
            query=block["query"],
            context=block["context"],
            state=block["state"],
        )
        return step, TransformerState(source, owners, written, length + 1)

    def value_vectors(self, state: object) -> tuple[Floats | None, ...]:
        """Return what each key adds to the output of each layer, head by head: W_o v."""
        if not isinstance(state, TransformerState):
            raise foreign_state(state)
        config, values = self._config, state.source.cross[1::2]  # (L, B, K, D)
        return (
            *(
                self._crossed(layer.cross_out, own)
                for layer, own in zip(self._decoder.layers[: len(values)], values, strict=True)
            ),
            *[None] * config.decoder_layers,
        )

    def _crossed(self, output: c.Linear, values: Floats) -> Floats:
        """Map the part of each head of values (B, K, D) alone, without the bias (B, H, K, D)."""
        heads = self._config.heads
        parts = values.reshape(*values.shape[:-1], heads, -1)
        alone = np.zeros((heads, *parts.shape), np.float32)
        for head in range(heads):
            alone[head, ..., head, :] = parts[..., head, :]
        alone = alone.reshape(heads, *values.shape)
        bias = c.mapped(
            self._kernel, output, np.zeros((1, values.shape[-1]), np.float32), by_tiles=False
        )
        made = c.mapped(self._kernel, output, alone, threads=self._threads, by_tiles=False)
        made -= bias[0]
        vectors: Floats = made.swapaxes(0, 1)
        return vectors

    def _vectors(self, layers: int, count: int, keys: int) -> Floats:
        """Allocate the queries, keys and values of every layer of the encoder."""
        heads = self._config.heads
        return np.empty((layers, count, keys, 3, heads, self._config.width // heads), np.float32)

    def _room(self, rows: int, length: int) -> Written:
        return Written(self._config.decoder_layers, rows, 2 * length + ROOM, self._config.width)

    def _places(self, count: int) -> Floats:
        """Return the positions, at least `count`."""
        if len(self._positions) < count:
            self._positions = positions(2 * count, self._config.width)
        return self._positions

    def _stack(self, side: str, layers: int, norm: int) -> c.Transformer:
        """Read the layers of one side."""
        config, weights = self._config, self._weights
        width = config.width
        made = (c.Layer * layers)(
            *(self._layer(f"{side}.{place}.", side) for place in range(layers))
        )
        return c.Transformer(
            layers=made,
            norm=self._held.norm(
                weights(f"norms.{norm}.weight", width), weights(f"norms.{norm}.bias", width)
            ),
            count=layers,
            width=width,
            heads=config.heads,
            vocabulary=config.vocabulary,
            threads=self._threads,
        )

    def _layer(self, name: str, side: str) -> c.Layer:
        config, weights, linear = self._config, self._weights, self._linear
        width, wide = config.width, config.feedforward
        own = f"{name}{'attention' if side == 'encoder' else 'own'}."
        parts = ("query", "key", "value")
        layer = c.Layer(
            own=self._held.linear(
                np.concatenate([weights(f"{own}{part}.weight", width, width) for part in parts]),
                np.concatenate([weights(f"{own}{part}.bias", width) for part in parts]),
            ),
            own_out=linear(f"{own}output", width, width),
            up=linear(f"{name}feedforward.0", wide, width),
            down=linear(f"{name}feedforward.3", width, wide),
        )
        norms = 2
        if side == "decoder":
            layer.cross_query = linear(f"{name}cross.query", width, width)
            layer.cross_out = linear(f"{name}cross.output", width, width)
            norms = 3
        for place in range(norms):
            layer.norms[place] = self._held.norm(
                weights(f"{name}norms.{place}.weight", width),
                weights(f"{name}norms.{place}.bias", width),
            )
        return layer

    def _linear(self, name: str, outputs: int, inputs: int) -> c.Linear:
        return self._held.linear(
            self._weights(f"{name}.weight", outputs, inputs), self._weights(f"{name}.bias", outputs)
        )


def positions(count: int, width: int) -> Floats:
    """Return sines and cosines (count, D) of the first positions, as `networks.transformer`."""
    places = np.arange(count, dtype=np.float32)[:, None]
    rates = np.exp(np.arange(0, width, 2, dtype=np.float32) * np.float32(-math.log(1e4) / width))
    angles = places * rates
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(count, width)
