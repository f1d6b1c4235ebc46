"""The states of the decoders as named tensors, and back.

The inputs of a graph have names: *fixed* tensors stay the same from step to step (the keys),
*moving* ones change with each step (the state proper).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol, TypeVar

from torch import Tensor

from heed.models.config import (
    NetworkConfig,
    RecurrentCaptionerConfig,
    RecurrentConfig,
    TransformerCaptionerConfig,
    TransformerConfig,
    VQAConfig,
)
from heed.models.networks.attention import Keys
from heed.models.networks.captioners import CaptionerState
from heed.models.networks.decoders import DecoderState
from heed.models.networks.transformer import TransformerState
from heed.models.networks.vqa import VQAState
from heed.models.runtime.onnx.graph_signature import GUMBEL, WRITTEN

CROSS = "cross_"  # the memory as projected by a layer

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

    def fixed(self, state: TransformerState) -> dict[str, Tensor]:
        """Name the memory as projected by each layer."""
        named: dict[str, Tensor] = {}
        for layer, keys in enumerate(state.cross):
            named |= _named(f"{CROSS}{layer}_", keys._replace(mask=None))
        mask = state.cross[0].mask
        return named if mask is None else {**named, "mask": mask}

    def moving(self, state: TransformerState) -> dict[str, Tensor]:
        """Name the keys and values of the tokens written so far, by layer."""
        empty = state.cross[0].keys[:, :, :0]  # of as many heads, each as wide
        nothing = Keys(empty, empty.clone(), None)
        named: dict[str, Tensor] = {}
        for layer, written in enumerate(state.written or [nothing] * len(state.cross)):
            named |= _named(f"{WRITTEN}{layer}_", written)
        return named

    def joined(self, fixed: Named, moving: Named) -> TransformerState:
        """Build the state from its tensors."""
        mask = fixed.get("mask")
        layers = range(sum(name.startswith(CROSS) and name.endswith("_keys") for name in fixed))
        return TransformerState(
            tuple(_keys(f"{CROSS}{layer}_", fixed)._replace(mask=mask) for layer in layers),
            tuple(_keys(f"{WRITTEN}{layer}_", moving) for layer in layers),
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


STATES: Final[Mapping[type[NetworkConfig], States[Any]]] = {
    RecurrentConfig: RecurrentStates(),
    TransformerConfig: TransformerStates(),
    RecurrentCaptionerConfig: RecurrentCaptionerStates(),
    TransformerCaptionerConfig: TransformerStates(),
    VQAConfig: VQAStates(),
}
"""The conversion of each family that is exported (`supported.py`)."""


def _named(prefix: str, keys: Keys) -> dict[str, Tensor]:
    """Name keys; values that are the keys themselves have no name of their own."""
    named = {f"{prefix}keys": keys.keys}
    if keys.values is not keys.keys:
        named[f"{prefix}values"] = keys.values
    return named if keys.mask is None else {**named, f"{prefix}mask": keys.mask}


def _keys(prefix: str, named: Named) -> Keys:
    keys = named[f"{prefix}keys"]
    return Keys(keys, named.get(f"{prefix}values", keys), named.get(f"{prefix}mask"))
