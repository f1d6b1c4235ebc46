"""Compiled kernels behind the two calls of `Runtime`: what translators and captioners run on.

`kernels.c` does a step in one call, on the weights as they are shipped, in 16 bits (docs/decisions/
0008). `compiled.py` compiles it, `kernels.py` calls it, the other modules are the two families of
networks that it knows, and `gaze.py` their decoders where they look at pictures, with `eyes.py`.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

from heed.models import checkpoint
from heed.models.config import (
    NetworkConfig,
    RecurrentCaptionerConfig,
    RecurrentConfig,
    TransformerCaptionerConfig,
    VQAConfig,
    read_network,
    read_text_network,
)
from heed.models.errors import CheckpointError
from heed.models.runtime.feature_cache import FeatureCache
from heed.models.runtime.native.captioning import (
    NativeRecurrentCaptioner,
    NativeTransformerCaptioner,
)
from heed.models.runtime.native.image_encoder import NativeImageEncoder
from heed.models.runtime.native.kernels import available
from heed.models.runtime.native.recurrent import NativeRecurrent
from heed.models.runtime.native.transformer import NativeTransformer
from heed.models.runtime.native.workspace import Tensors
from heed.models.runtime.protocol import NEVER_WRITTEN, RANKED
from heed.models.trace import Floats


def runs(config: NetworkConfig) -> bool:
    """Whether there are kernels here, and for a network of this shape."""
    if available() is None or config.vocabulary < RANKED + NEVER_WRITTEN:
        return False
    if isinstance(config, RecurrentConfig):
        return config.cell == "gru" and config.mechanism != "multihead"
    return not isinstance(config, VQAConfig)


def load_runtime(folder: Path, threads: int = 1) -> NativeRecurrent | NativeTransformer:
    """The model in a folder, of a shape that `runs`; so many threads part a batch among them."""
    config = read_text_network(checkpoint.read_config(folder)["network"])
    kernel, weights = _kernel(folder, config), Tensors(folder)
    if isinstance(config, RecurrentConfig):
        return NativeRecurrent(kernel, config, weights, threads)
    return NativeTransformer(kernel, config, weights, threads)


def load_image_runtime(
    folder: Path, sight: FeatureCache[Floats], threads: int = 1
) -> NativeRecurrentCaptioner | NativeTransformerCaptioner:
    """The model in a folder that looks at pictures, with its eyes."""
    config = read_network(checkpoint.read_config(folder)["network"])
    kernel, weights = _kernel(folder, config), Tensors(folder)
    match config:
        case RecurrentCaptionerConfig():
            return NativeRecurrentCaptioner(kernel, config, weights, sight, threads)
        case TransformerCaptionerConfig():
            return NativeTransformerCaptioner(kernel, config, weights, sight, threads)
        case _:
            raise CheckpointError(f"{folder}: a network of another kind")


def load_features(folder: Path, threads: int = 1) -> FeatureCache[Floats]:
    """The eyes in a folder; only where kernels are `available`."""
    kernel = available()
    if kernel is None:
        raise CheckpointError(f"{folder}: there are no kernels here")
    return FeatureCache(NativeImageEncoder(kernel, Tensors(folder, eyes=True), threads).look)


def _kernel(folder: Path, config: NetworkConfig) -> ctypes.CDLL:
    kernel = available()
    if kernel is None or not runs(config):
        raise CheckpointError(f"{folder}: there are no kernels for this network here")
    return kernel
