"""PyTorch behind the two calls of `Runtime`: the reference, and where training comes from.

Shapes: `N` rows, `B` texts, `H` heads, `K` source tokens, `D` width.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

from models import attention
from models.checkpoint import load_network
from models.decoders import DecoderState
from models.networks import Network
from models.runtime import Attended, Encoded, Ints, MapGroup, Step
from models.trace import Floats
from models.transformer import TransformerState

State = DecoderState | TransformerState


class TorchRuntime:
    """A network, asked in NumPy and answered in NumPy."""

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
    def encode(self, sources: Sequence[Sequence[int]]) -> Encoded[State]:
        """Read a batch of texts."""
        lengths = torch.tensor([len(source) for source in sources])
        padded = torch.zeros(len(sources), int(lengths.max()), dtype=torch.long)
        for row, source in enumerate(sources):
            padded[row, : len(source)] = torch.tensor(source)
        memory = self._network.encode(padded, lengths)
        return Encoded(self._network.start(memory), _array(memory.states), _arrays(memory.attended))

    @torch.inference_mode()
    def step(self, state: State, rows: Ints, tokens: Ints) -> tuple[Step, State]:
        """Go on from these rows, each fed its token."""
        state = state.select(torch.from_numpy(rows))
        advanced, state = self._network.advance(torch.from_numpy(tokens), state)  # type: ignore[arg-type]
        step = Step(
            logits=_array(self._network.predict(advanced.readout)),
            attended=_arrays(advanced.attended),
            query=_array(advanced.query),
            context=_array(advanced.context),
            state=_array(advanced.hidden),
        )
        return step, state


def load_runtime(folder: Path, threads: int = 1) -> TorchRuntime:
    """The model in a folder. `threads` are PyTorch's own, for the whole process."""
    torch.set_num_threads(threads)
    return TorchRuntime(load_network(folder))


def _arrays(attended: Sequence[attention.Attended]) -> tuple[Attended, ...]:
    return tuple(Attended(_array(each.scores), _array(each.weights)) for each in attended)


def _array(tensor: Tensor) -> Floats:
    array: Floats = tensor.numpy()
    return array
