"""What a model learns from its siblings, beside what people wrote.

Words: what they would write next, on average (Hinton et al. 2015; of translators: Kim and Rush
2016, section 3.1). Maps: where they look, which one head of a Transformer is told (guided
alignment, Garg et al. 2019, section 4). The siblings learned from the same pairs and stay as they
are.

Shapes: `B` rows, `Q` steps, `K` source tokens, `D` width.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from models.networks import TextNetwork
from models.transformer import Transformer
from training.batches import Batch


@dataclass(frozen=True, slots=True)
class Guide:
    """Which siblings are asked, and how much it matters what they say."""

    by: tuple[str, ...] = ()
    words: float = 0.0  # of what they would write, in the place of so much of what people wrote
    maps: float = 0.0  # of where they look, beside the loss of the words
    layer: int = 0  # of the head that is told
    head: int = 0


class Lesson(NamedTuple):
    """What a sibling says of a batch."""

    readouts: Tensor  # (B, Q, D)
    output: nn.Linear
    weights: Tensor | None  # (B, Q, K), if it has one head


@torch.no_grad()
def lesson(sibling: TextNetwork, batch: Batch) -> Lesson:
    """What a sibling would write, and where it looks, led along what people wrote."""
    if isinstance(sibling, Transformer):
        return Lesson(
            sibling.readouts(batch.source, batch.lengths, batch.fed), sibling.output, weights=None
        )
    state = sibling.start(sibling.encode(batch.source, batch.lengths))
    readouts, rows = [], []
    for token in batch.fed.unbind(1):
        advanced, state = sibling.advance(token, state)
        readouts.append(advanced.readout)
        rows.append(advanced.attended[0].weights[:, 0])
    return Lesson(torch.stack(readouts, dim=1), sibling.output, torch.stack(rows, dim=1))


def astray(weights: Tensor, lessons: Sequence[Lesson], real: Tensor) -> Tensor:
    """Cross-entropy in nats a step of where a head looks (B, Q, K) to where siblings do."""
    maps = [each.weights.float() for each in lessons if each.weights is not None]
    wanted = torch.stack(maps).mean(dim=0)
    told = weights.float().clamp_min(1e-6).log()
    return -(wanted * told).sum(dim=-1)[real].mean()
