"""The families of networks, by their configuration."""

from __future__ import annotations

from typing import overload

from heed.models.config import (
    CaptionConfig,
    ImageConfig,
    NetworkConfig,
    RecurrentCaptionerConfig,
    TextConfig,
    TransformerCaptionerConfig,
    TransformerConfig,
    VQAConfig,
)
from heed.models.networks.captioning import RecurrentCaptioner, TransformerCaptioner
from heed.models.networks.seq2seq import Seq2Seq
from heed.models.networks.transformer import Transformer
from heed.models.networks.vqa import VQANetwork

TextNetwork = Seq2Seq | Transformer
CaptionNetwork = RecurrentCaptioner | TransformerCaptioner
ImageNetwork = CaptionNetwork | VQANetwork
Network = TextNetwork | ImageNetwork


@overload
def build_network(config: TextConfig) -> TextNetwork: ...
@overload
def build_network(config: CaptionConfig) -> CaptionNetwork: ...
@overload
def build_network(config: VQAConfig) -> VQANetwork: ...
@overload
def build_network(config: ImageConfig) -> ImageNetwork: ...
@overload
def build_network(config: NetworkConfig) -> Network: ...
def build_network(config: NetworkConfig) -> Network:
    """A fresh network of this shape."""
    match config:
        case RecurrentCaptionerConfig():
            return RecurrentCaptioner(config)
        case TransformerCaptionerConfig():
            return TransformerCaptioner(config)
        case VQAConfig():
            return VQANetwork(config)
        case TransformerConfig():
            return Transformer(config)
    return Seq2Seq(config)
