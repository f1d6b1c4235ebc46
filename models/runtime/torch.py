"""PyTorch behind the two calls of `Runtime`: the reference, and where training comes from.

Shapes: `N` rows, `B` texts or pictures, `H` heads, `K` what is looked at, `D` width.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from heed.models.checkpoint import load_image_encoder, load_image_network, load_text_network
from heed.models.images.read import Bytes
from heed.models.networks import attention
from heed.models.networks.decoders import StepOutput
from heed.models.networks.encoders import Memory
from heed.models.networks.vqa import Asked, VQANetwork
from heed.models.registry import ImageNetwork, Network, TextNetwork
from heed.models.runtime.feature_cache import FeatureCache
from heed.models.runtime.protocol import (
    NEVER_WRITTEN,
    RANKED,
    Attended,
    DrawnCells,
    Encoded,
    ImageInput,
    Ints,
    MapGroup,
    Projected,
    Ranking,
    Step,
    Tokens,
    padded,
)

State = Any  # each network has a state of its own


class TorchSteps:
    """What is the same whatever was read: the groups of maps, and the steps."""

    def __init__(self, network: Network) -> None:
        self._network = network.eval()

    @property
    def encode_groups(self) -> tuple[MapGroup, ...]:
        """The self-attention of the encoder's layers, if it has any."""
        return self._network.encode_groups

    @property
    def step_groups(self) -> tuple[MapGroup, ...]:
        """The attention of the decoder's layers, if it has any."""
        return self._network.step_groups

    @torch.inference_mode()
    def step(self, state: State, rows: Ints, tokens: Ints) -> tuple[Step, State]:
        """Go on from these rows, each fed its token."""
        state = state.select(torch.from_numpy(rows))
        advanced, state = self._network.advance(torch.from_numpy(tokens), state)
        logits = self._network.predict(advanced.readout)
        step = Step(
            logits=_array(logits),
            ranking=Ranking(*map(_array, ranked(logits))),
            attended=tuple(map(_step_told, self.step_groups, advanced.attended)),
            query=_array(advanced.query),
            context=_array(advanced.context),
            state=_array(advanced.hidden),
            gates=None if advanced.gate is None else _array(advanced.gate),
            drawn=_drawn(advanced),
        )
        return step, state

    def _encoded(
        self, memory: Memory | Asked, state: State, *, vectors: bool = False
    ) -> Encoded[State]:
        return Encoded(
            state=state,
            memory=_array(memory.states),
            attended=tuple(_told(each, vectors=vectors) for each in memory.attended),
            projected=tuple(
                keys and Projected(_array(keys.keys), _array(keys.values))
                for keys in self._network.projected(state)
            ),
        )


class TorchTextRuntime(TorchSteps):
    """A network that reads text, asked in NumPy and answered in NumPy."""

    def __init__(self, network: TextNetwork) -> None:
        super().__init__(network)
        self._reader = network

    @torch.inference_mode()
    def encode(self, sources: Sequence[Tokens], *, vectors: bool = False) -> Encoded[State]:
        """Read a batch of texts."""
        memory = self._reader.encode(*_padded(sources))
        return self._encoded(memory, self._reader.start(memory), vectors=vectors)


class TorchImageRuntime(TorchSteps):
    """A network that looks at pictures, behind eyes that it may share with others."""

    def __init__(self, network: ImageNetwork, sight: FeatureCache[Tensor]) -> None:
        super().__init__(network)
        self._looker = network
        self._sight = sight

    @torch.inference_mode()
    def encode(self, sources: Sequence[ImageInput], *, vectors: bool = False) -> Encoded[State]:
        """Look at a batch of pictures, and read the questions about them if there are any."""
        del vectors  # the cells do not look at each other, nor do the words of a question
        cells = torch.stack(self._sight.cells([look.pixels for look in sources]))
        if isinstance(self._looker, VQANetwork):
            asked = self._looker.encode(cells, *_padded([look.question for look in sources]))
            return self._encoded(asked, self._looker.start(asked))
        memory = self._looker.encode(cells)
        seeds = torch.tensor([look.seed for look in sources])
        return self._encoded(memory, self._looker.start(memory, seeds))


def load_runtime(folder: Path, threads: int = 1) -> TorchTextRuntime:
    """The model in a folder. `threads` are PyTorch's own, for the whole process."""
    torch.set_num_threads(threads)
    return TorchTextRuntime(load_text_network(folder))


def load_image_runtime(
    folder: Path, sight: FeatureCache[Tensor], threads: int = 1
) -> TorchImageRuntime:
    """The model in a folder that looks at pictures, with its eyes."""
    torch.set_num_threads(threads)
    return TorchImageRuntime(load_image_network(folder), sight)


def load_features(folder: Path, threads: int = 1) -> FeatureCache[Tensor]:
    """The eyes in a folder."""
    torch.set_num_threads(threads)
    eyes = load_image_encoder(folder)

    @torch.inference_mode()
    def look(pixels: Bytes) -> Tensor:
        cells: Tensor = eyes(torch.tensor(pixels).unsqueeze(0))[0]
        return cells

    return FeatureCache(look)


def ranked(logits: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The likeliest tokens, their log-probabilities, and the normalizer, of logits (N, V)."""
    written = logits[:, NEVER_WRITTEN:]
    best, places = written.topk(min(RANKED, written.shape[1]))
    top = best[:, :1]
    normalizer = top + (written - top).exp().sum(dim=1, keepdim=True).log()
    return places + NEVER_WRITTEN, best - normalizer, normalizer[:, 0]


def likely(weights: Tensor, drawn: Tensor) -> Tensor:
    """The log-probabilities (N,) of cells (N,) that were drawn by weights (N, 1, K)."""
    return weights[:, 0].gather(-1, drawn.unsqueeze(-1))[:, 0].log()


def _padded(sources: Sequence[Tokens]) -> Iterator[Tensor]:
    """Texts of different lengths as one tensor (B, K), and their lengths (B,)."""
    return map(torch.from_numpy, padded(sources).values())


def _drawn(advanced: StepOutput) -> DrawnCells | None:
    """What was drawn, and how likely it was by the weights it was drawn from."""
    if advanced.drawn is None:
        return None
    log_probabilities = likely(advanced.attended[0].weights, advanced.drawn)
    return DrawnCells(_array(advanced.drawn), _array(log_probabilities))


def _told(attended: attention.Attended, *, vectors: bool) -> Attended:
    told = Attended(_array(attended.scores), _array(attended.weights))
    if not vectors:
        return told
    keys, values, _ = attended.keys
    return told._replace(query=_array(attended.query), key=_array(keys), value=_array(values))


def _step_told(group: MapGroup, attended: attention.Attended) -> Attended:
    told = Attended(*map(_array, (attended.scores, attended.weights, attended.query)))
    if group.key != "decoder_input":
        return told
    keys, values, _ = attended.keys
    # Copied: a part of them would keep the whole, which is longer with every step.
    return told._replace(key=_array(keys[:, :, -1].clone()), value=_array(values[:, :, -1].clone()))


def _array(tensor: Tensor) -> Any:
    return tensor.numpy()
