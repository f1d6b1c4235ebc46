"""PyTorch behind the two calls of `Runtime`: the reference for every other runtime.

Shapes: `N` rows, `B` texts or pictures, `H` heads, `K` keys, `D` width.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol, Self, cast

import numpy as np
import torch
from torch import Tensor

from heed.models.checkpoint import load_image_encoder, load_picture_network, load_text_network
from heed.models.networks import attention
from heed.models.networks.attention import Keys
from heed.models.networks.decoders import StepOutput
from heed.models.networks.encoders import Memory
from heed.models.networks.map_group import MapGroup
from heed.models.networks.vqa import VQAMemory, VQANetwork
from heed.models.pictures.decode import Bytes
from heed.models.registry import PictureNetwork, StepNetwork, TextNetwork
from heed.models.runtime.feature_cache import FeatureCache
from heed.models.runtime.protocol import (
    DEFAULT_OPTIONS,
    NEVER_WRITTEN,
    RANKED,
    Attended,
    DrawnCells,
    Encoded,
    EncodeOptions,
    Ints,
    PictureInput,
    Projected,
    Ranking,
    Step,
    Tokens,
    foreign_state,
    padded,
)
from heed.models.trace import Floats


class NetworkState(Protocol):
    """The state of a network's decoder."""

    def select(self, rows: Tensor) -> Self:
        """Select these rows, which may repeat."""


class Decoder(Protocol):
    """The decoder of a network, which takes the states that it made itself."""

    def advance(self, token: Tensor, state: NetworkState) -> tuple[StepOutput, NetworkState]:
        """Take one step after the token (B,)."""

    def predict(self, readout: Tensor) -> Tensor:
        """Compute logits (B, V) from readouts (B, D)."""

    def projected(self, state: NetworkState, /) -> tuple[Keys | None, ...]:
        """Return the projected memory of each group of heads."""


class TorchState:
    """The state of a network, opaque to the search."""

    __slots__ = ("network",)

    def __init__(self, network: NetworkState) -> None:
        self.network = network


class TorchSteps:
    """The maps and the steps of a network, the same for texts and pictures."""

    def __init__(self, network: StepNetwork) -> None:
        self.encode_groups: tuple[MapGroup, ...] = network.eval().encode_groups
        self.step_groups: tuple[MapGroup, ...] = network.step_groups
        # A union of networks, each with a state of its own; a network gets only what it made.
        self._steps = cast(Decoder, network)

    @torch.inference_mode()
    def step(self, state: object, rows: Ints, tokens: Ints) -> tuple[Step, TorchState]:
        """Continue these rows, each with its last token."""
        if not isinstance(state, TorchState):
            raise foreign_state(state)
        selected = state.network.select(torch.from_numpy(rows))
        output, after = self._steps.advance(torch.from_numpy(tokens), selected)
        logits = self._steps.predict(output.readout)
        tokens_, log_probabilities, normalizer = ranked(logits)
        step = Step(
            logits=_floats(logits),
            ranking=Ranking(_ints(tokens_), _floats(log_probabilities), _floats(normalizer)),
            attended=tuple(map(_step_attention, self.step_groups, output.attended)),
            query=_floats(output.query),
            context=_floats(output.context),
            state=_floats(output.hidden),
            gates=None if output.gate is None else _floats(output.gate),
            drawn=_drawn(output),
        )
        return step, TorchState(after)

    def _encoded(
        self, memory: Memory | VQAMemory, state: NetworkState, *, vectors: bool = False
    ) -> Encoded:
        return Encoded(
            state=TorchState(state),
            memory=_floats(memory.states),
            attended=tuple(_attention(attended, vectors=vectors) for attended in memory.attended),
            projected=tuple(
                keys and Projected(_floats(keys.keys), _floats(keys.values))
                for keys in self._steps.projected(state)
            ),
        )


class TorchTextRuntime(TorchSteps):
    """A network that reads text."""

    def __init__(self, network: TextNetwork) -> None:
        super().__init__(network)
        self._network = network

    @torch.inference_mode()
    def encode(
        self, sources: Sequence[Tokens], options: EncodeOptions = DEFAULT_OPTIONS, /
    ) -> Encoded:
        """Encode a batch of texts."""
        memory = self._network.encode(*_padded(sources))
        return self._encoded(memory, self._network.start(memory), vectors=options.vectors)


