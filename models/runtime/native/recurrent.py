"""A recurrent encoder and decoder on the kernels.

Reading a text is put together here, a step is one call into C. Shapes: `N` rows, `B` texts, `K`
tokens that are looked at, `L` layers, `D` width of a vector.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from models.config import RecurrentConfig
from models.runtime import RANKED, Attended, Encoded, Ints, MapGroup, Ranking, Step, Tokens, padded
from models.runtime.native import kernels as c
from models.runtime.native.memory import Block, Desk, Tensors, check, indices
from models.trace import Floats


@dataclass(frozen=True, slots=True)
class RecurrentRead:
    """A batch of texts as a recurrent decoder asks it, the same for all steps."""

    keys: Floats  # (B, K, D), or what is summed where that is compared as it is
    values: Floats  # (B, K, D); (B, 1, D) of a network that does not look
    seen: Ints  # (B,), how many keys may be looked at
    desk: Desk


class RecurrentState(NamedTuple):
    """What is carried from step to step."""

    read: RecurrentRead
    owners: Ints  # (N,), the text of each row
    hidden: Floats  # (N, L, D)
    feed: Floats  # (N, D), of a network that is fed what it made


class NativeRecurrent:
    """A recurrent encoder and decoder (`Seq2Seq`)."""

    encode_groups: tuple[MapGroup, ...] = ()

    def __init__(
        self, kernel: ctypes.CDLL, config: RecurrentConfig, weights: Tensors, threads: int = 1
    ) -> None:
        self._kernel, self._config, self._threads = kernel, config, threads
        self._held = held = c.Held()
        width, memory, embedding = config.decoder_width, config.memory_width, config.embedding
        self._looks = config.mechanism != "none"
        self.step_groups = (MapGroup("cross", 0, 1, "target", "source"),) if self._looks else ()
        self._table = weights("embedding.weight", config.vocabulary, embedding)
        self._readers = [self._reader(layer, weights) for layer in range(config.encoder_layers)]
        self._bridge = held.linear(
            weights("decoder.bridge.weight", width, memory), weights("decoder.bridge.bias", width)
        )
        self._asking = width + (embedding if config.query_feeding else 0)
        self._key, query, energy = self._attention(weights)
        self._scored = query.outputs if query else self._asking
        cells = [self._cell(layer, weights) for layer in range(config.decoder_layers)]
        self._given = (c.Linear * len(cells))(*(given for given, _ in cells))
        self._hidden = (c.Linear * len(cells))(*(hidden for _, hidden in cells))
        joined = width + memory + (0 if config.order == "after" else embedding)
        name = "embedding.weight" if config.tied else "decoder.output.weight"
        self._net = c.Recurrent(
            query=query or c.Linear(),
            join=held.linear(
                weights("decoder.join.weight", embedding, joined),
                weights("decoder.join.bias", embedding),
            ),
            output=held.linear(
                weights(name, config.vocabulary, embedding),
                weights("decoder.output.bias", config.vocabulary),
            ),
            given=self._given,
            hidden=self._hidden,
            table=held.at(self._table),
            energy=None if energy is None else held.at(energy),
            embedding=embedding,
            width=width,
            memory=memory,
            scored=self._scored,
            layers=config.decoder_layers,
            vocabulary=config.vocabulary,
            mechanism=c.ADDITIVE if energy is not None else c.DOT if self._looks else c.NONE,
            after=config.order == "after",
            query_feeding=config.query_feeding,
            input_feeding=config.input_feeding,
            threads=threads,
            scale=1 / math.sqrt(memory) if config.mechanism == "scaled" else 1.0,
        )

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
            desk=Desk(config.vocabulary),
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

    def step(self, state: RecurrentState, rows: Ints, tokens: Ints) -> tuple[Step, RecurrentState]:
        """Go on from these rows, each fed its token."""
        config, read, count = self._config, state.read, len(rows)
        rows, tokens = indices(rows), indices(tokens)
        check(tokens, config.vocabulary)
        keys = read.keys.shape[1] if self._looks else 0
        owners = state.owners[rows]
        logits = read.desk.logits(count)
        block = Block(
            (count, 1, keys),
            (count, 1, keys),
            (count, 1, self._scored),
            (count, self._asking),
            (count, config.memory_width),
            (count, config.decoder_layers, config.decoder_width),
            (count, state.feed.shape[1]),
            (count, RANKED),
            (count,),
        )
        scores, weights, asked, query, context, hidden, feed, logs, normalizers = block.arrays
        likeliest = np.empty((count, RANKED), np.int64)
        self._kernel.heed_step_recurrent(
            self._net,
            c.RecurrentStep(
                *(c.address(tokens), c.address(rows), c.address(owners), c.address(read.seen)),
                *(c.address(read.keys), c.address(read.values)),
                *(c.address(state.hidden), c.address(state.feed), count, keys),
                *(c.address(logits), *block.at, c.address(likeliest)),
            ),
        )
        if self._net.mechanism == c.DOT:
            asked = query[:, None]
        step = Step(
            logits=logits,
            ranking=Ranking(likeliest, logs, normalizers),
            attended=(Attended(scores, weights, asked),) if self._looks else (),
            query=query,
            context=context,
            state=hidden[:, -1],
        )
        return step, RecurrentState(read, owners, hidden, feed)

    def _reader(self, layer: int, weights: Tensors) -> tuple[Any, Any]:
        """The two directions of a layer of the encoder: what inputs and states make of gates."""
        config, held = self._config, self._held
        width = config.encoder_width
        inputs = config.memory_width if layer else config.embedding
        pairs = [
            [
                held.linear(
                    weights(f"encoder.{way}.{layer}.weight_{kind}_l0", 3 * width, wide),
                    weights(f"encoder.{way}.{layer}.bias_{kind}_l0", 3 * width),
                )
                for kind, wide in (("ih", inputs), ("hh", width))
            ]
            for way in ("forwards", "backwards")
        ]
        given, hidden = zip(*pairs, strict=True)
        return (c.Linear * 2)(*given), (c.Linear * 2)(*hidden)

    def _cell(self, layer: int, weights: Tensors) -> tuple[c.Linear, c.Linear]:
        """What the inputs and the old state of a layer of the decoder make of its gates."""
        config, held = self._config, self._held
        width, inputs = config.decoder_width, config.decoder_width
        if layer == 0:
            inputs = config.embedding
            inputs += config.memory_width if config.order != "after" else 0
            inputs += config.embedding if config.input_feeding else 0
        name = f"decoder.cells.{layer}."
        return (
            held.linear(
                weights(f"{name}weight_ih", 3 * width, inputs), weights(f"{name}bias_ih", 3 * width)
            ),
            held.linear(
                weights(f"{name}weight_hh", 3 * width, width), weights(f"{name}bias_hh", 3 * width)
            ),
        )

    def _attention(
        self, weights: Tensors
    ) -> tuple[c.Linear | None, c.Linear | None, Floats | None]:
        """What is made of the keys, what of the query, and the energies that weigh their sum."""
        config, linear = self._config, self._held.linear
        asking, memory, scored = self._asking, config.memory_width, config.attention_width
        name = "decoder.attention."
        match config.mechanism:
            case "additive":
                key = linear(
                    weights(f"{name}key.weight", scored, memory), weights(f"{name}key.bias", scored)
                )
                query = linear(weights(f"{name}query.weight", scored, asking))
            case "concat":
                both = weights(f"{name}both.weight", scored, asking + memory)
                key, query = linear(both[:, asking:]), linear(both[:, :asking])
            case "general":
                return linear(weights(f"{name}key.weight", asking, memory)), None, None
            case _:
                return None, None, None
        return key, query, weights(f"{name}energy.weight", 1, scored)[0].astype(np.float32)


def _ends(memory: Floats, lengths: Ints) -> Floats:
    """The last word of each direction (B, D), as `models.attention.ends` has it."""
    half = memory.shape[2] // 2
    last = memory[np.arange(len(memory)), lengths - 1, :half]
    return np.concatenate([last, memory[:, 0, half:]], axis=1)
