"""The image encoder on the kernels (conv.c): from a picture to its cells."""

from __future__ import annotations

import ctypes
from typing import Final

import numpy as np
from numpy.typing import NDArray

from heed.models.networks.mobilenet import BLOCKS, CELLS, DEEP, FIRST, MIDDLE, STEM, WIDENED, Shape
from heed.models.pictures.decode import SIDE, Bytes
from heed.models.runtime.native import kernels as c
from heed.models.runtime.native.workspace import Tensors
from heed.models.trace import Floats

TILE: Final = 4  # as in conv.c
TRANSFORM: Final = np.array(  # Lavin and Gray 2016, section 4.3: G of F(4 x 4, 3 x 3)
    [
        [1 / 4, 0, 0],
        [-1 / 6, -1 / 6, -1 / 6],
        [-1 / 6, 1 / 6, -1 / 6],
        [1 / 24, 1 / 12, 1 / 6],
        [1 / 24, -1 / 12, 1 / 6],
        [0, 0, 1],
    ]
)


class NativeImageEncoder:
    """MobileNet EdgeTPU, and the cells of both maps (`networks.image_encoder.ImageEncoder`)."""

    def __init__(self, kernel: ctypes.CDLL, weights: Tensors, threads: int = 1) -> None:
        self._kernel, self._held = kernel, c.KeepAlive()
        self._weights = weights
        self._width = weights.shape("cells.middle.weight")[0]
        stages, read, side = (c.Stage * len(BLOCKS))(), FIRST, SIDE // 2
        for place, shape in enumerate(BLOCKS):
            stages[place] = self._stage(f"backbone.blocks.{place}.", shape, read, side)
            read, side = shape.out, side // shape.stride
        ones, zeros = (fill(self._width, np.float16) for fill in (np.ones, np.zeros))
        deep = weights("cells.deep.weight", self._width, DEEP, 1, 1)
        self._net = c.ImageEncoder(
            stem=self._laid_flat("backbone.stem.", STEM, 3, 3),
            first=self._laid_flat("backbone.first.", FIRST, STEM),
            last=self._laid_flat("backbone.last.", DEEP, read),
            middle=self._laid_flat("cells.middle.", self._width, MIDDLE),
            deep=self._held.linear(deep[:, :, 0, 0]),
            stages=stages,
            norm=self._held.norm(ones, zeros),
            count=len(BLOCKS),
            widened=WIDENED,
            side=SIDE,
            threads=threads,
        )

    def encode(self, pixels: Bytes) -> Floats:
        """Compute the cells (K, D) of a picture."""
        if pixels.shape != (SIDE, SIDE, 3) or pixels.dtype != np.uint8:
            raise ValueError(f"expected a picture of {SIDE} x {SIDE} bytes in three colours")
        pixels = np.ascontiguousarray(pixels)
        cells = np.empty((CELLS, self._width), np.float32)
        self._kernel.heed_encode_image(self._net, c.address(pixels), c.address(cells))
        return cells

    def _stage(self, name: str, shape: Shape, read: int, side: int) -> c.Stage:
        wide, held = shape.wide, self._held
        project = self._laid_flat(f"{name}project.", shape.out, wide)
        stage = c.Stage(
            project=project,
            read=read,
            wide=wide,
            kernel=shape.kernel,
            stride=shape.stride,
            residual=shape.residual,
        )
        if shape.depthwise:
            stage.expand = self._laid_flat(f"{name}expand.", wide, read)
            depthwise = self._weights(f"{name}depthwise.weight", wide, 1, *[shape.kernel] * 2)
            stage.depthwise = held.at(full(depthwise[:, 0].transpose(1, 2, 0)))
            stage.depthwise_bias = held.at(full(self._weights(f"{name}depthwise.bias", wide)))
            return stage
        if tiled(shape, read, side):
            weight = self._weights(f"{name}expand.weight", wide, read, *[shape.kernel] * 2)
            stage.tiles = held.at(transformed(weight))
            stage.expand.bias = held.bias(self._weights(f"{name}expand.bias", wide))
        else:
            stage.expand = self._laid_flat(f"{name}expand.", wide, read, shape.kernel)
        return stage

    def _laid_flat(self, name: str, written: int, read: int, kernel: int = 1) -> c.Linear:
        """Lay a convolution out as a linear map of patches: rows, columns, channels."""
        weight = self._weights(f"{name}weight", written, read, kernel, kernel)
        flat = np.ascontiguousarray(weight.transpose(0, 2, 3, 1)).reshape(written, -1)
        return self._held.linear(flat, self._weights(f"{name}bias", written))


def tiled(shape: Shape, read: int, side: int) -> bool:
    """Return true if a stage is computed in tiles: they must be whole, as must cache lines."""
    plain = (shape.kernel, shape.stride, shape.depthwise) == (3, 1, False)
    return plain and side % TILE == 0 and read % 16 == 0 and shape.wide % c.PANEL == 0


def transformed(weight: c.Halves) -> Floats:
    """Transform the weights (O, I, 3, 3) of a convolution in tiles: (panels, points, I, PANEL)."""
    points_of = np.einsum("yi,ocij,xj->yxco", TRANSFORM, weight.astype(np.float64), TRANSFORM)
    points, read = TRANSFORM.shape[0] ** 2, weight.shape[1]
    panels = points_of.reshape(points, read, -1, c.PANEL).transpose(2, 0, 1, 3)
    packed = c.aligned(panels.shape, np.float32)
    packed[:] = panels
    return packed


def full(halves: c.Halves) -> NDArray[np.float32]:
    """Return contiguous 32-bit floats."""
    return np.ascontiguousarray(halves, np.float32)
