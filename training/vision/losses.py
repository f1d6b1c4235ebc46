"""Losses of a Vision Transformer: the teacher's classes, its maps and its class activation.

Shapes: `P` photos, `K` patches that are read, `D` components of a map, `C` classes.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from heed.models.families.vision_transformer.network import Viewed, VisionTransformer, rollout
from heed.models.networks.mobilenet import GRID
from training.vision.recipe import VisionRecipe
from training.vision.teacher import DEEP_COMPONENTS, MIDDLE_COMPONENTS, Found

DEEP_GRID = GRID // 2


class Student(nn.Module):
    """The network, and linear maps to the teacher's components that only the training needs."""

    def __init__(self, network: VisionTransformer) -> None:
        super().__init__()
        self.network = network
        for part in (network.convolutions, network.classes):
            part.requires_grad_(requires_grad=False)
        width = network.config.width
        self.deep = nn.Linear(width, DEEP_COMPONENTS)
        self.middle = nn.Linear(width, MIDDLE_COMPONENTS)


@torch.no_grad()
def adopt_classes(network: VisionTransformer, logits: Tensor) -> None:
    """Set the class head to the main components of the teacher's logits (…, C).

    It is not trained: too few photos show each of the many classes. Each component has a variance
    of 1, as the numbers that the head reads.
    """
    centred = logits.to(torch.float64)  # in 32 bits LAPACK can find NaN
    centred = centred - centred.mean(dim=1, keepdim=True)
    mean = centred.mean(dim=0)
    values, vectors = torch.linalg.eigh(torch.cov((centred - mean).T))
    width = network.config.width
    network.classes.weight.copy_(vectors[:, -width:] * values[-width:].clamp(min=0).sqrt())
    network.classes.bias.copy_(mean)


class Losses(NamedTuple):
    """The parts of the loss, each the mean of the photos."""

    classes: Tensor  # Kullback-Leibler divergence from the teacher's classes, in nats
    deep: Tensor  # squared error of a component, whose variance is 1 on average
    middle: Tensor
    guide: Tensor  # cross-entropy of the rollout, in nats

    def total(self, recipe: VisionRecipe) -> Tensor:
        """Weigh and add the parts."""
        matched = recipe.deep * self.deep + recipe.middle * self.middle
        return self.classes + matched + recipe.guide * self.guide


def losses_of(
    student: Student, teacher: Found, kept: Tensor | None, recipe: VisionRecipe
) -> Losses:
    """Compute the losses of a batch, of which the patches `kept` (P, K) are read, or all."""
    viewed: Viewed = student.network.attend(teacher.cells.to(torch.float32), kept)
    patches = [states[:, 1:] for states in viewed.states]
    middle = patches[recipe.middle_layer - 1]
    middle = F.layer_norm(middle, middle.shape[-1:])
    return Losses(
        divergence(viewed.logits, teacher.logits.to(torch.float32), recipe.temperature),
        F.mse_loss(student.deep(patches[-1]).to(torch.float32), _read(finer(teacher.deep), kept)),
        F.mse_loss(student.middle(middle).to(torch.float32), _read(teacher.middle, kept)),
        _strayed(
            rollout(viewed.attended)[:, 1:],
            _read(telling(teacher.activation, recipe.guide_power), kept),
        ),
    )


def divergence(logits: Tensor, teacher: Tensor, temperature: float) -> Tensor:
    """Compute the divergence of classes (P, C) from the teacher's (Hinton et al. 2015)."""
    ours, theirs = (
        (scores.to(torch.float32) / temperature).log_softmax(dim=-1) for scores in (logits, teacher)
    )
    summed = F.kl_div(ours, theirs, reduction="batchmean", log_target=True)
    return summed * temperature**2


def finer(deep: Tensor) -> Tensor:
    """Give each patch the cell of the map of 7×7 that covers it: (P, 196, …)."""
    cells = deep.reshape(len(deep), DEEP_GRID, DEEP_GRID, *deep.shape[2:])
    return cells.repeat_interleave(2, dim=1).repeat_interleave(2, dim=2).flatten(1, 2)


def telling(activation: Tensor, power: float = 2.0) -> Tensor:
    """Return how telling each patch is for the teacher's likeliest class (P, 196).

    A power of the class activation above its mean, interpolated between the cells of 7×7.
    """
    grid = activation.to(torch.float32).view(-1, 1, DEEP_GRID, DEEP_GRID)
    fine = F.interpolate(grid, size=(GRID, GRID), mode="bilinear", align_corners=False).flatten(1)
    return (fine - fine.mean(dim=1, keepdim=True)).relu().pow(power)


def mirrored(teacher: Found) -> Found:
    """Mirror photos and what was found in them."""

    def flip(cells: Tensor, side: int) -> Tensor:
        grid = cells.reshape(len(cells), side, side, *cells.shape[2:])
        return grid.flip(2).flatten(1, 2)

    return Found(
        flip(teacher.cells, GRID),
        teacher.logits,
        flip(teacher.deep, DEEP_GRID),
        flip(teacher.middle, GRID),
        flip(teacher.activation, DEEP_GRID),
    )


def _read(cells: Tensor, kept: Tensor | None) -> Tensor:
    """Select the patches that are read, of targets (P, 196, …)."""
    cells = cells.to(torch.float32)
    if kept is None:
        return cells
    if cells.dim() == 2:
        return cells.gather(1, kept)
    return cells.gather(1, kept[..., None].expand(-1, -1, cells.shape[2]))


def _strayed(read: Tensor, told: Tensor) -> Tensor:
    """Compute the cross-entropy between what is read and what is telling, both (P, K)."""
    read = read / read.sum(dim=1, keepdim=True)
    told = told / told.sum(dim=1, keepdim=True).clamp(min=1e-6)
    return -(told * read.clamp(min=1e-9).log()).sum(dim=1).mean()
