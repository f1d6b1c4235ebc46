"""Digits that people wrote, each varied: turned, sheared, stretched, bent, of other sizes.

    DATA/digits/handwritten.train.npz   images (N, 28, 28), white on black, and labels (N,)

Shapes: `N` digits, `E` side of a digit's square.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from training.common.errors import CorpusError
from training.glimpses.digits import SIDE, Bank

FILE: Final = "digits/handwritten.train.npz"
PARTS: Final = {"test": slice(0, 1000), "dev": slice(1000, 1500), "train": slice(1500, None)}
"""Places in a fixed random order: the training sees neither those of `test` nor of `dev`."""
SEED: Final = 6000  # of that order
SMALLEST, LARGEST = 0.75, 1.3  # of a digit, beside its own size
TURN, SHEAR, STRETCH, BEND = 0.15, 0.15, 0.1, 0.03  # standard deviations
CHUNK: Final = 4000  # digits that are varied together

Part = Literal["train", "dev", "test"]


@lru_cache(3)
def handwritten(data: Path, part: Part) -> Bank:
    """Read the digits of a part, as they were written, or raise `CorpusError`."""
    path = data / FILE
    try:
        with np.load(path) as file:
            images, labels = file["images"], file["labels"].astype(np.int64)
    except (OSError, KeyError, ValueError) as error:
        raise CorpusError(f"{path} cannot be read: {error}") from error
    order = np.random.default_rng(SEED).permutation(len(labels))[PARTS[part]]
    edge = (SIDE - images.shape[1]) // 2
    padded = np.pad(images[order], [(0, 0), (edge, edge), (edge, edge)])
    return Bank(padded, labels[order])


def varied(bank: Bank, count: int, seed: int) -> Bank:
    """Return so many variations of the digits, each digit as often as the others."""
    chosen = np.arange(count) % len(bank.labels)
    generator = torch.Generator().manual_seed(seed)
    pictures = [
        _varied(torch.from_numpy(bank.pictures[chosen[start : start + CHUNK]]), generator)
        for start in range(0, count, CHUNK)
    ]
    return Bank(torch.cat(pictures).numpy(), bank.labels[chosen])


def _varied(pictures: Tensor, generator: torch.Generator) -> Tensor:
    """Return each picture (N, E, E) looked at through a grid that is moved a little."""
    count, side = len(pictures), pictures.shape[-1]

    def normal(*shape: int) -> Tensor:
        return torch.randn(count, *shape, generator=generator)

    size = SMALLEST + (LARGEST - SMALLEST) * torch.rand(count, generator=generator)
    angle, shear, stretch = TURN * normal(), SHEAR * normal(), (STRETCH * normal()).exp()
    cosine, sine = angle.cos() / size, angle.sin() / size
    matrix = torch.stack(
        [cosine * stretch, shear / size - sine, sine * stretch, cosine], dim=1
    ).view(count, 2, 2)
    steps = (torch.arange(side) + 0.5) * (2 / side) - 1
    points = torch.stack(torch.meshgrid(steps, steps, indexing="xy"), dim=-1)  # (E, E, 2)
    grid = torch.einsum("yxp,nqp->nyxq", points, matrix)
    waves, phases, moves = 3 * normal(2, 2), normal(2) * torch.pi, BEND * normal(2, 2)
    bends = (torch.einsum("yxp,nwp->nyxw", points, waves) + phases[:, None, None]).sin()
    grid = grid + torch.einsum("nyxw,nwq->nyxq", bends, moves)
    seen = F.grid_sample(pictures[:, None].float(), grid, align_corners=False)
    return seen[:, 0].round().clamp(0, 255).to(torch.uint8)
