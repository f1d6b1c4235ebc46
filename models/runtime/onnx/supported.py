"""The families and mechanisms that are exported as graphs; PyTorch runs the rest."""

from __future__ import annotations

from typing import Final

from heed.models.config import (
    NetworkConfig,
    RecurrentCaptionerConfig,
    RecurrentConfig,
    TransformerCaptionerConfig,
    TransformerConfig,
    VQAConfig,
)

SUPPORTED: Final[dict[type[NetworkConfig], frozenset[str]]] = {
    RecurrentConfig: frozenset(
        {"none", "additive", "concat", "dot", "general", "scaled", "multihead"}
    ),
    TransformerConfig: frozenset({"multihead"}),
    RecurrentCaptionerConfig: frozenset({"soft", "hard"}),
    TransformerCaptionerConfig: frozenset({"multihead"}),
    VQAConfig: frozenset({"soft"}),
}
"""By family the mechanisms whose graphs are compared with PyTorch in the tests."""


def runs(config: NetworkConfig) -> bool:
    """Return true if a network of this configuration can be run as graphs."""
    return config.mechanism in SUPPORTED.get(type(config), frozenset())
