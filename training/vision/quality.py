"""Quality of a Vision Transformer: agreement with its teacher, and the places of its rollout.

The rollout is compared with the teacher's class activation on photos that no training has seen.
Its share of the most telling fifth of the cells is divided by that of equal weights.

Shapes: `P` photos, `K` cells, `C` classes.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from heed.models.families.vision_transformer.network import VisionTransformer, rollout
from heed.models.networks.mobilenet import CELLS, GRID
from training.vision.losses import divergence, telling
from training.vision.teacher import Found

TELLING = round(0.2 * CELLS)  # cells
BELL, SPIKE = 3.5, 1.5  # spreads of the centre baselines in cells, a quarter of the side and less
AT_ONCE = 100
SURE = 0.5  # probability of the teacher's likeliest class
MATCHED = 5  # classes of which the teacher's is one


@torch.inference_mode()
def measure(network: VisionTransformer, teacher: Found) -> dict[str, float]:
    """Measure a network on photos."""
    logits, read = [], []
    for cells in teacher.cells.split(AT_ONCE):
        viewed = network.attend(cells.to(torch.float32))
        logits.append(viewed.logits)
        read.append(rollout(viewed.attended)[:, 1:])
    return compare(torch.cat(logits), torch.cat(read), teacher)


def compare(logits: Tensor, read: Tensor, teacher: Found) -> dict[str, float]:
    """Compare classes (P, C) and rollouts (P, K) with those of the teacher."""
    likeliest = teacher.logits.argmax(dim=-1)
    first = logits.topk(MATCHED).indices == likeliest[:, None]
    commonest = torch.bincount(likeliest).max() / len(likeliest)
    sure = teacher.logits.max(dim=-1).values > math.log(SURE)
    cells = telling_cells(teacher)
    return {
        "seen_photos": float(len(likeliest)),
        "agreement": float(first[:, 0].float().mean()),
        "agreement_of_five": float(first.any(dim=1).float().mean()),
        "agreement_where_sure": float(first[sure, 0].float().mean()),
        "commonest_class": float(commonest),
        "divergence": float(divergence(logits, teacher.logits.to(torch.float32), 1.0)),
        "rollout_lift": lift(read, cells),
        "elsewhere_lift": lift(read.roll(1, dims=0), cells),
        "bell_lift": lift(centre(BELL).expand(len(cells), -1), cells),
        "spike_lift": lift(centre(SPIKE).expand(len(cells), -1), cells),
        "rollout_overlap": overlap(read, cells),
        "centre_overlap": overlap(centre(BELL).expand(len(cells), -1), cells),
    }


def telling_cells(teacher: Found) -> Tensor:
    """Return the fifth of the cells that tells the teacher most (P, …)."""
    return telling(teacher.activation).topk(TELLING).indices


def lift(read: Tensor, cells: Tensor) -> float:
    """Return the share of the weights (P, K) in these cells over that of equal weights."""
    shares = read.gather(1, cells).sum(dim=1) / read.sum(dim=1)
    return float(shares.mean()) / (TELLING / CELLS)


def overlap(read: Tensor, cells: Tensor) -> float:
    """Return the share of the strongest fifth of the weights (P, K) that are these cells.

    Unlike the lift, it does not depend on how sharp a map is; chance is a fifth.
    """
    told = torch.zeros(read.shape).scatter(1, cells, 1.0)
    return float(told.gather(1, read.topk(TELLING).indices).mean())


def centre(spread: float) -> Tensor:
    """Return a bell around the centre (1, K), a baseline that has not seen the photo."""
    along = torch.arange(GRID) - (GRID - 1) / 2
    bell = torch.exp(-(along**2) / (2 * spread**2))
    return (bell[:, None] * bell).flatten()[None]
