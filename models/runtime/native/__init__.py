"""Compiled kernels behind the two calls of `Runtime`.

A step is one call into `kernels.c`, on the weights as they are shipped, in 16 bits
(docs/decisions/0008). `compiled.py` compiles it and `kernels.py` calls it; the other modules are
the families of networks that it can run, and the image encoder.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Final

from heed.models import checkpoint
from heed.models.config import (
    NetworkConfig,
    RecurrentCaptionerConfig,
    RecurrentConfig,
    TransformerCaptionerConfig,
    TransformerConfig,
    VQAConfig,
    read_step_network,
)
from heed.models.errors import CheckpointError
from heed.models.runtime.feature_cache import FeatureCache
from heed.models.runtime.native.captioners import (
    NativeRecurrentCaptioner,
    NativeTransformerCaptioner,
)
from heed.models.runtime.native.image_encoder import NativeImageEncoder
from heed.models.runtime.native.kernels import available
from heed.models.runtime.native.questioner import NativeQuestioner
from heed.models.runtime.native.recurrent import SCORES, NativeRecurrent
from heed.models.runtime.native.transformer import NativeTransformer
from heed.models.runtime.native.workspace import Tensors
from heed.models.runtime.protocol import NEVER_WRITTEN, RANKED

SUPPORTED: Final[dict[type[NetworkConfig], frozenset[str]]] = {
    RecurrentConfig: frozenset(SCORES),
    TransformerConfig: frozenset({"multihead"}),
    RecurrentCaptionerConfig: frozenset({"soft", "hard"}),
    TransformerCaptionerConfig: frozenset({"multihead"}),
    VQAConfig: frozenset({"soft"}),
}
"""By family the mechanisms that there are kernels for."""


def runs(config: NetworkConfig) -> bool:
    """Return true if there are kernels here, and for a network of this configuration."""
    if available() is None or config.vocabulary < RANKED + NEVER_WRITTEN:
        return False
    if isinstance(config, RecurrentConfig) and config.cell != "gru":
        return False
    return config.mechanism in SUPPORTED.get(type(config), frozenset())


def load_runtime(
    folder: Path, threads: int = 1, file: str = checkpoint.WEIGHTS
) -> NativeRecurrent | NativeTransformer:
    """Load the model in a folder that reads text; `threads` split a batch."""
    config = read_step_network(checkpoint.read_config(folder)["network"])
    kernel, weights = _kernel(folder, config), Tensors(folder, file)
    runtime: NativeRecurrent | NativeTransformer
    match config:
        case RecurrentConfig():
            runtime = NativeRecurrent(kernel, config, weights, threads)
        case TransformerConfig():
            runtime = NativeTransformer(kernel, config, weights, threads)
        case _:
            raise CheckpointError(f"{folder}: {config.family} does not read text")
    weights.unload()
    return runtime


PictureRuntime = NativeRecurrentCaptioner | NativeTransformerCaptioner | NativeQuestioner


def load_picture_runtime(folder: Path, features: FeatureCache, threads: int = 1) -> PictureRuntime:
    """Load the model in a folder that reads pictures."""
    config = read_step_network(checkpoint.read_config(folder)["network"])
    kernel, weights = _kernel(folder, config), Tensors(folder)
    runtime: PictureRuntime
    match config:
        case RecurrentCaptionerConfig():
            runtime = NativeRecurrentCaptioner(kernel, config, weights, features, threads)
        case TransformerCaptionerConfig():
            runtime = NativeTransformerCaptioner(kernel, config, weights, features, threads)
        case VQAConfig():
            runtime = NativeQuestioner(kernel, config, weights, features, threads)
        case _:
            raise CheckpointError(f"{folder}: {config.family} does not read pictures")
    weights.unload()
    return runtime


def load_features(folder: Path, threads: int = 1) -> FeatureCache:
    """Load the image encoder in a folder; only where kernels are `available`."""
    kernel = available()
    if kernel is None:
        raise CheckpointError(f"{folder}: there are no kernels here")
    weights = Tensors(folder, image_encoder=True)
    encoder = NativeImageEncoder(kernel, weights, threads)
    weights.unload()
    return FeatureCache(encoder.encode)


def _kernel(folder: Path, config: NetworkConfig) -> ctypes.CDLL:
    kernel = available()
    if kernel is None or not runs(config):
        kind = f"{config.family} with {config.mechanism} attention"
        raise CheckpointError(f"{folder}: there are no kernels here for {kind}")
    return kernel
