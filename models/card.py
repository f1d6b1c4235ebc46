"""The card of a model: what a reader learns about it before its weights are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from heed.models.trace import Order

PICTURE_TASKS: Final = ("caption", "ask")
TRANSLATE: Final = "translate"  # the task of writing a text in another language
SEE: Final = "see"  # the task of attending among the patches of a picture
TRANSCRIBE: Final = "transcribe"  # the task of writing what is heard in a sound
READ: Final = "read"  # the task of reading a sentence word by word


@dataclass(frozen=True, slots=True)
class Language:
    """A language or notation."""

    code: str
    name: str


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest input and output of a model."""

    characters: int
    tokens: int
    steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """The description of a model; `text` is its CARD.md."""

    id: str
    name: str
    version: int = 1  # raised whenever the weights change
    task: str
    source: Language
    target: Language
    family: str = "other"  # of networks, as in the configuration
    mechanism: str
    order: Order = "before"
    input_feeding: bool = False
    heads: int = 1
    layers: int = 1
    parameters: int = 0
    bytes: int = 0
    weights: str = ""
    granularity: Literal["characters", "subwords"] = "subwords"
    quality: Mapping[str, float] = field(default_factory=dict)
    limits: Limits = Limits(1000, 128, 128)
    examples: tuple[str, ...] = ()
    hints: Mapping[str, str] = field(default_factory=dict)  # by example: its point
    guided: str = ""  # the source of supervision for its attention, if there was one
    unguided: str = ""  # id of the same network with attention that nothing guided
    learned_from: str = ""  # the kind of examples it was trained on, in a few words
    rank: int = 1000
    text: str = field(default="", repr=False)
    width: int = 512  # of its widest vectors
    exportable: bool = False  # to graphs: its network takes a token a step
    package: str = ""  # the distribution that brings it, if that is not Heed's own

    @property
    def reads_pictures(self) -> bool:
        """Return true if the source is a picture."""
        return self.task in (*PICTURE_TASKS, SEE)

    @property
    def reads_sounds(self) -> bool:
        """Return true if the source is a sound."""
        return self.task == TRANSCRIBE
