"""The relatives of a model by which its maps are judged: other trainings, and another mechanism."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from heed.models import checkpoint
from heed.models.config import NetworkConfig, read_step_network
from heed.models.runtime.choice import RuntimeChoice
from heed.models.runtime.protocol import Runtime, Tokens

MECHANISM: Final = "other_mechanism"
"""Entry of a config.json: the model of another mechanism whose maps are the baseline."""


@dataclass(frozen=True, slots=True)
class Trainings:
    """The other trainings of one model, which are loaded when they are asked for."""

    folder: Path
    runtimes: RuntimeChoice
    threads: int | None

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of the other trainings; none of most models."""
        return (*checkpoint.seed_files(self.folder),)

    @property
    def mechanism(self) -> str | None:
        """The id of the model of another mechanism, if it is there too."""
        sibling = checkpoint.read_config(self.folder).get(MECHANISM)
        if sibling is None:
            return None
        folder = checkpoint.beside(self.folder, sibling)
        return folder.name if (folder / checkpoint.CONFIG).exists() else None

    def others(self) -> Iterator[Runtime[Tokens]]:
        """Load the network of each other training, one after another."""
        for file in checkpoint.seed_files(self.folder).values():
            network = _network(self.folder)
            yield self.runtimes.load_training(self.folder, network, self.threads, file)

    def of_mechanism(self) -> Runtime[Tokens] | None:
        """Load the model of another mechanism."""
        if (mechanism := self.mechanism) is None:
            return None
        folder = self.folder.parent / mechanism
        return self.runtimes.load_text(folder, _network(folder), self.threads)


def _network(folder: Path) -> NetworkConfig:
    return read_step_network(checkpoint.read_config(folder)["network"])
