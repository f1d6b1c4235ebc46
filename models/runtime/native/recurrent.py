"""A recurrent encoder and decoder on the kernels.

Reading a text is put together here, a step is one call into C. Shapes: `N` rows, `B` texts, `K`
tokens that are looked at, `L` layers, `D` width of a vector; `T` draws of a seed.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from heed.models.config import RecurrentConfig
from heed.models.runtime.native import kernels as c
from heed.models.runtime.native.workspace import (
    LogitsBuffer,
    Tensors,
    Workspace,
    check,
    indices,
    where,
)
from heed.models.runtime.protocol import (
    RANKED,
    Attended,
    DrawnCells,
    Encoded,
    Ints,
    MapGroup,
    Ranking,
    Step,
    Tokens,
    padded,
)
from heed.models.trace import Floats


@dataclass(frozen=True, slots=True)
class RecurrentRead:
    """A batch of texts or pictures as a recurrent decoder asks it, the same for all steps."""

    keys: Floats  # (B, K, D), or what is summed where that is compared as it is
    values: Floats  # (B, K, D); (B, 1, D) of a network that does not look
    seen: Ints  # (B,), how many keys may be looked at
    desk: LogitsBuffer
    luck: Floats | None = None  # (T, B, K), of a network that draws what it looks at


class RecurrentState(NamedTuple):
    """What is carried from step to step."""

    read: RecurrentRead
    owners: Ints  # (N,), the text of each row
    hidden: Floats  # (N, L, D)
    feed: Floats  # (N, D), of a network that is fed what it made
    steps: int = 0  # taken so far


class RecurrentSteps:
    """The steps of a recurrent decoder, whatever was read."""

    encode_groups: tuple[MapGroup, ...] = ()

    def __init__(self, kernel: ctypes.CDLL, net: c.Recurrent, held: c.KeepAlive) -> None:
        self._kernel, self._net, self._held = kernel, net, held
        self._looks = net.mechanism != c.NONE
        self._asking = net.width + (net.embedding if net.query_feeding else 0)
        self.step_groups = (MapGroup("cross", 0, 1, "target", "source"),) if self._looks else ()

    def step(self, state: RecurrentState, rows: Ints, tokens: Ints) -> tuple[Step, RecurrentState]:
        """Go on from these rows, each fed its token."""
        net, read, count = self._net, state.read, len(rows)
        rows, tokens = indices(rows), indices(tokens)
        check(tokens, net.vocabulary)
        keys = read.keys.shape[1] if self._looks else 0
        owners = state.owners[rows]
        logits = read.desk.logits(count)
        block = Workspace(
            (count, 1, keys),
            (count, 1, keys),
            (count, 1, net.scored),
            (count, self._asking),
            (count, net.memory),
            (count, net.layers, net.width),
            (count, state.feed.shape[1]),
            (count, RANKED),
            (count,),
            (count if net.gate else 0,),
        )
        scores, weights, asked, query, context, hidden, feed, logs, normalizers, gates = (
            block.arrays
        )
        likeliest = np.empty((count, RANKED), np.int64)
        luck = None if read.luck is None else read.luck[state.steps % len(read.luck)]
        drawn = None if luck is None else np.empty(count, np.int64)
        self._kernel.heed_step_recurrent(
            net,
            c.RecurrentStep(
                *(c.address(tokens), c.address(rows), c.address(owners), c.address(read.seen)),
                *(c.address(read.keys), c.address(read.values)),
                *(c.address(state.hidden), c.address(state.feed), where(luck)),
                *(count, keys, c.address(logits), *block.at, c.address(likeliest)),
                where(drawn),
            ),
        )
        if net.mechanism == c.DOT:
            asked = query[:, None]
        step = Step(
            logits=logits,
            ranking=Ranking(likeliest, logs, normalizers),
            attended=(Attended(scores, weights, asked),) if self._looks else (),
            query=query,
            context=context,
            state=hidden[:, -1],
            gates=gates if net.gate else None,
            drawn=None if drawn is None else _drawn(weights, drawn),
        )
        return step, RecurrentState(read, owners, hidden, feed, state.steps + 1)


class NativeRecurrent(RecurrentSteps):
    """A recurrent encoder and decoder (`Seq2Seq`)."""

    def __init__(
        self, kernel: ctypes.CDLL, config: RecurrentConfig, weights: Tensors, threads: int = 1
    ) -> None:
        self._config, self._threads = config, threads
        held = c.KeepAlive()
        width, memory, embedding = config.decoder_width, config.memory_width, config.embedding
        self._table = weights("embedding.weight", config.vocabulary, embedding)
        self._readers = [_reader(held, weights, config, at) for at in range(config.encoder_layers)]
        self._bridge = held.linear(
            weights("decoder.bridge.weight", width, memory), weights("decoder.bridge.bias", width)
        )
        asking = width + (embedding if config.query_feeding else 0)
        self._key, query, energy = _attention(held, weights, config, asking)
        cells = [_cell(held, weights, config, layer) for layer in range(config.decoder_layers)]
        given, hidden = zip(*cells, strict=True)
        joined = width + memory + (0 if config.order == "after" else embedding)
        name = "embedding.weight" if config.tied else "decoder.output.weight"
        looks = config.mechanism != "none"
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
            scored=query.outputs if query else asking,
            layers=config.decoder_layers,
            vocabulary=config.vocabulary,
            mechanism=c.ADDITIVE if energy is not None else c.DOT if looks else c.NONE,
            after=config.order == "after",
            query_feeding=config.query_feeding,
            input_feeding=config.input_feeding,
            threads=threads,
            scale=1 / math.sqrt(memory) if config.mechanism == "scaled" else 1.0,
        )
        super().__init__(kernel, net, held)

    def encode(
        self, sources: Sequence[Tokens], *, vectors: bool = False
    ) -> Encoded[RecurrentState]:
        """Read a batch of texts: 1. embed 2. read both ways 3. make keys and a first state."""
        del vectors  # it has no heads of its own
        config = self._config
        texts, lengths = padded(sources).values()
        order = np.argsort(-lengths, kind="stable")
        states = self._table[texts[order]].astype(np.float32)
        sorted_lengths = np.ascontiguousarray(lengths[order])
        for given, hidden in self._readers:
            memory = np.zeros((*texts.shape, config.memory_width), np.float32)
            self._kernel.heed_read_recurrent(
                *(given, hidden, c.address(states), c.address(sorted_lengths)),
                *(*texts.shape, c.address(memory), self._threads),
            )
            states = memory
        memory = np.empty_like(states)
        memory[order] = states
        ends = _ends(memory, lengths)
        first = c.mapped(self._kernel, self._bridge, ends, c.SQUASHED)
        rows = len(sources)
        read = RecurrentRead(
            keys=self._keys(memory),
            values=memory if self._looks else ends[:, None],
            seen=np.maximum(lengths - 1, 1) if config.end_hidden else lengths,
            desk=LogitsBuffer(config.vocabulary),
        )
        state = RecurrentState(
            read,
            np.arange(rows),
            np.repeat(first[:, None], config.decoder_layers, axis=1),
            np.zeros((rows, config.embedding if config.input_feeding else 0), np.float32),
        )
        return Encoded(state, memory, (), tuple(None for _ in self.step_groups))

    def _keys(self, memory: Floats) -> Floats:
        if self._key is None:
            return memory
        return c.mapped(self._kernel, self._key, memory, threads=self._threads)


def _reader(
    held: c.KeepAlive, weights: Tensors, config: RecurrentConfig, layer: int
) -> tuple[Any, Any]:
    """The two directions of a layer of the encoder: what inputs and states make of gates."""
    width = config.encoder_width
    inputs = config.memory_width if layer else config.embedding
    pairs = [
        gru(held, weights, f"encoder.{way}.{layer}.", inputs, width, "_l0")
        for way in ("forwards", "backwards")
    ]
    given, hidden = zip(*pairs, strict=True)
    return (c.Linear * 2)(*given), (c.Linear * 2)(*hidden)


def _cell(
    held: c.KeepAlive, weights: Tensors, config: RecurrentConfig, layer: int
) -> tuple[c.Linear, c.Linear]:
    """What the inputs and the old state of a layer of the decoder make of its gates."""
    width, inputs = config.decoder_width, config.decoder_width
    if layer == 0:
        inputs = config.embedding
        inputs += config.memory_width if config.order != "after" else 0
        inputs += config.embedding if config.input_feeding else 0
    return gru(held, weights, f"decoder.cells.{layer}.", inputs, width)


def gru(
    held: c.KeepAlive, weights: Tensors, name: str, inputs: int, width: int, end: str = ""
) -> tuple[c.Linear, c.Linear]:
    """What inputs make of the gates of a GRU, and what its old state makes of them."""
    given, hidden = (
        held.linear(
            weights(f"{name}weight_{kind}{end}", 3 * width, wide),
            weights(f"{name}bias_{kind}{end}", 3 * width),
        )
        for kind, wide in (("ih", inputs), ("hh", width))
    )
    return given, hidden


def _attention(
    held: c.KeepAlive, weights: Tensors, config: RecurrentConfig, asking: int
) -> tuple[c.Linear | None, c.Linear | None, Floats | None]:
    """What is made of the keys, what of the query, and the energies that weigh their sum."""
    memory, scored = config.memory_width, config.attention_width
    name = "decoder.attention."
    match config.mechanism:
        case "additive":
            return additive(held, weights, name, asking, memory, scored)
        case "concat":
            both = weights(f"{name}both.weight", scored, asking + memory)
            key, query = held.linear(both[:, asking:]), held.linear(both[:, :asking])
            return key, query, _energy(weights, name, scored)
        case "general":
            return held.linear(weights(f"{name}key.weight", asking, memory)), None, None
        case _:
            return None, None, None


def additive(
    held: c.KeepAlive, weights: Tensors, name: str, asking: int, memory: int, scored: int
) -> tuple[c.Linear, c.Linear, Floats]:
    """The same of additive attention."""
    key = held.linear(
        weights(f"{name}key.weight", scored, memory), weights(f"{name}key.bias", scored)
    )
    query = held.linear(weights(f"{name}query.weight", scored, asking))
    return key, query, _energy(weights, name, scored)


def _energy(weights: Tensors, name: str, scored: int) -> Floats:
    energy: Floats = weights(f"{name}energy.weight", 1, scored)[0].astype(np.float32)
    return energy


def _drawn(weights: Floats, cells: Ints) -> DrawnCells:
    """What was drawn, and how likely it was by the weights (N, 1, K) it was drawn from."""
    return DrawnCells(cells, np.log(weights[np.arange(len(cells)), 0, cells]))


def _ends(memory: Floats, lengths: Ints) -> Floats:
    """The last word of each direction (B, D), as `heed.models.networks.attention.ends` has it."""
    half = memory.shape[2] // 2
    last = memory[np.arange(len(memory)), lengths - 1, :half]
    return np.concatenate([last, memory[:, 0, half:]], axis=1)
