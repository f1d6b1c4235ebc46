"""The catalogue of models: their cards, read at once, and their weights, read when first used.

Importing this module, and making a `Catalogue`, does not import torch.
"""

from __future__ import annotations

import hashlib
import math
import os
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from heed.models import checkpoint
from heed.models.config import (
    ImageConfig,
    NetworkConfig,
    RecurrentConfig,
    TextConfig,
    VQAConfig,
    read_network,
)
from heed.models.errors import CheckpointError, UnknownModelError
from heed.models.runtime.onnx.graph_signature import STEP
from heed.models.trace import Order

if TYPE_CHECKING:
    from heed.models.generation.pipeline import GenerationPipeline
    from heed.models.runtime.feature_cache import FeatureCache

RuntimeName = Literal["auto", "native", "onnx", "torch"]
READERS = 4
QUOTA = Path("/sys/fs/cgroup/cpu.max")
PICTURE_TASKS: Final = ("caption", "ask")  # of all others the source is a text
DEFAULT_DIRECTORY = Path(__file__).parent / "weights"


@dataclass(frozen=True, slots=True)
class Language:
    """A language or notation."""

    code: str
    name: str


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest input and output of a model."""

    characters: int
    tokens: int
    steps: int


@dataclass(frozen=True, slots=True)
class Card:
    """What is told about a model; `text` is its CARD.md."""

    id: str
    name: str
    task: str
    source: Language
    target: Language
    mechanism: str
    order: Order
    input_feeding: bool
    heads: int
    layers: int
    parameters: int
    bytes: int
    weights: str
    granularity: Literal["characters", "subwords"]
    quality: Mapping[str, float]
    limits: Limits
    examples: tuple[str, ...]
    hints: Mapping[str, str]  # what to look for in an example
    guided: str  # what of its attention learned from others where to look, if any did
    rank: int
    version: int  # raised whenever the weights change
    text: str = field(repr=False)

    @property
    def reads_pictures(self) -> bool:
        """Whether its source is a picture, and not a text."""
        return self.task in PICTURE_TASKS

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The card of the checkpoint in a folder."""
        config = checkpoint.read_config(folder)
        text = folder / checkpoint.CARD
        try:
            return cls(
                source=Language(**config["source"]),
                target=Language(**config["target"]),
                limits=Limits(**config["limits"]),
                bytes=(folder / checkpoint.WEIGHTS).stat().st_size
                + sum(half.nbytes for half in checkpoint.borrowed(folder).values()),
                weights=_digest(folder, config["network"]),
                text=text.read_text("utf-8") if text.exists() else "",
                examples=tuple(config["examples"]),
                hints=MappingProxyType(dict(config.get("hints", {}))),
                guided=str(config.get("guided", "")),
                quality=MappingProxyType(dict(config.get("quality", {}))),
                rank=int(config.get("rank", 100)),
                version=int(config.get("version", 1)),
                **_network(config["network"], config["task"]),
                **{key: config[key] for key in ("id", "name", "task", "parameters", "granularity")},
            )
        except (KeyError, TypeError, ValueError, OSError) as error:
            raise CheckpointError(f"{folder} is not a whole checkpoint: {error!r}") from error


def _digest(folder: Path, values: dict[str, Any]) -> str:
    """What tells weights from others: also by the eyes, and by the tensors that a sibling keeps."""
    own = checkpoint.digest(folder / checkpoint.WEIGHTS)
    network = read_network(values)
    more = b"".join(half.tobytes() for half in checkpoint.borrowed(folder).values())
    if isinstance(network, ImageConfig):
        more += checkpoint.digest(
            folder.parent / network.image_encoder / checkpoint.WEIGHTS
        ).encode()
    return hashlib.sha256(own.encode() + more).hexdigest() if more else own


def _network(values: dict[str, Any], task: str) -> dict[str, Any]:
    network = read_network(values)
    looks, answers = isinstance(network, ImageConfig), isinstance(network, VQAConfig)
    if looks != (task in PICTURE_TASKS) or answers != (task == "ask"):
        raise ValueError(f"a network of the family {network.family} cannot {task}")
    heads, layers = network.heads_and_layers
    return {
        "mechanism": network.mechanism,
        "order": network.order,
        "input_feeding": isinstance(network, RecurrentConfig) and network.input_feeding,
        "heads": heads,
        "layers": layers,
    }


def read_ahead(directory: Path) -> None:
    """Begin to read the weights of a directory: a `Catalogue` computes their digests when opened.

    They are some hundred megabytes, and the program can be imported meanwhile.
    """

    def read() -> None:
        for path in sorted(directory.glob(f"*/{checkpoint.WEIGHTS}")):
            with suppress(CheckpointError):  # whoever opens the zoo is told
                checkpoint.digest(path)

    threading.Thread(target=read, name="heed-digests", daemon=True).start()


