"""The operations of the networks that NumPy runs, named as in PyTorch, and their weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from heed.models import checkpoint
from heed.models.errors import CheckpointError
from heed.models.trace import Floats

EPSILON = np.float32(1e-5)  # of a layer norm, as in PyTorch


class Weights:
    """The tensors of a checkpoint by name and shape, as 32-bit floats."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tensors = checkpoint.tensors(folder)

    def __call__(self, name: str, *shape: int) -> Floats:
        """Return the tensor of this name, or raise `CheckpointError` if it has another shape."""
        tensor = self._tensors.get(name)
        if tensor is None or tensor.shape != shape:
            raise CheckpointError(f"{self._folder} cannot be read: it has no {name} {shape}")
        return tensor.astype(np.float32)

    def rows(self, name: str, places: Sequence[int], width: int) -> Floats:
        """Return some rows of a matrix of this width, such as those of tokens."""
        tensor = self._tensors.get(name)
        if tensor is None or tensor.shape[1:] != (width,):
            raise CheckpointError(f"{self._folder} cannot be read: it has no {name} of {width}")
        return tensor[np.asarray(places)].astype(np.float32)

    def norm(self, name: str, width: int) -> Norm:
        """Return the layer norm of this name."""
        return Norm(self(f"{name}.weight", width), self(f"{name}.bias", width))

    def linear(self, name: str, outputs: int, inputs: int) -> Linear:
        """Return the linear layer of this name."""
        return Linear(
            self(f"{name}.weight", outputs, inputs).T.copy(), self(f"{name}.bias", outputs)
        )


class Linear(NamedTuple):
    """A linear layer."""

    weight: Floats  # (inputs, outputs)
    bias: Floats  # (outputs,)

    def __call__(self, inputs: Floats) -> Floats:
        """Return `inputs` W + b."""
        outputs: Floats = inputs @ self.weight + self.bias
        return outputs


class Norm(NamedTuple):
    """A layer norm."""

    weight: Floats  # (width,)
    bias: Floats  # (width,)

    def __call__(self, inputs: Floats) -> Floats:
        """Normalise the last axis, then scale and shift it."""
        centred = inputs - inputs.mean(axis=-1, keepdims=True)
        variance = np.square(centred).mean(axis=-1, keepdims=True)
        outputs: Floats = centred / np.sqrt(variance + EPSILON) * self.weight + self.bias
        return outputs


def relu(values: Floats) -> Floats:
    """Set negative values to zero."""
    return np.maximum(values, np.float32(0))


def sigmoid(values: Floats) -> Floats:
    """Return 1 / (1 + e⁻ˣ), by a tangent that cannot overflow."""
    opened: Floats = np.float32(0.5) * (1 + np.tanh(values / 2))
    return opened


def softmax(scores: Floats) -> Floats:
    """Return the weights of the scores along the last axis."""
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return weights


def log_softmax(scores: Floats) -> Floats:
    """Return the logarithm of the weights, exact where they are too small for 32 bits."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    logarithms: Floats = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return logarithms


def leaky_relu(values: Floats, slope: float = 0.2) -> Floats:
    """Multiply negative values by the slope."""
    return np.maximum(values, np.float32(slope) * values)


def elu(values: Floats) -> Floats:
    """Return eˣ - 1 of negative values, and the others as they are."""
    return np.where(values > 0, values, np.expm1(np.minimum(values, np.float32(0))))
