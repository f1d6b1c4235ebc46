"""The states of the decoders, taken apart into named tensors and put together again.

A graph is given everything by name: what stays as it is from step to step (*fixed*: the keys) and
what each step makes anew (*moving*: the state proper).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from torch import Tensor

from heed.models.networks.attention import Keys
from heed.models.networks.captioning import CaptionerState, RecurrentCaptioner
from heed.models.networks.decoders import DecoderState
from heed.models.networks.seq2seq import Seq2Seq
from heed.models.networks.transformer import TransformerState
from heed.models.networks.vqa import VQANetwork, VQAState
from heed.models.registry import Network
from heed.models.runtime.onnx.graph_signature import WRITTEN

Named = Mapping[str, Tensor]


class States(Protocol):
    """How the state of one family of networks is taken apart."""

    def fixed(self, state: Any) -> dict[str, Tensor]:
        """What no step changes."""

    def moving(self, state: Any) -> dict[str, Tensor]:
        """What every step makes anew."""

    def joined(self, fixed: Named, moving: Named) -> Any:
        """The state that was taken apart."""


class RecurrentStates:
    """Those of `RecurrentDecoder`. What a configuration does without has no name."""

    def fixed(self, state: DecoderState) -> dict[str, Tensor]:
        """The keys."""
        return _named("", state.keys)

    def moving(self, state: DecoderState) -> dict[str, Tensor]:
        """The state of each layer, and what is fed back."""
        made = {"hidden": state.hidden, "cell": state.cell, "feed": state.feed}
        return {name: value for name, value in made.items() if value.numel()}

    def joined(self, fixed: Named, moving: Named) -> DecoderState:
        """The state that was taken apart."""
        hidden = moving["hidden"]
        return DecoderState(
            keys=_keys("", fixed),
            hidden=hidden,
            cell=moving.get("cell", hidden[:, :, :0]),
            feed=moving.get("feed", hidden[:, 0, :0]),
        )


class TransformerStates:
    """Those of `Transformer`: keys and values of each layer, of what is read and what is written.

    The mask of what is read is the same for all layers.
    """

    def __init__(self, layers: int, heads: int, width: int) -> None:
        self._layers = range(layers)
        self._nothing = (heads, 0, width // heads)

    def fixed(self, state: TransformerState) -> dict[str, Tensor]:
        """The memory, as each layer has it."""
        named: dict[str, Tensor] = {}
        for layer in self._layers:
            named |= _named(f"cross_{layer}_", state.cross[layer]._replace(mask=None))
        mask = state.cross[0].mask
        return named if mask is None else {**named, "mask": mask}

    def moving(self, state: TransformerState) -> dict[str, Tensor]:
        """What was written so far, as each layer has it."""
        read = state.cross[0].keys
        empty = read.new_zeros(len(read), *self._nothing)
        nothing = Keys(empty, empty.clone(), None)
        named: dict[str, Tensor] = {}
        for layer in self._layers:
            written = state.written[layer] if state.written else nothing
            named |= _named(f"{WRITTEN}{layer}_", written)
        return named

    def joined(self, fixed: Named, moving: Named) -> TransformerState:
        """The state that was taken apart."""
        mask = fixed.get("mask")
        return TransformerState(
            tuple(_keys(f"cross_{layer}_", fixed)._replace(mask=mask) for layer in self._layers),
            tuple(_keys(f"{WRITTEN}{layer}_", moving) for layer in self._layers),
        )


class RecurrentCaptionerStates:
    """Those of `RecurrentCaptioner`: no mask, for all cells exist; only a hard model draws."""

    def fixed(self, state: CaptionerState) -> dict[str, Tensor]:
        """The keys, and what draws the cells."""
        luck = {"luck": state.luck} if state.luck.numel() else {}
        return {**_named("", state.keys._replace(mask=None)), **luck}

    def moving(self, state: CaptionerState) -> dict[str, Tensor]:
        """The state proper, and the count of steps that luck goes by."""
        steps = {"steps": state.steps} if state.luck.numel() else {}
        return {"hidden": state.hidden, **steps}

    def joined(self, fixed: Named, moving: Named) -> CaptionerState:
        """The state that was taken apart."""
        hidden = moving["hidden"]
        return CaptionerState(
            keys=_keys("", fixed),
            hidden=hidden,
            luck=fixed.get("luck", hidden[:, None, :0]),
            steps=moving.get("steps", hidden[:, 0].long()),
        )


class VQAStates:
    """Those of `VQANetwork`."""

    def fixed(self, state: VQAState) -> dict[str, Tensor]:
        """The keys of the picture and of the question."""
        cells = _named("cells_", state.cells._replace(mask=None))
        return {**cells, **_named("question_", state.question)}

    def moving(self, state: VQAState) -> dict[str, Tensor]:
        """The state proper."""
        return {"hidden": state.hidden}

    def joined(self, fixed: Named, moving: Named) -> VQAState:
        """The state that was taken apart."""
        return VQAState(_keys("cells_", fixed), _keys("question_", fixed), moving["hidden"])


def states_of(network: Network) -> States:
    """How the states of this network are taken apart."""
    match network:
        case RecurrentCaptioner():
            return RecurrentCaptionerStates()
        case VQANetwork():
            return VQAStates()
        case Seq2Seq():
            return RecurrentStates()
    shape = network.config
    return TransformerStates(shape.decoder_layers, shape.heads, shape.width)


def _named(prefix: str, keys: Keys) -> dict[str, Tensor]:
    """Keys by name; values that are the keys themselves have no name of their own."""
    named = {f"{prefix}keys": keys.keys}
    if keys.values is not keys.keys:
        named[f"{prefix}values"] = keys.values
    return named if keys.mask is None else {**named, f"{prefix}mask": keys.mask}


def _keys(prefix: str, named: Named) -> Keys:
    keys = named[f"{prefix}keys"]
    return Keys(keys, named.get(f"{prefix}values", keys), named.get(f"{prefix}mask"))
