"""The catalogue of models: their cards, read at once, and their weights, read when first used.

Importing this module, and making a `Catalogue`, does not import torch.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from heed.models import checkpoint, families
from heed.models.card import Card
from heed.models.card_parser import parse_card
from heed.models.config import PictureConfig
from heed.models.errors import CheckpointError, UnknownModelError
from heed.models.families import FAMILIES, Stored, network_of
from heed.models.free_ram import free_ram
from heed.models.hf_card import read_hf_card
from heed.models.runtime.choice import RuntimeChoice, RuntimeName

if TYPE_CHECKING:
    from heed.models.generation.protocol import AnyPipeline

__all__ = ["DEFAULT_DIRECTORY", "Catalogue", "RuntimeName", "compiled_for", "kernels_are_outdated"]

READERS: Final = 4
ROOM: Final = 2
"""Free RAM for a model of Hugging Face, by the size of its weights: it loads, and runs."""
DEFAULT_DIRECTORY = Path(__file__).parent / "weights"


class Catalogue:
    """Every model below a directory, and those in folders of Hugging Face, by their names.

    Weights are read by one thread at a time.
    """

    def __init__(
        self,
        directory: Path = DEFAULT_DIRECTORY,
        runtime: RuntimeName = "auto",
        hf: Mapping[str, Path] = MappingProxyType({}),
    ) -> None:
        folders = sorted(path.parent for path in directory.glob(f"*/{checkpoint.CONFIG}"))
        if not folders:
            raise CheckpointError(f"{directory} holds no models")
        with ThreadPoolExecutor(READERS) as pool:  # a digest is computed of all weights
            read = zip(pool.map(parse_card, folders), folders, strict=True)
            cards = sorted(read, key=lambda pair: (pair[0].rank, pair[0].id))
        self._folders = {card.id: folder for card, folder in cards}
        self._cards = {card.id: card for card, _ in cards}
        self._hf = dict(hf)
        for name, folder in hf.items():
            if name in self._cards:
                raise CheckpointError(f"there are two models named {name}")
            self._cards[name] = read_hf_card(name, folder)
        self._loaded: dict[str, AnyPipeline] = {}
        self.most_bytes = math.inf
        self._used: dict[str, int] = {}  # by model, when it was asked for: a count of all calls
        self._calls = count()
        self._runtimes = RuntimeChoice(runtime)
        self._reading = threading.RLock()

    @property
    def cards(self) -> Mapping[str, Card]:
        """The cards by id, the best model first."""
        return MappingProxyType(self._cards)

    def limit_memory(self, most_bytes: int) -> None:
        """Keep weights of so many bytes in memory, without those of Hugging Face.

        The least recently used model is forgotten first, and the last one is always kept.
        """
        self.most_bytes = most_bytes

    def stored(self, model_id: str) -> Path | None:
        """Return the folder of a model of Heed; None for one of Hugging Face."""
        return self._folders.get(model_id)

    def loaded(self, model_id: str) -> bool:
        """Return true if this model's weights are in memory."""
        return model_id in self._loaded

    def load(self, model_id: str, threads: int | None = None) -> AnyPipeline:
        """Return the model; its weights are read if they are not in memory.

        It is the pipeline of its family (`models/families.py`). `threads` defaults to
        `spare_cores()` where the kernels split a batch, else to one.
        """
        if model_id not in self._cards:
            raise UnknownModelError(model_id)
        self._used[model_id] = next(self._calls)
        if (pipeline := self._loaded.get(model_id)) is not None:
            return pipeline
        with self._reading:
            if (pipeline := self._loaded.get(model_id)) is None:
                if model_id in self._hf:
                    self._make_room(self._cards[model_id].bytes)
                pipeline = self._loaded[model_id] = self._read(model_id, threads)
                self._forget_unused(model_id)
            return pipeline

    def may_be_forked(self, model_id: str) -> bool:
        """Return true if this model may be loaded before the process is forked.

        ONNX Runtime and PyTorch start threads, which a forked process does not have.
        """
        if model_id in self._hf:
            return False
        folder = self._folders[model_id]
        network = network_of(folder)
        if FAMILIES[type(network)].on_numpy:
            return True
        return self._runtimes.backend(folder, network) == "native"

    def _make_room(self, size: int) -> None:
        """Forget models of Hugging Face, the first loaded first, while memory is short."""
        for name in [name for name in self._loaded if name in self._hf]:
            if free_ram() >= ROOM * size:
                return
            self.forget(name)

    def _forget_unused(self, loaded: str) -> None:
        """Forget the least recently used models beside the one that was just loaded."""
        own = [name for name in self._loaded if name not in self._hf]
        taken = sum(self._cards[name].bytes for name in own)
        for name in sorted(own, key=lambda name: self._used[name]):
            if taken <= self.most_bytes:
                return
            if name != loaded:
                taken -= self._cards[name].bytes
                self.forget(name)

    def forget(self, model_id: str) -> None:
        """Drop this model; the next `load` reads it again."""
        self._loaded.pop(model_id, None)

    def export(self, model_id: str) -> list[Path]:
        """Write the ONNX graphs of a model beside its weights; returns their paths."""
        from heed.models.runtime.onnx.export import export_image_encoder, export_model

        if model_id not in self._folders:
            raise UnknownModelError(model_id)
        folder = self._folders[model_id]
        if not self._cards[model_id].exportable:
            raise CheckpointError(f"{folder} holds a network that is not run as graphs")
        network = network_of(folder)
        written = export_model(folder)
        if isinstance(network, PictureConfig):
            written += export_image_encoder(folder.parent / network.image_encoder)
        return written

    def convert(self, model_id: str, target: Path) -> list[Path]:
        """Write a model as one of Hugging Face transformers; returns the paths of its files."""
        from heed.models.recording.pegasus import write_pegasus

        if model_id not in self._folders:
            raise UnknownModelError(model_id)
        return write_pegasus(self._folders[model_id], target)

    def _read(self, model_id: str, threads: int | None) -> AnyPipeline:
        card = self._cards[model_id]
        if model_id in self._hf:
            from heed.models.hf_pipeline import HFPipeline

            return HFPipeline.load(card, self._hf[model_id])
        return families.load(Stored(card, self._folders[model_id], self._runtimes, threads))


def compiled_for() -> str | None:
    """Return the kind of processor that the kernels in use were compiled for, if there are any."""
    from heed.models.runtime.native.kernels import best_level

    level = best_level()
    return None if level is None else level.name


def kernels_are_outdated() -> bool:
    """Return true if the source of the kernels has changed since they were compiled."""
    from heed.models.runtime.native.compiled import only_outdated

    return only_outdated()