class Catalogue:
    """Every model below a directory. Weights are read by one thread at a time."""

    def __init__(self, directory: Path = DEFAULT_DIRECTORY, runtime: RuntimeName = "auto") -> None:
        folders = sorted(path.parent for path in directory.glob(f"*/{checkpoint.CONFIG}"))
        if not folders:
            raise CheckpointError(f"{directory} holds no models")
        with ThreadPoolExecutor(READERS) as pool:  # of all weights a digest is made
            read = zip(pool.map(Card.read, folders), folders, strict=True)
            cards = sorted(read, key=lambda pair: (pair[0].rank, pair[0].id))
        self._folders = {card.id: folder for card, folder in cards}
        self._cards = {card.id: card for card, _ in cards}
        self._loaded: dict[str, GenerationPipeline[Any, Any]] = {}
        self._runtime = runtime
        self._reading = threading.RLock()
        self._sights: dict[tuple[Path, bool], FeatureCache[Any]] = {}

    @property
    def cards(self) -> Mapping[str, Card]:
        """The cards by id, the best model first."""
        return MappingProxyType(self._cards)

    def loaded(self, model_id: str) -> bool:
        """Whether this model's weights are in memory."""
        return model_id in self._loaded

    def load(self, model_id: str, threads: int | None = None) -> GenerationPipeline[Any, Any]:
        """The model, its weights read if they are not yet.

        A `Captioner` if it reads pictures, else a `Translator`. `threads` is how many run it; if
        that is not said, all cores but one, or both of two, where kernels part a batch, else one.
        """
        if model_id not in self._cards:
            raise UnknownModelError(model_id)
        if model_id not in self._loaded:
            with self._reading:
                if model_id not in self._loaded:
                    self._loaded[model_id] = self._read(model_id, threads)
        return self._loaded[model_id]

    def forget(self, model_id: str) -> None:
        """Read this model anew when it is next asked for."""
        self._loaded.pop(model_id, None)

    def _read(self, model_id: str, threads: int | None) -> GenerationPipeline[Any, Any]:
        from heed.models.generation.captioner import Captioner
        from heed.models.generation.translator import Translator

        card, folder = self._cards[model_id], self._folders[model_id]
        tokenizer = checkpoint.tokenizer_of(folder)
        network = read_network(checkpoint.read_config(folder)["network"])
        if not isinstance(network, ImageConfig):
            familiar = checkpoint.known_words_of(folder)
            return Translator(card, self._reader(folder, network, threads), tokenizer, familiar)
        sight = self._sight(folder, network, threads)
        if self._has_kernels(network):
            from heed.models.runtime import native

            pictures: Any = native.load_image_runtime(folder, sight, threads or spare_cores())
        else:
            pictures = self._backend(self._graphs(folder)).load_image_runtime(
                folder, sight, threads or 1
            )
        return Captioner(card, pictures, tokenizer)

    def _sight(self, folder: Path, network: ImageConfig, threads: int | None) -> FeatureCache[Any]:
        """The eyes of a model, once for all that have the same; PyTorch wants its own."""
        from heed.models.runtime import native
        from heed.models.runtime.native.kernels import available

        eyes, graphs = folder.parent / network.image_encoder, self._graphs(folder)
        arrays = graphs or self._has_kernels(network)
        if (eyes, arrays) not in self._sights:
            if arrays and self._may_use_kernels and available():
                sight = native.load_features(eyes, threads or spare_cores())
            else:
                sight = self._backend(graphs).load_features(eyes, threads or 1)
            self._sights[eyes, arrays] = sight
        return self._sights[eyes, arrays]

    def export(self, model_id: str) -> list[Path]:
        """Write the graphs that ONNX Runtime runs beside a model's weights; which ones."""
        from heed.models.runtime.onnx.export import export_image_encoder, export_model

        if model_id not in self._cards:
            raise UnknownModelError(model_id)
        folder = self._folders[model_id]
        network = read_network(checkpoint.read_config(folder)["network"])
        written = export_model(folder)
        if isinstance(network, ImageConfig):
            written += export_image_encoder(folder.parent / network.image_encoder)
        return written

    def _reader(self, folder: Path, network: TextConfig, threads: int | None) -> Any:
        """The runtime of a model that reads text: the kernels, where there are any for it."""
        from heed.models.runtime import native

        if self._runtime == "native" or self._has_kernels(network):
            return native.load_runtime(folder, threads or spare_cores())
        return self._backend(self._graphs(folder)).load_runtime(folder, threads or 1)

    def _has_kernels(self, network: NetworkConfig) -> bool:
        """Whether a network is run on the kernels: if they may run and know it."""
        from heed.models.runtime import native

        return self._may_use_kernels and native.runs(network)

    @property
    def _may_use_kernels(self) -> bool:
        return self._runtime in ("auto", "native")

    def _graphs(self, folder: Path) -> bool:
        """Whether a model is run as graphs: those that were exported, unless PyTorch is wanted."""
        if self._may_use_kernels:
            return (folder / STEP).exists()
        return self._runtime == "onnx"

    def _backend(self, graphs: bool) -> Any:
        if graphs:
            from heed.models.runtime.onnx import runtime as onnx

            return onnx
        from heed.models.runtime import torch

        return torch


def cores() -> int:
    """How many cores this process may run on, or as many as its container's quota is worth."""
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, int(min(here, _quota())))


def _quota() -> float:
    """Cores' worth of time that a container may take, as Linux tells it (cgroup v2)."""
    try:
        quota, period = QUOTA.read_text("ascii").split()
        return float(quota) / float(period)
    except (OSError, ValueError):  # none: "max"
        return math.inf


def spare_cores() -> int:
    """How many of them a model may take: all but one, which the rest of the server needs.

    Where there are two, both: the rest of the server has time enough while a batch is computed, and
    under a crowd a quarter more is answered.
    """
    here = cores()
    return max(here - 1, min(here, 2))


def compiled_for() -> str | None:
    """The kind of processor that the kernels were compiled for, if some run here."""
    from heed.models.runtime.native.kernels import best_level

    level = best_level()
    return None if level is None else level.name
