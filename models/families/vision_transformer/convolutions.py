"""The first blocks of the image encoder's network in NumPy, on one picture.

Convolutions are matrix products of all the windows of a map. Shapes: `Y` rows and `X` columns of a
map, `C` channels.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from heed.models.networks.mobilenet import BLOCKS, FIRST, STEM, Shape
from heed.models.pictures.decode import Bytes
from heed.models.runtime.numpy.operations import Linear, Weights, relu
from heed.models.trace import Floats

WHITE = np.float32(127.5)  # half of it: bytes become numbers from −1 to 1


class Convolution:
    """A convolution that pads as TensorFlow's SAME does; `image_encoder.py` has the same."""

    def __init__(
        self, weights: Weights, name: str, read: int, written: int, kernel: int = 1, stride: int = 1
    ) -> None:
        matrix = weights(f"{name}.weight", written, read, kernel, kernel)
        # As the windows are: channels, then rows and columns of the kernel.
        self._linear = Linear(
            matrix.reshape(written, -1).T.copy(), weights(f"{name}.bias", written)
        )
        self._kernel, self._stride = kernel, stride

    def __call__(self, values: Floats) -> Floats:
        """Compute the map (Y, X, C)."""
        if self._kernel == 1:
            return self._linear(values)
        windows = _windows(values, self._kernel, self._stride)
        return self._linear(windows.reshape(*windows.shape[:2], -1))


class Depthwise:
    """A convolution of each channel by itself."""

    def __init__(self, weights: Weights, name: str, wide: int, kernel: int, stride: int) -> None:
        self._weight = weights(f"{name}.weight", wide, 1, kernel, kernel)[:, 0]
        self._bias = weights(f"{name}.bias", wide)
        self._kernel, self._stride = kernel, stride

    def __call__(self, values: Floats) -> Floats:
        """Compute the map (Y, X, C)."""
        windows = _windows(values, self._kernel, self._stride)
        convolved: Floats = np.einsum("yxcij,cij->yxc", windows, self._weight) + self._bias
        return convolved


class Block:
    """1. expand  2. depthwise convolution  3. project linearly (Sandler et al. 2018, 3.3)."""

    def __init__(self, weights: Weights, name: str, read: int, shape: Shape) -> None:
        wide, kernel, stride = shape.wide, shape.kernel, shape.stride
        size = (1, 1) if shape.depthwise else (kernel, stride)
        self._residual = shape.residual
        self._expand = Convolution(weights, f"{name}.expand", read, wide, *size)
        self._depthwise = (
            Depthwise(weights, f"{name}.depthwise", wide, kernel, stride)
            if shape.depthwise
            else None
        )
        self._project = Convolution(weights, f"{name}.project", wide, shape.out)

    def __call__(self, values: Floats) -> Floats:
        """Compute the output (Y, X, C)."""
        widened = relu(self._expand(values))
        around = widened if self._depthwise is None else relu(self._depthwise(widened))
        out = self._project(around)
        return out + values if self._residual else out


class EarlyBlocks:
    """The first blocks of the network, from a picture to the cells of a map."""

    def __init__(self, weights: Weights, name: str, blocks: int) -> None:
        self._stem = Convolution(weights, f"{name}.stem", 3, STEM, 3, 2)
        self._first = Convolution(weights, f"{name}.first", STEM, FIRST)
        widths = [FIRST, *(shape.out for shape in BLOCKS)]
        self._blocks = [
            Block(weights, f"{name}.blocks.{place}", widths[place], BLOCKS[place])
            for place in range(blocks)
        ]

    def __call__(self, picture: Bytes) -> Floats:
        """Compute the cells (Y, X, C) of a picture of 224×224."""
        seen = self._first(relu(self._stem(picture.astype(np.float32) / WHITE - 1)))
        for block in self._blocks:
            seen = block(seen)
        return seen


def _windows(values: Floats, kernel: int, stride: int) -> Floats:
    """Return the window around every `stride`-th place of a map: (Y, X, C, kernel, kernel).

    Just as many zeros are added as the stride needs; the bottom and the right get the larger half.
    """
    sides = []
    for length in values.shape[:2]:
        zeros = max((-(-length // stride) - 1) * stride + kernel - length, 0)
        sides.append((zeros // 2, zeros - zeros // 2))
    padded = np.pad(values, (*sides, (0, 0)))
    windows: Floats = sliding_window_view(padded, (kernel, kernel), axis=(0, 1))
    return windows[::stride, ::stride]
