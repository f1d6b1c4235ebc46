"""A Vision Transformer in PyTorch: the reference for every other runtime of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from heed.models.checkpoint import load_network
from heed.models.config import VisionConfig
from heed.models.errors import CheckpointError
from heed.models.images.read import Bytes
from heed.models.networks.vision_transformer import VisionTransformer
from heed.models.runtime.vision import LayerVectors, Looked
from heed.models.trace import Floats


class TorchVision:
    """A Vision Transformer, which looks at several pictures as one tensor."""

    def __init__(self, network: VisionTransformer) -> None:
        self._network = network.eval()

    @property
    def config(self) -> VisionConfig:
        """The shape of the network."""
        return self._network.config

    @property
    def positions(self) -> Floats:
        """The positional embeddings (K, D)."""
        found: Floats = self._network.positions.detach().numpy()
        return found

    @torch.inference_mode()
    def look(self, pictures: Sequence[Bytes]) -> list[Looked]:
        """Look at pictures of 224×224."""
        viewed = self._network(torch.from_numpy(np.stack(pictures)))
        scores, weights, queries, keys, values = (
            torch.stack(parts, dim=1).numpy()
            for parts in zip(
                *(
                    (each.scores, each.weights, each.query, each.keys.keys, each.keys.values)
                    for each in viewed.attended
                ),
                strict=True,
            )
        )
        states = torch.stack(viewed.states, dim=1).numpy()
        last = viewed.attended[-1]
        before = viewed.states[-2] if len(viewed.states) > 1 else viewed.embedded
        logs = torch.log_softmax(viewed.logits, dim=-1)
        return [
            Looked(
                scores[row],
                weights[row],
                before[row, 0].numpy(),
                last.context[row, 0].numpy(),
                viewed.states[-1][row, 0].numpy(),
                logs[row].numpy(),
                LayerVectors(queries[row], keys[row], values[row], states[row]),
            )
            for row in range(len(pictures))
        ]


def load_runtime(folder: Path) -> TorchVision:
    """Load the network of a folder, which must be a Vision Transformer."""
    network = load_network(folder)
    if not isinstance(network, VisionTransformer):
        raise CheckpointError(f"{folder} does not hold a Vision Transformer")
    return TorchVision(network)
