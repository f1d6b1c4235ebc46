"""The configuration of a network: everything that decides its shape, and nothing else."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, Self

from heed.models.trace import Order


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


@dataclass(frozen=True, slots=True)
class RecurrentCaptionerConfig(Config):
    """Shape of a recurrent decoder that looks at the cells of a picture (Xu et al. 2015)."""

    mechanism: Literal["soft", "hard"]
    embedding: int
    cells: int  # width of what is seen in a cell
    decoder_width: int
    attention_width: int
    family: Literal["recurrent-captioner"] = "recurrent-captioner"
    image_encoder: str = "image-encoder"  # the folder of their weights, beside that of the model
    dropout: float = 0.0

    order: Literal["before"] = "before"

    @property
    def heads_and_layers(self) -> tuple[int, int]:
        """Heads of a layer of attention, and layers, between picture and words."""
        return 1, 1


@dataclass(frozen=True, slots=True)
class TransformerCaptionerConfig(Config):
    """Shape of a Transformer's decoder that looks at the cells of a picture."""

    width: int
    heads: int
    feedforward: int
    layers: int
    cells: int
    family: Literal["transformer-captioner"] = "transformer-captioner"
    image_encoder: str = "image-encoder"
    dropout: float = 0.0

    mechanism: Literal["multihead"] = "multihead"
    order: Literal["after"] = "after"

    @property
    def heads_and_layers(self) -> tuple[int, int]:
        """Heads of a layer of attention, and layers, between picture and words."""
        return self.heads, self.layers


@dataclass(frozen=True, slots=True)
class VQAConfig(Config):
    """Shape of a network that reads a question, looks at a picture and writes an answer."""

    embedding: int  # of the words of questions and of answers
    question_width: int  # of each direction of what reads the question
    cells: int  # width of what is seen in a cell
    decoder_width: int
    attention_width: int
    fused: int  # width of question and picture together
    family: Literal["vqa"] = "vqa"
    image_encoder: str = "image-encoder"
    dropout: float = 0.0

    mechanism: Literal["soft"] = "soft"
    order: Literal["before"] = "before"

    @property
    def heads_and_layers(self) -> tuple[int, int]:
        """Heads of a layer of attention, and layers, between picture and words."""
        return 1, 1


TextConfig = RecurrentConfig | TransformerConfig
CaptionConfig = RecurrentCaptionerConfig | TransformerCaptionerConfig
ImageConfig = CaptionConfig | VQAConfig
NetworkConfig = TextConfig | ImageConfig

FAMILIES: dict[str, type[NetworkConfig]] = {
    "recurrent": RecurrentConfig,
    "transformer": TransformerConfig,
    "recurrent-captioner": RecurrentCaptionerConfig,
    "transformer-captioner": TransformerCaptionerConfig,
    "vqa": VQAConfig,
}


def read_text_network(values: dict[str, Any]) -> TextConfig:
    """The configuration of a network that reads text."""
    config = read_network(values)
    if isinstance(config, ImageConfig):
        message = f"{config.family} is a family of networks that look at pictures"
        raise ValueError(message)  # noqa: TRY004 - it is the value that is wrong
    return config


def read_network(values: dict[str, Any]) -> NetworkConfig:
    """The configuration of the family that `values` names."""
    family = values.get("family", "recurrent")
    if family not in FAMILIES:
        raise ValueError(f"there is no family {family!r} of networks")
    return FAMILIES[family].from_dict(values)
