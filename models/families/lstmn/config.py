"""The configuration of an LSTMN."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar, Literal

from heed.models.config import NetworkConfig
from heed.models.mechanisms import INTRA_MECHANISMS


@dataclass(frozen=True, slots=True, kw_only=True)
class LSTMNConfig(NetworkConfig):
    """Shape of an LSTM that attends to all its earlier states (Cheng et al. 2016)."""

    embedding: int  # also the output layer
    width: int
    attention_width: int
    family: Literal["lstmn"] = "lstmn"

    mechanism: Literal["intra"] = "intra"
    mechanisms: ClassVar[Collection[str]] = INTRA_MECHANISMS
    task: ClassVar[str | None] = "read"
    reads: ClassVar[str] = "words"
    order: Literal["before"] = "before"
