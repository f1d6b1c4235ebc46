"""A glimpse network in PyTorch: the reference for every other runtime of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from heed.models.checkpoint import load_network
from heed.models.config import GlimpseConfig
from heed.models.errors import CheckpointError
from heed.models.networks.glimpse_network import GlimpseNetwork
from heed.models.runtime.glimpse import GlimpsesRead
from heed.models.trace import Floats


class TorchGlimpse:
    """A glimpse network, which looks at all drawings of a batch at once."""

    def __init__(self, network: GlimpseNetwork) -> None:
        self._network = network.eval()

    @property
    def config(self) -> GlimpseConfig:
        """The shape of the network."""
        return self._network.config

    @torch.inference_mode()
    def look(self, drawings: Sequence[Floats]) -> list[GlimpsesRead]:
        """Look at drawings (Y, X), each at the means of the policy."""
        found = self._network(torch.from_numpy(np.stack(drawings)))
        before = torch.cat([torch.zeros_like(found.states[:, :1]), found.states[:, :-1]], dim=1)
        logs = found.logits.log_softmax(dim=-1)
        parts = found.places, found.patches, before, found.seen, found.states, logs
        return [
            GlimpsesRead(*(part[row].numpy() for part in parts)) for row in range(len(drawings))
        ]


def load_runtime(folder: Path) -> TorchGlimpse:
    """Load the network of a folder, which must be a glimpse network."""
    network = load_network(folder)
    if not isinstance(network, GlimpseNetwork):
        raise CheckpointError(f"{folder} does not hold a glimpse network")
    return TorchGlimpse(network)
