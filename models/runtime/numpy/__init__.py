"""Small networks that NumPy alone runs, on the weights as they are shipped.

They have no search and take well under a millisecond, so neither kernels nor graphs would pay.
PyTorch runs the families that are not listed here.
"""

from __future__ import annotations

from typing import Final

from heed.models.config import GlimpseConfig, LSTMNConfig, MemoryConfig, NetworkConfig

SUPPORTED: Final[dict[type[NetworkConfig], frozenset[str]]] = {
    MemoryConfig: frozenset({"memory"}),
    GlimpseConfig: frozenset({"glimpse"}),
    LSTMNConfig: frozenset({"intra"}),
}
"""By family the mechanisms that are compared with PyTorch in the tests."""


def runs(config: NetworkConfig) -> bool:
    """Return true if NumPy can run a network of this configuration."""
    return config.mechanism in SUPPORTED.get(type(config), frozenset())
