"""The relatives of a model by which its maps are judged: other trainings, and another mechanism."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from heed.models import checkpoint
from heed.models.config import NetworkConfig, read_step_network
from heed.models.errors import CheckpointError
from heed.models.runtime.choice import RuntimeChoice
from heed.models.runtime.protocol import Runtime, Tokens

MECHANISM: Final = "other_mechanism"
"""Entry of a config.json: the model of another mechanism whose maps are the baseline."""


class _Kept(NamedTuple):
    """The networks of other trainings that are in memory."""

    others: tuple[Runtime[Tokens], ...]
    of_mechanism: Runtime[Tokens] | None
    bytes: int


@dataclass(slots=True)
class Trainings:
    """The other trainings of one model: loaded one at a time when asked for, or all and kept."""

    folder: Path
    runtimes: RuntimeChoice
    threads: int | None
    _kept: _Kept | None = field(default=None, init=False)

    @property
    def kept_bytes(self) -> int:
        """Bytes of those that are kept in memory."""
        return 0 if self._kept is None else self._kept.bytes

    @property
    def bytes(self) -> int:
        """Bytes of all their weights, those that they share with other models among them."""
        files = [self.folder / name for name in checkpoint.seed_files(self.folder).values()]
        own = sum(file.stat().st_size for file in files)
        if (mechanism := self._mechanism_folder()) is None:
            return own
        return own + sum(half.nbytes for half in checkpoint.tensors(mechanism).values())

    def keep(self) -> None:
        """Load all of them, and the model of another mechanism, and keep them."""
        if self._kept is None:
            self._kept = _Kept((*self.others(),), self.of_mechanism(), self.bytes)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of the other trainings; none of most models."""
        return (*checkpoint.seed_files(self.folder),)

    @property
    def mechanism(self) -> str | None:
        """The id of the model of another mechanism, if it is there too."""
        folder = self._mechanism_folder()
        return None if folder is None else folder.name

    def others(self) -> Iterator[Runtime[Tokens]]:
        """Return the network of each other training, loaded one after another unless kept."""
        if (kept := self._kept) is not None:
            yield from kept.others
            return
        for file in checkpoint.seed_files(self.folder).values():
            network = _network(self.folder)
            yield self.runtimes.load_training(self.folder, network, self.threads, file)

    def of_mechanism(self) -> Runtime[Tokens] | None:
        """Return the model of another mechanism, loaded unless kept."""
        if (kept := self._kept) is not None:
            return kept.of_mechanism
        if (folder := self._mechanism_folder()) is None:
            return None
        return self.runtimes.load_text(folder, _network(folder), self.threads)

    def _mechanism_folder(self) -> Path | None:
        sibling = checkpoint.read_config(self.folder).get(MECHANISM)
        if sibling is None:
            return None
        folder = checkpoint.beside(self.folder, sibling)
        return folder if (folder / checkpoint.CONFIG).exists() else None


def _network(folder: Path) -> NetworkConfig:
    try:
        return read_step_network(checkpoint.read_config(folder)["network"])
    except (KeyError, ValueError) as error:
        raise CheckpointError(f"{folder} cannot be compared: {error}") from error
