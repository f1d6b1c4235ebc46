"""The states of the decoders as named tensors, and back.

The inputs of a graph have names: *fixed* tensors stay the same from step to step (the keys),
*moving* ones change with each step (the state proper).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeVar

from torch import Tensor

from heed.models.networks.attention import Keys
from heed.models.networks.captioning import CaptionerState, RecurrentCaptioner
from heed.models.networks.decoders import DecoderState
from heed.models.networks.seq2seq import Seq2Seq
from heed.models.networks.transformer import Transformer, TransformerState
from heed.models.networks.vqa import VQANetwork, VQAState
from heed.models.registry import Network
from heed.models.runtime.onnx.graph_signature import GUMBEL, WRITTEN

Named = Mapping[str, Tensor]
State = TypeVar("State")


class States(Protocol[State]):
    """The conversion of one family's states to named tensors, and back."""

    def fixed(self, state: State) -> dict[str, Tensor]:
        """Name the tensors that no step changes."""

    def moving(self, state: State) -> dict[str, Tensor]:
        """Name the tensors that every step changes."""

    def joined(self, fixed: Named, moving: Named) -> State:
        """Build the state from its tensors."""


class RecurrentStates:
    """The states of `RecurrentDecoder`; parts that a configuration lacks have no name."""

    def fixed(self, state: DecoderState) -> dict[str, Tensor]:
        """Name the keys."""
        return _named("", state.keys)

    def moving(self, state: DecoderState) -> dict[str, Tensor]:
        """Name the state of each layer, and the attentional vector."""
        made = {"hidden": state.hidden, "cell": state.cell, "feed": state.feed}
        return {name: value for name, value in made.items() if value.numel()}

    def joined(self, fixed: Named, moving: Named) -> DecoderState:
        """Build the state from its tensors."""
        hidden = moving["hidden"]
        return DecoderState(
            keys=_keys("", fixed),
            hidden=hidden,
            cell=moving.get("cell", hidden[:, :, :0]),
            feed=moving.get("feed", hidden[:, 0, :0]),
        )


class TransformerStates:
    """The states of `Transformer`: keys and values of each layer, of source and target.

    The mask of the source is the same for all layers.
    """

    def __init__(self, layers: int, heads: int, width: int) -> None:
        self._layers = range(layers)
        self._nothing = (heads, 0, width // heads)

    def fixed(self, state: TransformerState) -> dict[str, Tensor]:
        """Name the memory as projected by each layer."""
        named: dict[str, Tensor] = {}
        for layer in self._layers:
            named |= _named(f"cross_{layer}_", state.cross[layer]._replace(mask=None))
        mask = state.cross[0].mask
        return named if mask is None else {**named, "mask": mask}

    def moving(self, state: TransformerState) -> dict[str, Tensor]:
        """Name the keys and values of the tokens written so far, by layer."""
        read = state.cross[0].keys
        empty = read.new_zeros(len(read), *self._nothing)
        nothing = Keys(empty, empty.clone(), None)
        named: dict[str, Tensor] = {}
        for layer in self._layers:
            written = state.written[layer] if state.written else nothing
            named |= _named(f"{WRITTEN}{layer}_", written)
        return named

    def joined(self, fixed: Named, moving: Named) -> TransformerState:
        """Build the state from its tensors."""
        mask = fixed.get("mask")
        return TransformerState(
            tuple(_keys(f"cross_{layer}_", fixed)._replace(mask=mask) for layer in self._layers),
            tuple(_keys(f"{WRITTEN}{layer}_", moving) for layer in self._layers),
        )


class RecurrentCaptionerStates:
    """The states of `RecurrentCaptioner`: no mask; noise only for hard attention."""

    def fixed(self, state: CaptionerState) -> dict[str, Tensor]:
        """Name the keys and the noise."""
        noise = {GUMBEL: state.noise} if state.noise.numel() else {}
        return {**_named("", state.keys._replace(mask=None)), **noise}

    def moving(self, state: CaptionerState) -> dict[str, Tensor]:
        """Name the state proper, and the count of steps that indexes the noise."""
        steps = {"steps": state.steps} if state.noise.numel() else {}
        return {"hidden": state.hidden, **steps}

    def joined(self, fixed: Named, moving: Named) -> CaptionerState:
        """Build the state from its tensors."""
        hidden = moving["hidden"]
        return CaptionerState(
            keys=_keys("", fixed),
            hidden=hidden,
            noise=fixed.get(GUMBEL, hidden[:, None, :0]),
            steps=moving.get("steps", hidden[:, 0].long()),
        )


class VQAStates:
    """The states of `VQANetwork`."""

    def fixed(self, state: VQAState) -> dict[str, Tensor]:
        """Name the keys of the picture and of the question."""
        cells = _named("cells_", state.cells._replace(mask=None))
        return {**cells, **_named("question_", state.question)}

    def moving(self, state: VQAState) -> dict[str, Tensor]:
        """Name the state proper."""
        return {"hidden": state.hidden}

    def joined(self, fixed: Named, moving: Named) -> VQAState:
        """Build the state from its tensors."""
        return VQAState(_keys("cells_", fixed), _keys("question_", fixed), moving["hidden"])


AnyStates = RecurrentCaptionerStates | VQAStates | RecurrentStates | TransformerStates


def states_of(network: Network) -> AnyStates:
    """Return the conversion for the states of this network."""
    match network:
        case RecurrentCaptioner():
            return RecurrentCaptionerStates()
        case VQANetwork():
            return VQAStates()
        case Seq2Seq():
            return RecurrentStates()
        case Transformer():
            shape = network.config
            return TransformerStates(shape.decoder_layers, shape.heads, shape.width)


def _named(prefix: str, keys: Keys) -> dict[str, Tensor]:
    """Name keys; values that are the keys themselves have no name of their own."""
    named = {f"{prefix}keys": keys.keys}
    if keys.values is not keys.keys:
        named[f"{prefix}values"] = keys.values
    return named if keys.mask is None else {**named, f"{prefix}mask": keys.mask}


def _keys(prefix: str, named: Named) -> Keys:
    keys = named[f"{prefix}keys"]
    return Keys(keys, named.get(f"{prefix}values", keys), named.get(f"{prefix}mask"))
