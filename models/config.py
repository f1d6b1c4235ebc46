"""The configuration of a network: everything that decides its shape, and nothing else."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, Self

from models.trace import Order


@dataclass(frozen=True, slots=True)
class Config:
    """What every configuration can do."""

    vocabulary: int

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """From a plain dictionary; an unknown key is refused."""
        known = {field.name for field in fields(cls)}
        if unknown := sorted(set(values) - known):
            raise ValueError(f"unknown keys: {', '.join(unknown)}")
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """A plain dictionary, as it stands in config.json."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class RecurrentConfig(Config):
    """Shape of a recurrent encoder and decoder with attention between them."""

    mechanism: Literal["none", "additive", "concat", "dot", "general", "scaled", "multihead"]
    order: Order
    embedding: int
    encoder_width: int  # of each direction
    decoder_width: int
    attention_width: int
    family: Literal["recurrent"] = "recurrent"
    cell: Literal["gru", "lstm"] = "gru"
    encoder_layers: int = 1
    decoder_layers: int = 1
    heads: int = 1
    input_feeding: bool = False  # the attentional vector goes into the next update
    query_feeding: bool = False  # before the update, the token fed asks beside the old state
    end_hidden: bool = False  # the end mark of what is read is not there to be looked at
    tied: bool = False  # the output projection is the embedding, transposed
    dropout: float = 0.0

    def __post_init__(self) -> None:
        if (self.mechanism == "none") != (self.order == "fixed"):
            raise ValueError("the order is `fixed` where the mechanism is `none`, and only there")
        if self.input_feeding and self.order != "after":
            raise ValueError("input feeding belongs to attention after the state update")
        if self.end_hidden and self.mechanism == "none":
            raise ValueError("there is nothing to hide from a model that does not look")
        if self.query_feeding and self.order != "before":
            raise ValueError("query feeding belongs to attention before the state update")

    @property
    def memory_width(self) -> int:
        """Width of what the encoder leaves behind: both directions."""
        return 2 * self.encoder_width

    @property
    def heads_and_layers(self) -> tuple[int, int]:
        """Heads of a layer of attention, and layers, between the two languages."""
        return (0, 0) if self.mechanism == "none" else (self.heads, 1)


@dataclass(frozen=True, slots=True)
class TransformerConfig(Config):
    """Shape of a Transformer; its embeddings are also its output projection."""

    width: int
    heads: int
    feedforward: int
    encoder_layers: int
    decoder_layers: int
    family: Literal["transformer"] = "transformer"
    dropout: float = 0.0

    mechanism: Literal["multihead"] = "multihead"
    order: Literal["after"] = "after"  # cross-attention is asked by what self-attention has made

    @property
    def heads_and_layers(self) -> tuple[int, int]:
        """Heads of a layer of attention, and layers, between the two languages."""
        return self.heads, self.decoder_layers


NetworkConfig = RecurrentConfig | TransformerConfig


def read_network(values: dict[str, Any]) -> NetworkConfig:
    """The configuration of the family that `values` names."""
    families: dict[str, type[RecurrentConfig] | type[TransformerConfig]] = {
        "recurrent": RecurrentConfig,
        "transformer": TransformerConfig,
    }
    family = values.get("family", "recurrent")
    if family not in families:
        raise ValueError(f"there is no family {family!r} of networks")
    return families[family].from_dict(values)
