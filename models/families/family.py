"""A family of networks, and a checkpoint of one that is to be loaded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from heed.models.card import Card
from heed.models.config import NetworkConfig

if TYPE_CHECKING:
    from heed.models.generation.protocol import AnyPipeline
    from heed.models.runtime.choice import RuntimeChoice


class Stored(NamedTuple):
    """A checkpoint to load, and the runtimes to choose from."""

    card: Card
    folder: Path
    runtimes: RuntimeChoice
    threads: int | None


@dataclass(frozen=True, slots=True)
class Family:
    """A family of networks.

    `load` imports what it needs, so that a process loads the code of the families that it runs, and
    PyTorch only where that runs them.
    """

    config: type[NetworkConfig]
    load: Callable[[Stored], AnyPipeline]
    on_numpy: bool = False  # NumPy alone runs it, whatever runtime is chosen
