"""The families of networks, by their configuration."""

from __future__ import annotations

from typing import overload

from heed.models.config import (
    AskConfig,
    CaptionConfig,
    GazeConfig,
    GazingTransformerConfig,
    NetworkConfig,
    PictureConfig,
    TextConfig,
    TransformerConfig,
)
from heed.models.networks.captioning import Gazer, GazingTransformer
from heed.models.networks.seq2seq import Seq2Seq
from heed.models.networks.transformer import Transformer
from heed.models.networks.vqa import Asker

TextNetwork = Seq2Seq | Transformer
CaptionNetwork = Gazer | GazingTransformer
PictureNetwork = CaptionNetwork | Asker
Network = TextNetwork | PictureNetwork


@overload
def build_network(config: TextConfig) -> TextNetwork: ...
@overload
def build_network(config: CaptionConfig) -> CaptionNetwork: ...
@overload
def build_network(config: AskConfig) -> Asker: ...
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
        case AskConfig():
            return Asker(config)
        case TransformerConfig():
            return Transformer(config)
    return Seq2Seq(config)
