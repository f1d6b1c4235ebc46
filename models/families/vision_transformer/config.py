"""The configuration of a Vision Transformer."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar, Literal

from heed.models.config import NetworkConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class VisionConfig(NetworkConfig):
    """Shape of a Vision Transformer (Dosovitskiy et al. 2021), whose vocabulary is its classes."""

    width: int
    heads: int
    feedforward: int
    layers: int
    blocks: int  # of the image encoder's network, whose cells are the patches
    family: Literal["vision-transformer"] = "vision-transformer"

    mechanism: Literal["multihead"] = "multihead"
    mechanisms: ClassVar[Collection[str]] = ("multihead",)
    task: ClassVar[str | None] = "see"
    reads: ClassVar[str] = "pictures"
    order: Literal["before"] = "before"
