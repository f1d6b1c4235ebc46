"""The baseline without attention: the same network, whose weights are all alike."""

from __future__ import annotations

from torch import Tensor

from heed.models.families.memory.network import MemoryNetwork


class UniformNetwork(MemoryNetwork):
    """A memory network that reads the mean of the sentences in every hop."""

    def weigh(self, scores: Tensor) -> Tensor:
        """Return weights that are the same for every sentence."""
        real = scores.isfinite().to(scores.dtype)
        return real / real.sum(dim=-1, keepdim=True)
