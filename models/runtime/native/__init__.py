"""Compiled kernels behind the two calls of `Runtime`: what translators run on.

`kernels.c` does a step in one call, on the weights as they are shipped, in 16 bits (docs/decisions/
0008). `compiled.py` compiles it, `kernels.py` calls it, the other modules are the two families of
networks that it knows.
"""

from __future__ import annotations

from pathlib import Path

from models import checkpoint
from models.config import TextConfig, TransformerConfig, read_text_network
from models.errors import CheckpointError
from models.runtime import NEVER_WRITTEN, RANKED
from models.runtime.native.kernels import available
from models.runtime.native.memory import Tensors
from models.runtime.native.recurrent import NativeRecurrent
from models.runtime.native.transformer import NativeTransformer


def runs(config: TextConfig) -> bool:
    """Whether there are kernels here, and for a network of this shape."""
    if available() is None or config.vocabulary < RANKED + NEVER_WRITTEN:
        return False
    if isinstance(config, TransformerConfig):
        return True
    return config.cell == "gru" and config.mechanism != "multihead"


def load_runtime(folder: Path, threads: int = 1) -> NativeRecurrent | NativeTransformer:
    """The model in a folder, of a shape that `runs`; so many threads part a batch among them."""
    config = read_text_network(checkpoint.read_config(folder)["network"])
    kernel = available()
    if kernel is None or not runs(config):
        raise CheckpointError(f"{folder}: there are no kernels for this network here")
    weights = Tensors(folder)
    if isinstance(config, TransformerConfig):
        return NativeTransformer(kernel, config, weights, threads)
    return NativeRecurrent(kernel, config, weights, threads)
