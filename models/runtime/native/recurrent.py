"""A recurrent encoder and decoder on the kernels.

The encoder is composed here of several calls into C; a step is one. Shapes: `N` rows, `B` texts,
`K` keys, `L` layers, `D` width of a vector; `T` steps of noise.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from heed.models.config import RecurrentConfig
from heed.models.errors import CheckpointError
from heed.models.networks.map_group import MapGroup
from heed.models.runtime.edited import Plans, given_gates, plans_of
from heed.models.runtime.native import kernels as c
from heed.models.runtime.native.edits import step_table
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
    DrawnCells,
    Editing,
    Encoded,
    EncodeOptions,
    Ints,
    Ranking,
    Step,
    Tokens,
    foreign_state,
    padded,
)
from heed.models.trace import Floats

SCORES: Final = {
    "none": c.NONE,
    "additive": c.ADDITIVE,
    "concat": c.ADDITIVE,
    "dot": c.DOT,
    "general": c.DOT,
    "scaled": c.DOT,
}
"""The mechanisms that there are kernels for, with the score that the kernels compute."""


@dataclass(frozen=True, slots=True)
class RecurrentSource:
    """An encoded batch of texts or pictures, the same for all steps."""

    keys: Floats  # (B, K, D), the values themselves where keys are not projected
    values: Floats  # (B, K, D); (B, 1, D) of a network without attention
    lengths: Ints  # (B,), the count of keys that are not masked
    buffer: LogitsBuffer
    by_tiles: bool
    edits: Plans = ()  # of each text
    noise: Floats | None = None  # (T, B, K), of hard attention
    log: OperationLog | None = None


class RecurrentState(NamedTuple):
    """The decoder's state."""

    source: RecurrentSource
    owners: Ints  # (N,), the text of each row
    hidden: Floats  # (N, L, D)
    feed: Floats  # (N, D), with input feeding
    steps: int = 0  # taken so far


class RecurrentSteps:
    """The steps of a recurrent decoder, the same for texts and pictures."""

    encode_groups: tuple[MapGroup, ...] = ()
    editing = Editing()

    def __init__(self, kernel: ctypes.CDLL, net: c.Recurrent, held: c.KeepAlive) -> None:
        self._kernel, self._net, self._held = kernel, net, held
        self._attends = net.mechanism != c.NONE
        self._query_width = net.width + (net.embedding if net.query_feeding else 0)
        self.step_groups = (MapGroup("cross", 0, 1, "target", "source"),) if self._attends else ()

    def step(
        self, state: object, rows: Ints, tokens: Ints, edits: Plans = ()
    ) -> tuple[Step, RecurrentState]:
        """Continue these rows, each with its last token, under its own edits if any are given."""
        if not isinstance(state, RecurrentState):
            raise foreign_state(state)
        net, source, count = self._net, state.source, len(rows)
        rows, tokens = indices(rows), indices(tokens)
        check(tokens, net.vocabulary)
        keys = source.keys.shape[1] if self._attends else 0
        owners = state.owners[rows]
        logits = source.buffer.logits(count)
        block = Workspace(
            scores=(count, 1, keys),
            weights=(count, 1, keys),
            projected=(count, 1, net.scored),
            query=(count, self._query_width),
            context=(count, net.memory),
            fresh=(count, net.layers, net.width),
            fed=(count, state.feed.shape[1]),
            logs=(count, RANKED),
            normalizers=(count,),
            gates=(count if net.gate else 0,),
            drawn_weights=(0 if source.noise is None else count,),
        )
        likeliest = np.empty((count, RANKED), np.int64)
        noise = None if source.noise is None else source.noise[state.steps % len(source.noise)]
        drawn = None if noise is None else np.empty(count, np.int64)
        plans = edits or plans_of(source.edits, owners)
        table, gates = (
            step_table(self.step_groups, plans, state.steps),
            given_gates(plans, state.steps),
        )
        self._kernel.heed_step_recurrent(
            net,
            c.RecurrentStep(
                tokens=c.address(tokens),
                rows=c.address(rows),
                owners=c.address(owners),
                lengths=c.address(source.lengths),
                keys=c.address(source.keys),
                values=c.address(source.values),
                hidden=c.address(state.hidden),
                feed=c.address(state.feed),
                gumbel=optional_address(noise),
                edits=None if table is None else table.address,
                given_gates=optional_address(gates),
                log=log_address(source.log),
                n=count,
                k=keys,
                by_tiles=source.by_tiles,
                logits=c.address(logits),
                likeliest=c.address(likeliest),
                drawn=optional_address(drawn),
                **block.addresses,
            ),
        )
        query, weights, hidden = block["query"], block["weights"], block["fresh"]
        scored = query[:, None] if net.mechanism == c.DOT else block["projected"]
        step = Step(
            logits=logits,
            ranking=Ranking(likeliest, block["logs"], block["normalizers"]),
            attended=(Attended(block["scores"], weights, scored),) if self._attends else (),
            query=query,
            context=block["context"],
            state=hidden[:, -1],
            gates=block["gates"] if net.gate else None,
            drawn=None if drawn is None else DrawnCells(drawn, np.log(block["drawn_weights"])),
        )
        return step, RecurrentState(source, owners, hidden, block["fed"], state.steps + 1)

    def value_vectors(self, state: object) -> tuple[Floats | None, ...]:
        """Return the values, which are the memory: one head adds them as they are."""
        if not isinstance(state, RecurrentState):
            raise foreign_state(state)
        return (state.source.values[:, None],) if self._attends else ()


