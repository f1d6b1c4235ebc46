"""The shape of the image encoder, MobileNet EdgeTPU, for every runtime."""

from __future__ import annotations

from typing import NamedTuple

GRID = 14  # cells on a side
CELLS = GRID * GRID
MIDDLE, DEEP = 768, 1280  # channels of the two maps that the cells are computed from


class Shape(NamedTuple):
    """Shape of one block: expand, depthwise convolution, project."""

    wide: int  # channels in between
    out: int
    kernel: int = 3
    stride: int = 1
    depthwise: bool = False  # a convolution of each channel by itself, once expanded
    residual: bool = True  # the input is added to the output


STEM, FIRST = 32, 16
BLOCKS = (
    Shape(128, 32, stride=2, residual=False),
    Shape(128, 32),
    Shape(128, 32),
    Shape(128, 32),
    Shape(256, 48, stride=2, residual=False),
    Shape(192, 48),
    Shape(192, 48),
    Shape(192, 48),
    Shape(384, 96, stride=2, depthwise=True, residual=False),
    Shape(384, 96, depthwise=True),
    Shape(384, 96, depthwise=True),
    Shape(384, 96, depthwise=True),
    Shape(768, 96, depthwise=True, residual=False),
    Shape(384, 96, depthwise=True),
    Shape(384, 96, depthwise=True),
    Shape(384, 96, depthwise=True),
    Shape(MIDDLE, 160, kernel=5, stride=2, depthwise=True, residual=False),
    Shape(640, 160, kernel=5, depthwise=True),
    Shape(640, 160, kernel=5, depthwise=True),
    Shape(640, 160, kernel=5, depthwise=True),
    Shape(DEEP, 192, depthwise=True, residual=False),
)
WIDENED = 16  # the block whose expanded input is the map of 14×14, the last of that size