class TorchPictureRuntime(TorchSteps):
    """A network that reads pictures, behind an image encoder that it may share."""

    def __init__(self, network: PictureNetwork, features: FeatureCache) -> None:
        super().__init__(network)
        self._network = network
        self._features = features

    @torch.inference_mode()
    def encode(
        self, sources: Sequence[PictureInput], _options: EncodeOptions = DEFAULT_OPTIONS, /
    ) -> Encoded:
        """Encode a batch of pictures, and the questions about them if there are any."""
        cells = self._features.cells([source.pixels for source in sources])
        features = torch.from_numpy(np.stack(cells))
        if isinstance(self._network, VQANetwork):
            questions = _padded([source.question for source in sources])
            both = self._network.encode(features, *questions)
            return self._encoded(both, self._network.start(both))
        memory = self._network.encode(features)
        seeds = torch.tensor([source.seed for source in sources])
        return self._encoded(memory, self._network.start(memory, seeds))


def load_runtime(folder: Path, threads: int = 1) -> TorchTextRuntime:
    """Load the model in a folder that reads text."""
    torch.set_num_threads(threads)
    return TorchTextRuntime(load_text_network(folder))


def load_picture_runtime(
    folder: Path, features: FeatureCache, threads: int = 1
) -> TorchPictureRuntime:
    """Load the model in a folder that reads pictures."""
    torch.set_num_threads(threads)
    return TorchPictureRuntime(load_picture_network(folder), features)


def load_features(folder: Path, threads: int = 1) -> FeatureCache:
    """Load the image encoder in a folder."""
    torch.set_num_threads(threads)
    encoder = load_image_encoder(folder)

    @torch.inference_mode()
    def encode(pixels: Bytes) -> Floats:
        return _floats(encoder(torch.tensor(pixels).unsqueeze(0))[0])

    return FeatureCache(encode)


def ranked(logits: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Rank logits (N, V): the likeliest tokens, their log-probabilities, and the normalizer."""
    written = logits[:, NEVER_WRITTEN:]
    best, places = written.topk(min(RANKED, written.shape[1]))
    top = best[:, :1]
    normalizer = top + (written - top).exp().sum(dim=1, keepdim=True).log()
    return places + NEVER_WRITTEN, best - normalizer, normalizer[:, 0]


def likely(weights: Tensor, drawn: Tensor) -> Tensor:
    """Return the log-probabilities (N,) of cells (N,) drawn from weights (N, 1, K)."""
    return weights[:, 0].gather(-1, drawn.unsqueeze(-1))[:, 0].log()


def _padded(sources: Sequence[Tokens]) -> Iterator[Tensor]:
    """Pad texts of different lengths to one tensor (B, K); also yields their lengths (B,)."""
    return map(torch.from_numpy, padded(sources).values())


def _drawn(output: StepOutput) -> DrawnCells | None:
    """Return the cells that were drawn, and how likely each was by its weights."""
    if output.drawn is None:
        return None
    log_probabilities = likely(output.attended[0].weights, output.drawn)
    return DrawnCells(_ints(output.drawn), _floats(log_probabilities))


def _attention(attended: attention.Attended, *, vectors: bool) -> Attended:
    scored = Attended(_floats(attended.scores), _floats(attended.weights))
    if not vectors:
        return scored
    keys, values, _ = attended.keys
    return scored._replace(query=_floats(attended.query), key=_floats(keys), value=_floats(values))


def _step_attention(group: MapGroup, attended: attention.Attended) -> Attended:
    scored = Attended(*map(_floats, (attended.scores, attended.weights, attended.query)))
    if group.key != "decoder_input":
        return scored
    keys, values, _ = attended.keys
    # Copied: a view would keep the whole, which grows with every step.
    return scored._replace(
        key=_floats(keys[:, :, -1].clone()), value=_floats(values[:, :, -1].clone())
    )


def _floats(tensor: Tensor) -> Floats:
    array: Floats = tensor.numpy()
    return array


def _ints(tensor: Tensor) -> Ints:
    array: Ints = tensor.numpy()
    return array
