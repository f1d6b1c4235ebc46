"""The catalogue of models: their cards, read at once, and their weights, read when first used.

Importing this module, and making a `Catalogue`, does not import torch.
"""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from heed.models import checkpoint, families, packages
from heed.models.card import Card
from heed.models.card_parser import parse_card
from heed.models.config import PictureConfig
from heed.models.errors import CheckpointError, UnknownModelError
from heed.models.families import FAMILIES, network_of
from heed.models.families.family import Stored
from heed.models.free_ram import free_ram
from heed.models.hf_card import read_hf_card
from heed.models.packages import BEHIND, NAME, Bundle, Installed, PackagedModel
from heed.models.runtime.choice import (
    RuntimeChoice,
    RuntimeName,
    encoder_bytes,
    encoder_folder,
)

if TYPE_CHECKING:
    from heed.models.generation.protocol import AnyPipeline

log = logging.getLogger("heed")

__all__ = ["DEFAULT_DIRECTORY", "Catalogue", "RuntimeName", "compiled_for", "kernels_are_outdated"]

READERS: Final = 4
ROOM: Final = 2
"""Free RAM for a model of Hugging Face, by the size of its weights: it loads, and runs."""
DEFAULT_DIRECTORY = packages.OWN_FOLDER


class Catalogue:
    """Every model below a directory, those in folders of Hugging Face, and those of packages.

    Packages add to Heed's own directory alone; what is wrong with one is in `problems`, and its
    models are left out. Weights are read by one thread at a time.
    """

    def __init__(
        self,
        directory: Path = DEFAULT_DIRECTORY,
        runtime: RuntimeName = "auto",
        hf: Mapping[str, Path] = MappingProxyType({}),
        others: Installed | None = None,
    ) -> None:
        folders = _folders(directory)
        if not folders:
            raise CheckpointError(f"{directory} holds no models")
        if others is None:
            others = packages.installed() if directory == DEFAULT_DIRECTORY else Installed()
        with ThreadPoolExecutor(READERS) as pool:  # a digest is computed of all weights
            read = dict(zip(folders, pool.map(parse_card, folders), strict=True))
            self._missing = {card.id: card for card in read.values() if card.package}
            self._cards = {card.id: card for card in read.values() if not card.package}
            self._folders = {card.id: folder for folder, card in read.items() if not card.package}
            self._packaged: dict[str, PackagedModel] = {}
            self.problems = [*others.problems]
            self.folders = (directory, *(bundle.folder for bundle in others.bundles))
            for bundle in others.bundles:
                self._add_bundle(bundle, pool)
        for model in others.models:
            self._add_packaged(model)
        for problem in self.problems:
            log.warning("%s.", problem)
        ranked = sorted(self._cards.values(), key=lambda card: (card.rank, card.id))
        self._cards = {card.id: card for card in ranked}
        self._hf: dict[str, Path] = {}
        for name, folder in hf.items():
            self.add_folder(name, folder)
        self._loaded: dict[str, AnyPipeline] = {}
        self.most_bytes = math.inf
        self._used: dict[str, int] = {}  # by model, when it was asked for: a count of all calls
        self._calls = count()
        self._runtimes = RuntimeChoice(runtime)
        self._reading = threading.RLock()

    def add_folder(self, name: str, folder: Path) -> None:
        """Add a model of Hugging Face; raises `CheckpointError` if it cannot be served."""
        if name in self._cards:
            raise CheckpointError(f"there are two models named {name}")
        self._cards[name] = read_hf_card(name, folder)
        self._hf[name] = folder

    def _add_bundle(self, bundle: Bundle, pool: ThreadPoolExecutor) -> None:
        """Add the models in the folder of a package, but for those that are broken."""
        folders = _folders(bundle.folder)
        if not folders:
            self.problems.append(f"{bundle.distribution} brings no models in {bundle.folder}")
        for folder, read in zip(folders, pool.map(_card_or_problem, folders), strict=True):
            if isinstance(read, str):
                self.problems.append(f"{bundle.distribution} brings a broken model: {read}")
                continue
            card = replace(read, package=bundle.distribution)
            taken = self._cards.get(card.id)
            if taken is not None and taken.weights == card.weights:
                continue  # in a checkout, which has them all
            own = self._missing.get(card.id)
            if own is not None and own.package == bundle.distribution:
                del self._missing[card.id]
            else:
                card = replace(card, rank=max(card.rank, BEHIND))
            if self._add(card):
                self._folders[card.id] = folder

    def _add_packaged(self, model: PackagedModel) -> None:
        """Add a model that a function of a package makes."""
        if self._add(model.card):
            self._packaged[model.card.id] = model

    def _add(self, card: Card) -> bool:
        """Add a model of a package, unless its id is taken."""
        taken = self._cards.get(card.id) or self._missing.get(card.id)
        if taken is None:
            self._cards[card.id] = card
        else:
            self.problems.append(
                f"{card.package} brings a model {card.id}, which is a model of "
                f"{taken.package or 'Heed'} already"
            )
        return taken is None

    def leave_out(self, model_id: str, reason: str) -> None:
        """Remove a model that a package brings, for a reason that is reported."""
        card = self._cards.pop(model_id)
        self._packaged.pop(model_id, None)
        self.problems.append(f"{card.package} brings a model {model_id} that {reason}")
        log.warning("%s.", self.problems[-1])

    @property
    def missing(self) -> Mapping[str, Card]:
        """The cards of models whose weights another package brings, which is not installed."""
        return MappingProxyType(self._missing)

    @property
    def cards(self) -> Mapping[str, Card]:
        """The cards by id, the best model first."""
        return MappingProxyType(self._cards)

    def weight_bytes(self, models: Iterable[str]) -> int:
        """Return the bytes of the weights of models, with the image encoders that they share."""
        kept = [*models]
        folders = [folder for model in kept if (folder := self.stored(model)) is not None]
        networks = [(folder, network_of(folder)) for folder in folders]
        encoders = {
            encoder_folder(folder, network)
            for folder, network in networks
            if isinstance(network, PictureConfig)
        }
        return sum(self._cards[model].bytes for model in kept) + sum(map(encoder_bytes, encoders))

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

        It is the pipeline of its family (`models/families`). `threads` defaults to
        `spare_cores()` where the kernels split a batch, else to one.
        """
        if model_id not in self._cards:
            raise UnknownModelError(model_id, self.hint(model_id))
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

    def keep_trainings(self, model_id: str) -> None:
        """Read the other trainings of a model in memory, which are forgotten with it.

        Those that find no room beside it are left to be read one at a time.
        """
        with self._reading:
            pipeline = self._loaded.get(model_id)
            trainings = None if pipeline is None else pipeline.trainings
            if trainings is None or trainings.kept_bytes or not trainings.seeds:
                return
            taken = self._runtimes.encoder_bytes + self._cards[model_id].bytes + trainings.bytes
            if taken <= self.most_bytes:
                trainings.keep()
                self._forget_unused(model_id)

    def hint(self, model_id: str) -> str:
        """Return the sentence about a model that is not installed; empty for all other ids."""
        missing = self._missing.get(model_id)
        return f"{model_id} is not installed. {install_hint(missing)}" if missing else ""

    def may_be_forked(self, model_id: str) -> bool:
        """Return true if this model may be loaded before the process is forked.

        ONNX Runtime and PyTorch start threads, which a forked process does not have.
        """
        if model_id in self._hf or model_id in self._packaged:
            return False
        folder = self._folders[model_id]
        network = network_of(folder)
        if FAMILIES[network.family].on_numpy:
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
        own = {
            name: self._cards[name].bytes + _kept_bytes(pipeline)
            for name, pipeline in self._loaded.items()
            if name not in self._hf
        }
        taken = sum(own.values()) + self._runtimes.encoder_bytes
        for name in sorted(own, key=lambda name: self._used[name]):
            if taken <= self.most_bytes:
                return
            if name != loaded:
                taken -= own[name]
                self.forget(name)

    def forget(self, model_id: str) -> None:
        """Drop this model; the next `load` reads it again."""
        self._loaded.pop(model_id, None)

    def forget_hung(self, model_id: str) -> None:
        """Drop a model whose thread hangs; one of Hugging Face stays, not to be in memory twice."""
        if model_id not in self._hf:
            self.forget(model_id)

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
            encoder = checkpoint.relative(folder, network.image_encoder, checkpoint.WEIGHTS)
            written += export_image_encoder(encoder.parent)
        return written

    def convert(self, model_id: str, target: Path) -> list[Path]:
        """Write a model as one of Hugging Face transformers; returns the paths of its files."""
        from heed.models.recording.pegasus import write_pegasus

        if model_id not in self._folders:
            raise UnknownModelError(model_id)
        return write_pegasus(self._folders[model_id], target)

    def _read(self, model_id: str, threads: int | None) -> AnyPipeline:
        card = self._cards[model_id]
        if model_id in self._packaged:
            return _made(self._packaged[model_id])
        if model_id in self._hf:
            from heed.models.hf_pipeline import HFPipeline

            return HFPipeline.load(card, self._hf[model_id])
        return families.load(Stored(card, self._folders[model_id], self._runtimes, threads))


def _kept_bytes(pipeline: AnyPipeline) -> int:
    """Return the bytes of the other trainings of a model that are in memory."""
    return 0 if pipeline.trainings is None else pipeline.trainings.kept_bytes


def by_rank(card: Card) -> int:
    """Return the key that sorts cards of models as menus have them."""
    return card.rank


def install_command(card: Card) -> str:
    """Return the command that brings a model."""
    return f"pip install {card.package}"


def install_hint(card: Card) -> str:
    """Return the sentence with the command that brings a model."""
    return f"Install it with: {install_command(card)}"


def _folders(directory: Path) -> list[Path]:
    return sorted(path.parent for path in directory.glob(f"*/{checkpoint.CONFIG}"))


def _card_or_problem(folder: Path) -> Card | str:
    """Read the card of a model of a package, or say in a sentence why it is left out."""
    try:
        card = parse_card(folder)
    except CheckpointError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001 - the config has values of any kind
        return f"{folder} has no valid config: {error!r:.300}"
    if not (isinstance(card.id, str) and NAME.fullmatch(card.id)):
        return f"{folder} has the id {card.id!r:.100}"
    return f"{folder} has no weights" if card.package else card


def _made(model: PackagedModel) -> AnyPipeline:
    """Make the pipeline of a model by the function of a package."""
    from heed.models.generation.protocol import Pipeline

    name, package = model.card.id, model.card.package
    try:
        made = model.make(model.card)
    except Exception as error:
        raise CheckpointError(f"{name} of {package} cannot be made: {error!r}") from error
    if not isinstance(made, Pipeline):
        raise CheckpointError(f"{name} of {package} is no Pipeline, but {type(made).__name__}")
    return made


def compiled_for() -> str | None:
    """Return the kind of processor that the kernels in use were compiled for, if there are any."""
    from heed.models.runtime.native.kernels import best_level

    level = best_level()
    return None if level is None else level.name


def kernels_are_outdated() -> bool:
    """Return true if the source of the kernels has changed since they were compiled."""
    from heed.models.runtime.native.compiled import only_outdated

    return only_outdated()
