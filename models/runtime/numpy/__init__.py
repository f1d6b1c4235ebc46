"""Small networks that NumPy alone runs, on the weights as they are shipped.

They have no search and take at most some tens of milliseconds, so neither kernels nor graphs would
pay. The tests compare each with its PyTorch module.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from heed.models.checkpoint import config_of
from heed.models.config import NetworkConfig
from heed.models.runtime.numpy.operations import Weights

C = TypeVar("C", bound=NetworkConfig)
R = TypeVar("R")


def load_runtime(folder: Path, family: type[C], runtime: Callable[[C, Weights], R]) -> R:
    """Load the network of a folder, which must be of this family."""
    return runtime(config_of(folder, family), Weights(folder))