class NativeRecurrent(RecurrentSteps):
    """A recurrent encoder and decoder (`Seq2Seq`)."""

    def __init__(
        self, kernel: ctypes.CDLL, config: RecurrentConfig, weights: Tensors, threads: int = 1
    ) -> None:
        self._config, self._threads = config, threads
        held = c.KeepAlive()
        width, memory, embedding = config.decoder_width, config.memory_width, config.embedding
        self._table = weights("embedding.weight", config.vocabulary, embedding)
        self._readers = [
            reader(
                held,
                weights,
                "encoder.",
                layer,
                memory if layer else embedding,
                config.encoder_width,
            )
            for layer in range(config.encoder_layers)
        ]
        self._bridge = held.linear(
            weights("decoder.bridge.weight", width, memory), weights("decoder.bridge.bias", width)
        )
        query_width = width + (embedding if config.query_feeding else 0)
        self._key, query, energy = _attention(held, weights, config, query_width)
        cells = [_cell(held, weights, config, layer) for layer in range(config.decoder_layers)]
        given, hidden = zip(*cells, strict=True)
        joined = width + memory + (0 if config.order == "after" else embedding)
        name = "embedding.weight" if config.tied else "decoder.output.weight"
        net = c.Recurrent(
            query=query or c.Linear(),
            join=held.linear(
                weights("decoder.join.weight", embedding, joined),
                weights("decoder.join.bias", embedding),
            ),
            output=held.linear(
                weights(name, config.vocabulary, embedding),
                weights("decoder.output.bias", config.vocabulary),
            ),
            given=(c.Linear * len(cells))(*given),
            hidden=(c.Linear * len(cells))(*hidden),
            table=held.at(self._table),
            energy=None if energy is None else held.at(energy),
            embedding=embedding,
            width=width,
            memory=memory,
            scored=query.outputs if query else query_width,
            layers=config.decoder_layers,
            vocabulary=config.vocabulary,
            mechanism=SCORES[config.mechanism],
            after=config.order == "after",
            query_feeding=config.query_feeding,
            input_feeding=config.input_feeding,
            threads=threads,
            scale=1 / math.sqrt(memory) if config.mechanism == "scaled" else 1.0,
        )
        super().__init__(kernel, net, held)
        self.editing = Editing(hides_end=config.end_hidden)

    def encode(
        self, sources: Sequence[Tokens], options: EncodeOptions = DEFAULT_OPTIONS, /
    ) -> Encoded:
        """Encode a batch of texts: 1. embed 2. both directions 3. keys and the first state."""
        config, by_tiles = self._config, options.by_tiles
        texts, lengths = padded(sources).values()
        memory = read_texts(
            self._kernel,
            self._readers,
            self._table[texts].astype(np.float32),
            lengths,
            config.memory_width,
            threads=self._threads,
            by_tiles=by_tiles,
            log=options.log,
        )
        ends = last_states(memory, lengths)
        first = c.mapped(self._kernel, self._bridge, ends, c.SQUASHED, by_tiles=by_tiles)
        rows = len(sources)
        source = RecurrentSource(
            keys=self._keys(memory, by_tiles=by_tiles),
            values=memory if self._attends else ends[:, None],
            lengths=np.maximum(lengths - 1, 1) if config.end_hidden else lengths,
            buffer=LogitsBuffer(config.vocabulary),
            by_tiles=by_tiles,
            edits=options.edits,
            log=options.log,
        )
        state = RecurrentState(
            source,
            np.arange(rows),
            np.repeat(first[:, None], config.decoder_layers, axis=1),
            np.zeros((rows, config.embedding if config.input_feeding else 0), np.float32),
        )
        return Encoded(state, memory, (), tuple(None for _ in self.step_groups))

    def _keys(self, memory: Floats, *, by_tiles: bool) -> Floats:
        if self._key is None:
            return memory
        return c.mapped(self._kernel, self._key, memory, threads=self._threads, by_tiles=by_tiles)


