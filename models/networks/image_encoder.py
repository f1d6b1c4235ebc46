"""The image encoder: a convolutional network from a picture to the features of its cells.

MobileNet EdgeTPU (mlcommons/mobile_models), trained on ImageNet. Its batch norm is folded
into weights and biases, so nothing here keeps statistics: it computes the same while it is
trained, and its layers can be trained on, or frozen from the front, as they are.

Shapes: `B` batch, `C` channels, `Y` rows and `X` columns of a map, `K` cells row by row, `D` width.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from heed.models.networks.mobilenet import BLOCKS, DEEP, FIRST, MIDDLE, STEM, WIDENED, Shape


class Maps(NamedTuple):
    """The feature maps of a picture of 224×224."""

    middle: Tensor  # (B, 768, 14, 14)
    deep: Tensor  # (B, 1280, 7, 7)


class Convolution(nn.Conv2d):
    """A convolution that pads as TensorFlow's SAME does.

    Just as much as the stride needs; where that is an odd number, the bottom and the right get
    the larger half. (PyTorch's own padding is the same on both sides, which shifts the map at a
    stride of 2.)
    """

    def __init__(
        self, read: int, written: int, kernel: int = 1, stride: int = 1, groups: int = 1
    ) -> None:
        even = 0 if stride > 1 else kernel // 2
        super().__init__(read, written, kernel, stride, padding=even, groups=groups)

    def forward(self, input: Tensor) -> Tensor:
        """Compute the map (B, C, Y, X), a row for every `stride` rows of the input."""
        if self.stride[0] > 1:
            rows, columns = (self._sides(length) for length in input.shape[-2:])
            input = F.pad(input, (*columns, *rows))
        if not self.in_full:
            return super().forward(input)
        with torch.autocast(input.device.type, enabled=False):
            return super().forward(input.to(self.weight.dtype))

    @property
    def in_full(self) -> bool:
        """Return true if it is computed in 32 bits while all else is in 16.

        oneDNN's gradient in 16 bits has no fast way for large or wide steps in each channel by
        itself: 233 ms for the worst of them, where 32 bits take 29.
        """
        return self.groups > 1 and (self.kernel_size[0] > 3 or self.stride[0] > 1)

    def _sides(self, length: int) -> tuple[int, int]:
        """Count the zeros before and after so many rows or columns."""
        kernel, stride = self.kernel_size[0], self.stride[0]
        zeros = max((-(-length // stride) - 1) * stride + kernel - length, 0)
        return zeros // 2, zeros - zeros // 2


class Block(nn.Module):
    """1. expand  2. depthwise convolution  3. project linearly (Sandler et al. 2018, 3.3).

    The early blocks join 1 and 2 in one convolution, which is faster where channels are few.
    """

    def __init__(self, read: int, shape: Shape) -> None:
        super().__init__()
        self.residual = shape.residual
        wide, kernel, stride = shape.wide, shape.kernel, shape.stride
        if shape.depthwise:
            self.expand = Convolution(read, wide)
            self.depthwise: Convolution | None = Convolution(wide, wide, kernel, stride, wide)
        else:
            self.expand = Convolution(read, wide, kernel, stride)
            self.depthwise = None
        self.project = Convolution(wide, shape.out)

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Compute the output, and the expanded input."""
        widened = F.relu(self.expand(seen))
        around = widened if self.depthwise is None else F.relu(self.depthwise(widened))
        out = self.project(around)
        return (out + seen if self.residual else out), widened


class EarlyBlocks(nn.Module):
    """The first blocks of the network."""

    def __init__(self, blocks: int) -> None:
        super().__init__()
        self.stem = Convolution(3, STEM, kernel=3, stride=2)
        self.first = Convolution(STEM, FIRST)
        widths = [FIRST, *(shape.out for shape in BLOCKS)]
        self.blocks = nn.ModuleList(map(Block, widths[:blocks], BLOCKS[:blocks]))

    def early(self, pictures: Tensor, blocks: int) -> Tensor:
        """Compute the first blocks on pictures (B, Y, X, 3); frozen blocks always give the same.

        At most as many blocks as come before the map of 14×14; `late` goes on from there.
        """
        if not 0 <= blocks <= WIDENED:
            raise ValueError(f"the early blocks are up to {WIDENED}, not {blocks}")
        kind = self.stem.weight.dtype
        # Channels stay last in memory, which makes convolutions faster.
        seen = pictures.permute(0, 3, 1, 2).to(kind) / 127.5 - 1
        seen = self.first(F.relu(self.stem(seen)))
        for block in self.blocks[:blocks]:
            seen, _ = block(seen)
        return seen


class Backbone(EarlyBlocks):
    """The whole network but its classes."""

    def __init__(self) -> None:
        super().__init__(len(BLOCKS))
        self.last = Convolution(BLOCKS[-1].out, DEEP)

    def forward(self, pictures: Tensor) -> Maps:
        """Compute the maps of pictures as bytes (B, Y, X, 3), red, green, blue."""
        return self.late(self.early(pictures, 0), 0)

    def late(self, seen: Tensor, blocks: int) -> Maps:
        """Compute the maps from the output of `early` with so many blocks."""
        middle = seen
        for place, block in enumerate(self.blocks[blocks:], start=blocks):
            seen, widened = block(seen)
            if place == WIDENED:
                middle = widened
        return Maps(middle, F.relu(self.last(seen)))

    def freeze(self, blocks: int) -> None:
        """Freeze what `early` computes with so many blocks; train the rest."""
        self.requires_grad_(requires_grad=True)
        for part in (self.stem, self.first, *self.blocks[:blocks]):
            part.requires_grad_(requires_grad=False)


class Cells(nn.Module):
    """Both maps as one memory of 14×14 cells: each projected, the deep one upsampled, added.

    Adding two projections is projecting both maps side by side, without ever joining them.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.middle = nn.Conv2d(MIDDLE, width, 1)
        self.deep = nn.Conv2d(DEEP, width, 1, bias=False)

    def forward(self, maps: Maps) -> Tensor:
        """Compute the cells (B, K, D), row by row."""
        middle, deep = self.middle(maps.middle), self.deep(maps.deep)
        fine = F.interpolate(deep, size=middle.shape[-2:], mode="bilinear", align_corners=False)
        return (middle + fine).flatten(2).transpose(1, 2)


class ImageEncoder(nn.Module):
    """From pictures to cells, shared by all models that read pictures."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.backbone = Backbone()
        self.cells = Cells(width)

    def forward(self, pictures: Tensor) -> Tensor:
        """Compute the cells (B, K, D) of pictures as bytes (B, Y, X, 3)."""
        return self.of_maps(self.backbone(pictures))

    def of_maps(self, maps: Maps) -> Tensor:
        """Compute the cells (B, K, D), each of mean 0 and variance 1."""
        cells = self.cells(maps)
        return F.layer_norm(cells, (self.cells.middle.out_channels,))


def renamed(published: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Rename the weights of the published network, without its classes.

    `Conv` is the stem, `expanded_conv` the first projection, `expanded_conv_1` block 0, and so on.
    """
    names = {"Conv": "stem", "Conv_1": "last", "expanded_conv/project": "first"}
    for place in range(len(BLOCKS)):
        for part in ("expand", "depthwise", "project"):
            names[f"expanded_conv_{place + 1}/{part}"] = f"blocks.{place}.{part}"
    split = ((name.rpartition("."), value) for name, value in published.items())
    return {
        f"{names[layer]}.{kind}": value.to(torch.float32)
        for (layer, _, kind), value in split
        if layer in names
    }
