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
from typing import TYPE_CHECKING, Final, Literal

from heed.models import checkpoint
from heed.models.card import Card
from heed.models.card_reader import read_card
from heed.models.config import (
    GlimpseConfig,
    GraphConfig,
    ImageConfig,
    LSTMNConfig,
    MemoryConfig,
    NetworkConfig,
    VisionConfig,
    read_network,
)
from heed.models.cores import spare_cores
from heed.models.errors import CheckpointError, UnknownModelError
from heed.models.hf_card import read_hf_card
from heed.models.memory import available_memory
from heed.models.runtime.onnx.graph_signature import IMAGE_ENCODER, STEP

if TYPE_CHECKING:
    from heed.models.generation.protocol import AnyPipeline
    from heed.models.runtime.feature_cache import FeatureCache
    from heed.models.runtime.graph import GraphRuntime
    from heed.models.runtime.memory import MemoryRuntime
    from heed.models.runtime.protocol import ImageInput, Runtime, Tokens
    from heed.models.runtime.vision import VisionRuntime

RuntimeName = Literal["auto", "native", "onnx", "torch"]
Backend = Literal["native", "onnx", "torch"]
READERS: Final = 4
ROOM: Final = 2
"""Free memory for a model of Hugging Face, by the size of its weights: it loads, and runs."""
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
            read = zip(pool.map(read_card, folders), folders, strict=True)
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
        self._runtime = runtime
        self._reading = threading.RLock()
        self._features: dict[Path, FeatureCache] = {}

    @property
    def cards(self) -> Mapping[str, Card]:
        """The cards by id, the best model first."""
        return MappingProxyType(self._cards)

    def limit_memory(self, most_bytes: int) -> None:
        """Keep weights of so many bytes in memory, without those of Hugging Face.

        The least recently used model is forgotten first, and the last one is always kept.
        """
        self.most_bytes = most_bytes

    def loaded(self, model_id: str) -> bool:
        """Return true if this model's weights are in memory."""
        return model_id in self._loaded

    def load(self, model_id: str, threads: int | None = None) -> AnyPipeline:
        """Return the model; its weights are read if they are not in memory.

        It is a `Captioner` or a `VisionReader` if it reads pictures, a `StoryReader` if it reads
        stories, a `NodeClassifier` if it reads graphs, a `GlimpseReader` if it looks in glimpses,
        a `SentenceReader` if it reads word by word, else a `Translator`. `threads` defaults to
        `spare_cores()` where the kernels split a batch, else to one.
        """
        if model_id not in self._cards:
            raise UnknownModelError(model_id)
        self._used[model_id] = next(self._calls)
        if (found := self._loaded.get(model_id)) is not None:
            return found
        with self._reading:
            if (found := self._loaded.get(model_id)) is None:
                if model_id in self._hf:
                    self._make_room(self._cards[model_id].bytes)
                found = self._loaded[model_id] = self._read(model_id, threads)
                self._forget_unused(model_id)
            return found

    def may_be_forked(self, model_id: str) -> bool:
        """Return true if this model may be loaded before the process is forked.

        ONNX Runtime and PyTorch start threads, which a forked process does not have.
        """
        if model_id in self._hf:
            return False
        folder = self._folders[model_id]
        network = read_network(checkpoint.read_config(folder)["network"])
        return self._runs_on_numpy(network) or self._backend(folder, network) == "native"

    def _make_room(self, size: int) -> None:
        """Forget models of Hugging Face, the first loaded first, while memory is short."""
        for name in [name for name in self._loaded if name in self._hf]:
            if available_memory() >= ROOM * size:
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
        network = read_network(checkpoint.read_config(folder)["network"])
        written = export_model(folder)
        if isinstance(network, ImageConfig):
            written += export_image_encoder(folder.parent / network.image_encoder)
        return written

    def convert(self, model_id: str, target: Path) -> list[Path]:
        """Write a model as one of Hugging Face transformers; returns the paths of its files."""
        from heed.models.recording.pegasus import write_pegasus

        if model_id not in self._folders:
            raise UnknownModelError(model_id)
        return write_pegasus(self._folders[model_id], target)

    def _read(self, model_id: str, threads: int | None) -> AnyPipeline:
        from heed.models.generation.captioner import Captioner
        from heed.models.generation.translator import Translator

        if model_id in self._hf:
            from heed.models.hf_pipeline import HFPipeline

            return HFPipeline.load(self._cards[model_id], self._hf[model_id])
        card, folder = self._cards[model_id], self._folders[model_id]
        network = read_network(checkpoint.read_config(folder)["network"])
        if isinstance(network, MemoryConfig):
            return self._story_reader(card, folder, network)
        if isinstance(network, GraphConfig):
            return self._node_classifier(card, folder, network)
        if isinstance(network, GlimpseConfig):
            return self._glimpse_reader(card, folder, network)
        if isinstance(network, VisionConfig):
            return self._vision_reader(card, folder, network)
        if isinstance(network, LSTMNConfig):
            return self._sentence_reader(card, folder, network)
        tokenizer = checkpoint.tokenizer_of(folder)
        if isinstance(network, ImageConfig):
            return Captioner(card, self._image_runtime(folder, network, threads), tokenizer)
        known_words = checkpoint.known_words_of(folder)
        runtime = self._text_runtime(folder, network, threads)
        return Translator(card, runtime, tokenizer, known_words)

    def _story_reader(self, card: Card, folder: Path, network: MemoryConfig) -> AnyPipeline:
        """Load a model that reads stories."""
        from heed.models.generation.story_reader import StoryReader

        vocabulary = checkpoint.story_vocabulary_of(folder)
        return StoryReader(card, self._memory_runtime(folder, network), vocabulary)

    def _glimpse_reader(self, card: Card, folder: Path, network: GlimpseConfig) -> AnyPipeline:
        """Load a model that looks in glimpses: NumPy runs it unless PyTorch was asked for."""
        from heed.models.generation.glimpse_reader import GlimpseReader

        if self._runs_on_numpy(network):
            from heed.models.runtime.numpy import glimpse

            return GlimpseReader(card, glimpse.load_runtime(folder))
        from heed.models.runtime import torch_glimpse

        return GlimpseReader(card, torch_glimpse.load_runtime(folder))

    def _sentence_reader(self, card: Card, folder: Path, network: LSTMNConfig) -> AnyPipeline:
        """Load a model that reads word by word: NumPy runs it unless PyTorch was asked for."""
        from heed.models.generation.sentence_reader import SentenceReader
        from heed.models.text.words import WordVocabulary

        vocabulary = WordVocabulary.load(folder)
        if len(vocabulary) != network.vocabulary:
            message = f"{folder} has {len(vocabulary)} words; its network has {network.vocabulary}"
            raise CheckpointError(message)
        if self._runs_on_numpy(network):
            from heed.models.runtime.numpy import lstmn

            return SentenceReader(card, lstmn.load_runtime(folder), vocabulary)
        from heed.models.runtime import torch_lstmn

        return SentenceReader(card, torch_lstmn.load_runtime(folder), vocabulary)

    def _memory_runtime(self, folder: Path, network: MemoryConfig) -> MemoryRuntime:
        """Load a memory network: NumPy runs it unless PyTorch was asked for."""
        if self._runs_on_numpy(network):
            from heed.models.runtime.numpy import memory

            return memory.load_runtime(folder)
        from heed.models.runtime import torch_memory

        return torch_memory.load_runtime(folder)

    def _vision_reader(self, card: Card, folder: Path, network: VisionConfig) -> AnyPipeline:
        """Load a model that attends among the patches of a picture."""
        from heed.models.generation.vision_reader import VisionReader

        classes = checkpoint.classes_of(folder)
        return VisionReader(card, self._vision_runtime(folder, network), classes)

    def _vision_runtime(self, folder: Path, network: VisionConfig) -> VisionRuntime:
        """Load a Vision Transformer: NumPy runs it unless PyTorch was asked for."""
        if self._runs_on_numpy(network):
            from heed.models.runtime.numpy import vision

            return vision.load_runtime(folder)
        from heed.models.runtime import torch_vision

        return torch_vision.load_runtime(folder)

    def _node_classifier(self, card: Card, folder: Path, network: GraphConfig) -> AnyPipeline:
        """Load a model that reads graphs."""
        from heed.models.generation.node_classifier import NodeClassifier

        return NodeClassifier(card, self._graph_runtime(folder, network))

    def _graph_runtime(self, folder: Path, network: GraphConfig) -> GraphRuntime:
        """Load a network of graphs: NumPy runs it unless PyTorch was asked for."""
        if self._runs_on_numpy(network):
            from heed.models.runtime.numpy import graph

            return graph.load_runtime(folder)
        from heed.models.runtime import torch_graph

        return torch_graph.load_runtime(folder)

    def _text_runtime(
        self, folder: Path, network: NetworkConfig, threads: int | None
    ) -> Runtime[Tokens]:
        """Load a model that reads text; a runtime that was asked for may refuse it."""
        match "native" if self._runtime == "native" else self._backend(folder, network):
            case "native":
                from heed.models.runtime import native

                return native.load_runtime(folder, threads or spare_cores())
            case "onnx":
                from heed.models.runtime.onnx import runtime as onnx

                return onnx.load_runtime(folder, threads or 1)
            case _:
                from heed.models.runtime import torch

                return torch.load_runtime(folder, threads or 1)

    def _image_runtime(
        self, folder: Path, network: ImageConfig, threads: int | None
    ) -> Runtime[ImageInput]:
        """Load a model that reads pictures, behind an image encoder that it may share."""
        backend = self._backend(folder, network)
        features = self._feature_cache(folder.parent / network.image_encoder, threads)
        match backend:
            case "native":
                from heed.models.runtime import native

                return native.load_image_runtime(folder, features, threads or spare_cores())
            case "onnx":
                from heed.models.runtime.onnx import runtime as onnx

                return onnx.load_image_runtime(folder, features, threads or 1)
            case _:
                from heed.models.runtime import torch

                return torch.load_image_runtime(folder, features, threads or 1)

    def _feature_cache(self, folder: Path, threads: int | None) -> FeatureCache:
        """Load an image encoder, once for all models that have the same."""
        if folder not in self._features:
            self._features[folder] = self._load_features(folder, threads)
        return self._features[folder]

    def _load_features(self, folder: Path, threads: int | None) -> FeatureCache:
        if self._may_use_kernels:
            from heed.models.runtime.native.kernels import available

            if available():
                from heed.models.runtime import native

                return native.load_features(folder, threads or spare_cores())
        exported = (folder / IMAGE_ENCODER).exists()
        if self._runtime == "onnx" or (self._may_use_kernels and exported):
            from heed.models.runtime.onnx import runtime as onnx

            return onnx.load_features(folder, threads or 1)
        from heed.models.runtime import torch

        return torch.load_features(folder, threads or 1)

    def _backend(self, folder: Path, network: NetworkConfig) -> Backend:
        """Choose what runs a network: the kernels, else exported graphs, else PyTorch.

        Each lists the families and mechanisms that it can run; PyTorch runs the rest.
        """
        if not self._may_use_kernels:
            return "onnx" if self._runtime == "onnx" else "torch"
        from heed.models.runtime import native
        from heed.models.runtime.onnx import supported as onnx

        if native.runs(network):
            return "native"
        return "onnx" if (folder / STEP).exists() and onnx.runs(network) else "torch"

    def _runs_on_numpy(self, network: NetworkConfig) -> bool:
        from heed.models.runtime import numpy

        return self._runtime != "torch" and numpy.runs(network)

    @property
    def _may_use_kernels(self) -> bool:
        return self._runtime in ("auto", "native")


def compiled_for() -> str | None:
    """Return the kind of processor that the kernels in use were compiled for, if there are any."""
    from heed.models.runtime.native.kernels import best_level

    level = best_level()
    return None if level is None else level.name