Directions = tuple[ctypes.Array[c.Linear], ctypes.Array[c.Linear]]
"""The maps from inputs and from states of a layer of an encoder, forwards and backwards."""


def reader(
    held: c.KeepAlive, weights: Tensors, name: str, layer: int, inputs: int, width: int
) -> Directions:
    """Read the two directions of a layer of an encoder."""
    pairs = [
        gru(held, weights, f"{name}{way}.{layer}.", inputs, width, "_l0")
        for way in ("forwards", "backwards")
    ]
    given, hidden = zip(*pairs, strict=True)
    return (c.Linear * 2)(*given), (c.Linear * 2)(*hidden)


def read_texts(
    kernel: ctypes.CDLL,
    readers: Sequence[Directions],
    embedded: Floats,
    lengths: Ints,
    width: int,
    *,
    threads: int,
    by_tiles: bool,
    log: OperationLog | None = None,
) -> Floats:
    """Read embedded texts (B, K, D) of these lengths in both directions, layer by layer.

    Returns the states (B, K, `width`) of their tokens.
    """
    order = np.argsort(-lengths, kind="stable")
    states, sorted_lengths = embedded[order], np.ascontiguousarray(lengths[order])
    count, longest = states.shape[:2]
    for given, hidden in readers:
        memory = np.zeros((count, longest, width), np.float32)
        kernel.heed_encode_recurrent(
            c.RecurrentEncoding(
                given=given,
                hidden=hidden,
                states=c.address(states),
                lengths=c.address(sorted_lengths),
                memory=c.address(memory),
                log=log_address(log),
                n=count,
                k=longest,
                threads=threads,
                by_tiles=by_tiles,
            )
        )
        states = memory
    unsorted = np.empty_like(states)
    unsorted[order] = states
    return unsorted


def _cell(
    held: c.KeepAlive, weights: Tensors, config: RecurrentConfig, layer: int
) -> tuple[c.Linear, c.Linear]:
    """Read the maps from the inputs and the old state of a layer of the decoder to its gates."""
    width, inputs = config.decoder_width, config.decoder_width
    if layer == 0:
        inputs = config.embedding
        inputs += config.memory_width if config.order != "after" else 0
        inputs += config.embedding if config.input_feeding else 0
    return gru(held, weights, f"decoder.cells.{layer}.", inputs, width)


def gru(
    held: c.KeepAlive, weights: Tensors, name: str, inputs: int, width: int, end: str = ""
) -> tuple[c.Linear, c.Linear]:
    """Read the maps from the inputs and from the old state of a GRU to its gates."""
    given, hidden = (
        held.linear(
            weights(f"{name}weight_{kind}{end}", 3 * width, wide),
            weights(f"{name}bias_{kind}{end}", 3 * width),
        )
        for kind, wide in (("ih", inputs), ("hh", width))
    )
    return given, hidden


def _attention(
    held: c.KeepAlive, weights: Tensors, config: RecurrentConfig, query_width: int
) -> tuple[c.Linear | None, c.Linear | None, Floats | None]:
    """Read the projections of keys and query, and the vector v of an additive score."""
    memory, scored = config.memory_width, config.attention_width
    name = "decoder.attention."
    match config.mechanism:
        case "additive":
            return additive(held, weights, name, query_width, memory, scored)
        case "concat":
            both = weights(f"{name}both.weight", scored, query_width + memory)
            key, query = held.linear(both[:, query_width:]), held.linear(both[:, :query_width])
            return key, query, _energy(weights, name, scored)
        case "general":
            return held.linear(weights(f"{name}key.weight", query_width, memory)), None, None
        case "dot" | "scaled" | "none":
            return None, None, None
        case _:
            raise CheckpointError(f"there are no kernels for {config.mechanism} attention")


def additive(
    held: c.KeepAlive, weights: Tensors, name: str, query_width: int, memory: int, scored: int
) -> tuple[c.Linear, c.Linear, Floats]:
    """Read the projections and the vector v of additive attention."""
    key = held.linear(
        weights(f"{name}key.weight", scored, memory), weights(f"{name}key.bias", scored)
    )
    query = held.linear(weights(f"{name}query.weight", scored, query_width))
    return key, query, _energy(weights, name, scored)


def _energy(weights: Tensors, name: str, scored: int) -> Floats:
    energy: Floats = weights(f"{name}energy.weight", 1, scored)[0].astype(np.float32)
    return energy


def last_states(memory: Floats, lengths: Ints) -> Floats:
    """Return the last state of each direction (B, D), as `networks.attention.ends` does."""
    half = memory.shape[2] // 2
    last = memory[np.arange(len(memory)), lengths - 1, :half]
    return np.concatenate([last, memory[:, 0, half:]], axis=1)
