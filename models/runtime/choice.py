"""The choice of what runs a network that writes token by token: kernels, graphs or PyTorch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from heed.models import checkpoint
from heed.models.config import NetworkConfig, PictureConfig
from heed.models.cores import spare_cores
from heed.models.runtime.onnx.graph_signature import IMAGE_ENCODER, STEP

if TYPE_CHECKING:
    from heed.models.runtime.feature_cache import FeatureCache
    from heed.models.runtime.protocol import PictureInput, Runtime, Tokens

RuntimeName = Literal["auto", "native", "onnx", "torch"]
Backend = Literal["native", "onnx", "torch"]


class RuntimeChoice:
    """Loads networks for the runtime that was configured, or for the best one that runs them."""

    def __init__(self, name: RuntimeName) -> None:
        self._name = name
        self._features: dict[Path, FeatureCache] = {}
        self.encoder_bytes = 0
        """Bytes of the weights of the image encoders that are in memory, which models share."""

    def backend(self, folder: Path, network: NetworkConfig) -> Backend:
        """Choose what runs a network: the kernels, else exported graphs, else PyTorch.

        Each lists the families and mechanisms that it can run; PyTorch runs the rest.
        """
        if not self._may_use_kernels:
            return "onnx" if self._name == "onnx" else "torch"
        from heed.models.runtime import native
        from heed.models.runtime.onnx import supported as onnx

        if native.runs(network):
            return "native"
        return "onnx" if (folder / STEP).exists() and onnx.runs(network) else "torch"

    def load_text(
        self, folder: Path, network: NetworkConfig, threads: int | None
    ) -> Runtime[Tokens]:
        """Load a network that reads text; a runtime that was configured may refuse it."""
        backend = "native" if self._name == "native" else self.backend(folder, network)
        return _module(backend).load_runtime(folder, threads or _threads(backend))

    def load_training(
        self, folder: Path, network: NetworkConfig, threads: int | None, file: str
    ) -> Runtime[Tokens]:
        """Load a network that reads text from the file of another training.

        PyTorch runs it where exported graphs run the network: they point into one file of weights.
        """
        if self.backend(folder, network) == "native":
            from heed.models.runtime import native

            return native.load_runtime(folder, threads or _threads("native"), file)
        from heed.models.runtime import torch

        return torch.load_runtime(folder, threads or 1, file)

    def load_picture(
        self, folder: Path, network: PictureConfig, threads: int | None
    ) -> Runtime[PictureInput]:
        """Load a network that reads pictures, behind an image encoder that it may share."""
        backend = self.backend(folder, network)
        features = self._feature_cache(encoder_folder(folder, network), threads)
        module = _module(backend)
        return module.load_picture_runtime(folder, features, threads or _threads(backend))

    def _feature_cache(self, folder: Path, threads: int | None) -> FeatureCache:
        """Load an image encoder, once for all models that have the same."""
        if folder not in self._features:
            self._features[folder] = self._load_features(folder, threads)
            self.encoder_bytes += encoder_bytes(folder)
        return self._features[folder]

    def _load_features(self, folder: Path, threads: int | None) -> FeatureCache:
        backend = self._image_encoder_backend(folder)
        return _module(backend).load_features(folder, threads or _threads(backend))

    def _image_encoder_backend(self, folder: Path) -> Backend:
        if not self._may_use_kernels:
            return "onnx" if self._name == "onnx" else "torch"
        from heed.models.runtime.native.kernels import available

        if available():
            return "native"
        return "onnx" if (folder / IMAGE_ENCODER).exists() else "torch"

    @property
    def _may_use_kernels(self) -> bool:
        return self._name in ("auto", "native")


def encoder_folder(folder: Path, network: PictureConfig) -> Path:
    """Return the folder of the image encoder of a network."""
    return checkpoint.relative(folder, network.image_encoder, checkpoint.WEIGHTS).parent


def encoder_bytes(folder: Path) -> int:
    """Return the bytes of the weights of the image encoder in a folder."""
    return (folder / checkpoint.WEIGHTS).stat().st_size


class RuntimeModule(Protocol):
    """The functions of a module of runtimes."""

    def load_runtime(self, folder: Path, threads: int = 1) -> Runtime[Tokens]:
        """Load the model in a folder that reads text."""

    def load_picture_runtime(
        self, folder: Path, features: FeatureCache, threads: int = 1
    ) -> Runtime[PictureInput]:
        """Load the model in a folder that reads pictures."""

    def load_features(self, folder: Path, threads: int = 1) -> FeatureCache:
        """Load the image encoder in a folder."""


def _module(backend: Backend) -> RuntimeModule:
    """Import a module of runtimes, PyTorch only where it runs a network."""
    match backend:
        case "native":
            from heed.models.runtime import native

            return native
        case "onnx":
            from heed.models.runtime.onnx import runtime as onnx

            return onnx
        case "torch":
            from heed.models.runtime import torch

            return torch


def _threads(backend: Backend) -> int:
    """Return the threads of a network by default: the kernels split a batch."""
    return spare_cores() if backend == "native" else 1
