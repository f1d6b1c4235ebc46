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

from heed.models.checkpoint import (
    WEIGHTS,
    load_image_encoder,
    load_picture_network,
    load_text_network,
)
from heed.models.networks import attention
from heed.models.networks.attention import Keys, StepEdit
from heed.models.networks.decoders import StepOutput
from heed.models.networks.encoders import EncoderStates
from heed.models.networks.map_group import MapGroup
from heed.models.networks.vqa import VQAEncoderStates, VQANetwork
from heed.models.pictures.decode import Bytes
from heed.models.registry import PictureNetwork, StepNetwork, TextNetwork
from heed.models.runtime.edited import Plans, edited_weights, given_gates
from heed.models.runtime.feature_cache import FeatureCache
from heed.models.runtime.protocol import (
    DEFAULT_OPTIONS,
    NEVER_WRITTEN,
    RANKED,
    Attended,
    DrawnCells,
    Editing,
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

    def advance(
        self, token: Tensor, state: NetworkState, edit: StepEdit | None = None
    ) -> tuple[StepOutput, NetworkState]:
        """Take one step after the token (B,)."""

    def predict(self, readout: Tensor) -> Tensor:
        """Compute logits (B, V) from readouts (B, D)."""

    def projected(self, state: NetworkState, /) -> tuple[Keys | None, ...]:
        """Return the projected memory of each group of heads."""

    def value_vectors(self, state: NetworkState, /) -> tuple[Tensor | None, ...]:
        """Return what each key adds to the context, for each group of heads."""


class TorchState:
    """The state of a network, opaque to the search, and the edits of its rows."""

    __slots__ = ("edits", "network", "steps")

    def __init__(self, network: NetworkState, edits: Plans = (), steps: int = 0) -> None:
        self.network, self.edits, self.steps = network, edits, steps


class TorchSteps:
    """The maps and the steps of a network, the same for texts and pictures."""

    def __init__(self, network: StepNetwork) -> None:
        self.encode_groups: tuple[MapGroup, ...] = network.eval().encode_groups
        self.step_groups: tuple[MapGroup, ...] = network.step_groups
        self.editing = Editing(
            hides_end=getattr(network.config, "end_hidden", False), gated=hasattr(network, "gate")
        )
        # A union of networks, each with a state of its own; a network gets only what it made.
        self._steps = cast(Decoder, network)

    @torch.inference_mode()
    def step(
        self, state: object, rows: Ints, tokens: Ints, edits: Plans = ()
    ) -> tuple[Step, TorchState]:
        """Continue these rows, each with its last token, under its own edits if any are given."""
        if not isinstance(state, TorchState):
            raise foreign_state(state)
        selected = state.network.select(torch.from_numpy(rows))
        lasting = [state.edits[row] for row in rows] if state.edits else ()
        edit = step_edit(self.step_groups, edits or lasting, state.steps)
        output, after = self._steps.advance(torch.from_numpy(tokens), selected, edit)
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
        return step, TorchState(after, lasting, state.steps + 1)

    @torch.inference_mode()
    def value_vectors(self, state: object) -> tuple[Floats | None, ...]:
        """Return what each key adds to the output of its head (B, H, K, D)."""
        if not isinstance(state, TorchState):
            raise foreign_state(state)
        made = self._steps.value_vectors(state.network)
        return tuple(None if vectors is None else _floats(vectors) for vectors in made)

    def _encoded(
        self,
        encoder_states: EncoderStates | VQAEncoderStates,
        state: NetworkState,
        options: EncodeOptions = DEFAULT_OPTIONS,
    ) -> Encoded:
        return Encoded(
            state=TorchState(state, options.edits),
            memory=_floats(encoder_states.states),
            attended=tuple(
                _attention(attended, vectors=options.vectors)
                for attended in encoder_states.attended
            ),
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
        edit = step_edit(self.encode_groups, options.edits)
        texts, lengths = _padded(sources)
        encoder_states = self._network.encode(texts, lengths, edit)
        return self._encoded(encoder_states, self._network.start(encoder_states), options)


class TorchPictureRuntime(TorchSteps):
    """A network that reads pictures, behind an image encoder that it may share."""

    def __init__(self, network: PictureNetwork, features: FeatureCache) -> None:
        super().__init__(network)
        self._network = network
        self.features = features

    @torch.inference_mode()
    def encode(
        self, sources: Sequence[PictureInput], options: EncodeOptions = DEFAULT_OPTIONS, /
    ) -> Encoded:
        """Encode a batch of pictures, and the questions about them if there are any."""
        cells = self.features.of(sources)
        features = torch.from_numpy(np.stack(cells))
        if isinstance(self._network, VQANetwork):
            questions = _padded([source.question for source in sources])
            both = self._network.encode(features, *questions)
            return self._encoded(both, self._network.start(both), options)
        encoder_states = self._network.encode(features)
        seeds = torch.tensor([source.seed for source in sources])
        return self._encoded(encoder_states, self._network.start(encoder_states, seeds), options)


def load_runtime(folder: Path, threads: int = 1, file: str = WEIGHTS) -> TorchTextRuntime:
    """Load the model in a folder that reads text."""
    torch.set_num_threads(threads)
    return TorchTextRuntime(load_text_network(folder, file))


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


def step_edit(groups: Sequence[MapGroup], plans: Plans, first: int = 0) -> StepEdit | None:
    """Return the edits of these groups; None if there are none. `first` is the first query."""
    if not any(plans):
        return None

    def edit(place: int, scores: Tensor) -> tuple[Tensor, Tensor]:
        weights = attention.softmax(scores)
        edited, drawn_by = edited_weights(
            _floats(scores), _floats(weights), groups[place], plans, first
        )
        return torch.from_numpy(edited), torch.from_numpy(drawn_by)

    gates = given_gates(plans, first)
    return StepEdit(edit, None if gates is None else torch.from_numpy(gates))


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
    attended = output.attended[0]
    weights = attended.weights if attended.drawn_by is None else attended.drawn_by
    log_probabilities = likely(weights, output.drawn)
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
