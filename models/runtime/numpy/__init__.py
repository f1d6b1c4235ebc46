"""Small networks that NumPy alone runs, on the weights as they are shipped.

They have no search and take at most some tens of milliseconds, so neither kernels nor graphs would
pay.
PyTorch runs the families that are not listed here.
"""

from __future__ import annotations

from typing import Final

from heed.models.config import (
    GlimpseConfig,
    GraphConfig,
    LSTMNConfig,
    MemoryConfig,
    NetworkConfig,
    VisionConfig,
)

SUPPORTED: Final[dict[type[NetworkConfig], frozenset[str]]] = {
    MemoryConfig: frozenset({"memory"}),
    GraphConfig: frozenset({"graph"}),
    GlimpseConfig: frozenset({"glimpse"}),
    VisionConfig: frozenset({"multihead"}),
    LSTMNConfig: frozenset({"intra"}),
}
"""By family the mechanisms that are compared with PyTorch in the tests."""


def runs(config: NetworkConfig) -> bool:
    """Return true if NumPy can run a network of this configuration."""
    return config.mechanism in SUPPORTED.get(type(config), frozenset())
