"""The configuration of a network: everything that decides its shape, and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Final, Literal, Self

from heed.models.mechanisms import MECHANISMS, PICTURE_MECHANISMS
from heed.models.trace import Order

DEFAULT_FAMILY: Final = "recurrent"
MOST_LAYERS: Final = 256
"""Layers, heads, hops, scales, glimpses."""
MOST_NUMBERS: Final = 16_384
"""The width of a vector, and every other size except that of a vocabulary."""
MOST_WORDS: Final = 1_000_000
COUNTS: Final = frozenset(
    ("layers", "encoder_layers", "decoder_layers", "heads", "hops", "scales", "glimpses", "blocks")
)
WORDS: Final = frozenset(("vocabulary", "answers"))
WIDTHS: Final = frozenset(("width", "decoder_width", "embedding", "cells", "attention_width"))


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkConfig:
    """A configuration, as it stands in config.json. Its class is the family of the network."""

    vocabulary: int
    dropout: float = 0.0
    family: str
    mechanism: str
    order: Order
    mechanisms: ClassVar[Collection[str]]  # that a network of this family can have
    reads: ClassVar[str] = "text"
    task: ClassVar[str | None] = None  # of a family with one, which writes no token a step

    def __post_init__(self) -> None:
        if self.mechanism not in self.mechanisms:
            known = ", ".join(self.mechanisms)
            message = f"there is no mechanism {self.mechanism!r} of the family {self.family}"
            raise ValueError(f"{message}, only {known}")
        self._check_sizes()
        self.check_order()

    def _check_sizes(self) -> None:
        """Raise `ValueError` for a size that no network has: building it would take for ever."""
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, int) or isinstance(value, bool):
                continue
            most = MOST_LAYERS if field.name in COUNTS else MOST_NUMBERS
            if field.name in WORDS:
                most = MOST_WORDS
            if not 0 <= value <= most:
                raise ValueError(f"`{field.name}` must be between 0 and {most}, not {value}")

    @property
    def widest(self) -> int:
        """The width of its widest vectors."""
        widths = [getattr(self, name) for name in WIDTHS if hasattr(self, name)]
        return max([*widths, 2 * getattr(self, "encoder_width", 0)])

    def check_order(self) -> None:
        """Raise `ValueError` if the order does not fit the mechanism."""

    @classmethod
    def family_name(cls) -> str:
        """Return the name of the family, as it stands in config.json."""
        return next(str(field.default) for field in fields(cls) if field.name == "family")

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read a plain dictionary; an unknown key is refused."""
        known = {field.name for field in fields(cls)}
        if unknown := sorted(set(values) - known):
            raise ValueError(f"unknown keys: {', '.join(unknown)}")
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """Return a plain dictionary, as it stands in config.json."""
        return asdict(self)

    @property
    def heads_and_layers(self) -> tuple[int, int]:
        """Heads of a layer that attends, and such layers."""
        return getattr(self, "heads", 1), getattr(self, "layers", 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureConfig(NetworkConfig):
    """A configuration of a network that reads the cells of a picture."""

    cells: int  # width of the features of a cell
    image_encoder: str = "image-encoder"  # the folder of its weights, beside that of the model
    reads: ClassVar[str] = "pictures"
    reads_question: ClassVar[bool] = False  # beside the picture


@dataclass(frozen=True, slots=True, kw_only=True)
class RecurrentConfig(NetworkConfig):
    """Shape of a recurrent encoder and decoder with attention between them."""

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
    query_feeding: bool = False  # before the update, the query is the old state and the last token
    end_hidden: bool = False  # the end mark of the source is masked
    tied: bool = False  # the output projection is the embedding, transposed

    mechanisms: ClassVar[Collection[str]] = MECHANISMS

    def check_order(self) -> None:
        """Raise `ValueError` if the order does not fit the mechanism."""
        if self.attends == (self.order == "fixed"):
            raise ValueError("the order is `fixed` where the mechanism is `none`, and only there")
        if self.input_feeding and self.order != "after":
            raise ValueError("input feeding belongs to attention after the state update")
        if self.end_hidden and not self.attends:
            raise ValueError("a model without attention has no end mark to hide")
        if self.query_feeding and self.order != "before":
            raise ValueError("query feeding belongs to attention before the state update")

    @property
    def attends(self) -> bool:
        """Return false if the context is one fixed vector."""
        return MECHANISMS[self.mechanism].attends

    @property
    def memory_width(self) -> int:
        """Width of the encoder's states: both directions."""
        return 2 * self.encoder_width

    @property
    def heads_and_layers(self) -> tuple[int, int]:
        """Heads of a layer of cross-attention, and layers."""
        return (self.heads, 1) if self.attends else (0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformerConfig(NetworkConfig):
    """Shape of a Transformer; its embeddings are also its output projection."""

    width: int
    heads: int
    feedforward: int
    encoder_layers: int
    decoder_layers: int
    family: Literal["transformer"] = "transformer"

    mechanism: Literal["multihead"] = "multihead"
    mechanisms: ClassVar[Collection[str]] = ("multihead",)
    order: Literal["after"] = "after"  # the query of cross-attention comes from self-attention

    @property
    def heads_and_layers(self) -> tuple[int, int]:
        """Heads of a layer of cross-attention, and layers."""
        return self.heads, self.decoder_layers


@dataclass(frozen=True, slots=True, kw_only=True)
class RecurrentCaptionerConfig(PictureConfig):
    """Shape of a recurrent decoder that attends to the cells of a picture (Xu et al. 2015)."""

    mechanism: Literal["soft", "hard"]
    mechanisms: ClassVar[Collection[str]] = PICTURE_MECHANISMS
    embedding: int
    decoder_width: int
    attention_width: int
    family: Literal["recurrent-captioner"] = "recurrent-captioner"

    order: Literal["before"] = "before"


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformerCaptionerConfig(PictureConfig):
    """Shape of a Transformer's decoder that attends to the cells of a picture."""

    width: int
    heads: int
    feedforward: int
    layers: int
    family: Literal["transformer-captioner"] = "transformer-captioner"

    mechanism: Literal["multihead"] = "multihead"
    mechanisms: ClassVar[Collection[str]] = ("multihead",)
    order: Literal["after"] = "after"

    @property
    def decoder(self) -> TransformerConfig:
        """The shape of its decoder, behind no encoder."""
        return TransformerConfig(
            vocabulary=self.vocabulary,
            width=self.width,
            heads=self.heads,
            feedforward=self.feedforward,
            encoder_layers=0,
            decoder_layers=self.layers,
            dropout=self.dropout,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class VQAConfig(PictureConfig):
    """Shape of a network that answers a question about a picture."""

    embedding: int  # of the words of questions and of answers
    question_width: int  # of each direction of the question's encoder
    decoder_width: int
    attention_width: int
    fused: int  # width of question and picture together
    family: Literal["vqa"] = "vqa"
    reads_question: ClassVar[bool] = True

    mechanism: Literal["soft"] = "soft"
    mechanisms: ClassVar[Collection[str]] = ("soft",)
    order: Literal["before"] = "before"


TextConfig = RecurrentConfig | TransformerConfig
CaptionConfig = RecurrentCaptionerConfig | TransformerCaptionerConfig

STEP_FAMILIES: Final[dict[str, type[NetworkConfig]]] = {
    config.family_name(): config
    for config in (
        RecurrentConfig,
        TransformerConfig,
        RecurrentCaptionerConfig,
        TransformerCaptionerConfig,
        VQAConfig,
    )
}
"""The families that write token by token, which share networks, runtimes and the search."""


def read_step_network(values: Mapping[str, Any]) -> NetworkConfig:
    """Read the configuration of a network that writes token by token."""
    family = values.get("family", DEFAULT_FAMILY)
    if family not in STEP_FAMILIES:
        raise ValueError(f"there is no family {family!r} of networks that write token by token")
    return STEP_FAMILIES[family].from_dict(values)
