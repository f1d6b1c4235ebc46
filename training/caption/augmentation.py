"""Augmentation of photos that keeps their captions true.

Photos are mirrored only if no caption says left or right, cropped slightly, and changed in
brightness, contrast and saturation, but not in hue, since captions name colours.

Shapes: `B` batch, `Y` rows, `X` columns, `C` channels.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

# Of red, green and blue in what is seen as bright (ITU-R 601).
LUMA = (0.299, 0.587, 0.114)


@dataclass(frozen=True, slots=True)
class Augmentation:
    """Strength of each augmentation; zero turns it off."""

    mirrored: float = 0.5  # probability, where no caption says left or right
    cut: float = 0.12  # most of a side that is cropped, both ends together
    brightness: float = 0.15  # factors between 1 − this and 1 + this
    contrast: float = 0.15
    saturation: float = 0.15


def augmented(
    pictures: Tensor, mirrorable: Tensor, amount: Augmentation, generator: torch.Generator
) -> Tensor:
    """Return augmented bytes (B, Y, X, 3), each picture at random."""
    seen = pictures.permute(0, 3, 1, 2).to(torch.float32)  # (B, C, Y, X)
    seen = _placed(seen, mirrorable, amount, generator)
    seen = _coloured(seen, amount, generator)
    return seen.round_().clamp_(0, 255).to(torch.uint8).permute(0, 2, 3, 1).contiguous()


def _placed(
    seen: Tensor, mirrorable: Tensor, amount: Augmentation, generator: torch.Generator
) -> Tensor:
    """Crop, mirror and resize in one operation."""
    count = len(seen)
    kept = 1 - amount.cut * _uniform((count, 2), generator)  # of each side
    middle = (1 - kept) * (2 * _uniform((count, 2), generator) - 1)
    mirrored = mirrorable & (_uniform((count,), generator) < amount.mirrored)
    # Where each place of the new picture lies in the old one, from −1 to 1.
    placing = torch.zeros(count, 2, 3)
    placing[:, 0, 0] = torch.where(mirrored, -kept[:, 0], kept[:, 0])
    placing[:, 1, 1] = kept[:, 1]
    placing[:, :, 2] = middle
    grid = F.affine_grid(placing, list(seen.shape), align_corners=False)
    return F.grid_sample(seen, grid, padding_mode="border", align_corners=False)


def _coloured(seen: Tensor, amount: Augmentation, generator: torch.Generator) -> Tensor:
    """Change brightness, contrast around the mean, and saturation around each pixel's grey."""
    seen = seen * _factor(amount.brightness, seen, generator)
    luma = torch.tensor(LUMA).view(1, 3, 1, 1)
    mean = (seen * luma).sum(dim=1, keepdim=True).mean(dim=(2, 3), keepdim=True)
    seen = mean + (seen - mean) * _factor(amount.contrast, seen, generator)
    grey = (seen * luma).sum(dim=1, keepdim=True)
    return grey + (seen - grey) * _factor(amount.saturation, seen, generator)


def _factor(amount: float, seen: Tensor, generator: torch.Generator) -> Tensor:
    return (1 + amount * (2 * _uniform((len(seen),), generator) - 1)).view(-1, 1, 1, 1)


def _uniform(shape: tuple[int, ...], generator: torch.Generator) -> Tensor:
    return torch.rand(shape, generator=generator)
