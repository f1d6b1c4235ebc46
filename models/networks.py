"""The families of networks, by their configuration."""

from __future__ import annotations

from models.config import NetworkConfig, TransformerConfig
from models.seq2seq import Seq2Seq
from models.transformer import Transformer

Network = Seq2Seq | Transformer


def build_network(config: NetworkConfig) -> Network:
    """A fresh network of this shape."""
    if isinstance(config, TransformerConfig):
        return Transformer(config)
    return Seq2Seq(config)
