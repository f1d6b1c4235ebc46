"""The families of networks, by their configuration."""

from __future__ import annotations

from typing import overload

from models.config import (
    GazeConfig,
    GazingTransformerConfig,
    NetworkConfig,
    PictureConfig,
    TextConfig,
    TransformerConfig,
)
from models.gaze import Gazer, GazingTransformer
from models.seq2seq import Seq2Seq
from models.transformer import Transformer

TextNetwork = Seq2Seq | Transformer
PictureNetwork = Gazer | GazingTransformer
Network = TextNetwork | PictureNetwork


@overload
def build_network(config: TextConfig) -> TextNetwork: ...
@overload
def build_network(config: PictureConfig) -> PictureNetwork: ...
@overload
def build_network(config: NetworkConfig) -> Network: ...
def build_network(config: NetworkConfig) -> Network:
    """A fresh network of this shape."""
    match config:
        case GazeConfig():
            return Gazer(config)
        case GazingTransformerConfig():
            return GazingTransformer(config)
        case TransformerConfig():
            return Transformer(config)
    return Seq2Seq(config)
