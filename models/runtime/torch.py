"""PyTorch behind the two calls of `Runtime`: the reference, and where training comes from.

Shapes: `N` rows, `B` texts, `H` heads, `K` source tokens, `D` width.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

from models import attention
from models.checkpoint import load_text_network
from models.decoders import DecoderState
from models.networks import TextNetwork
from models.runtime import Attended, Encoded, Ints, MapGroup, Projected, Step
from models.trace import Floats
from models.transformer import TransformerState

State = DecoderState | TransformerState


class TorchRuntime:
    """A network, asked in NumPy and answered in NumPy."""

    def __init__(self, network: TextNetwork) -> None:
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
        state = self._network.start(memory)
        return Encoded(
            state=state,
            memory=_array(memory.states),
            attended=tuple(_told(each) for each in memory.attended),
            projected=tuple(
                keys and Projected(_array(keys.keys), _array(keys.values))
                for keys in self._network.projected(state)  # type: ignore[arg-type]
            ),
        )

    @torch.inference_mode()
    def step(self, state: State, rows: Ints, tokens: Ints) -> tuple[Step, State]:
        """Go on from these rows, each fed its token."""
        state = state.select(torch.from_numpy(rows))
        advanced, state = self._network.advance(torch.from_numpy(tokens), state)  # type: ignore[arg-type]
        step = Step(
            logits=_array(self._network.predict(advanced.readout)),
            attended=tuple(
                _told(each)._replace(query=_array(each.query)) for each in advanced.attended
            ),
            query=_array(advanced.query),
            context=_array(advanced.context),
            state=_array(advanced.hidden),
        )
        return step, state


def load_runtime(folder: Path, threads: int = 1) -> TorchRuntime:
    """The model in a folder. `threads` are PyTorch's own, for the whole process."""
    torch.set_num_threads(threads)
    return TorchRuntime(load_text_network(folder))


def _told(attended: attention.Attended) -> Attended:
    return Attended(_array(attended.scores), _array(attended.weights))


def _array(tensor: Tensor) -> Floats:
    array: Floats = tensor.numpy()
    return array
