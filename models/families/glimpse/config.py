"""The configuration of a glimpse network."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar, Literal

from heed.models.config import NetworkConfig
from heed.models.mechanisms import GLIMPSE_MECHANISMS


@dataclass(frozen=True, slots=True, kw_only=True)
class GlimpseConfig(NetworkConfig):
    """Shape of a network that looks at a picture in glimpses (Mnih et al. 2014).

    The vocabulary is that of its classes.
    """

    picture: int  # side, in pixels
    patch: int  # side of a patch, in pixels of its own scale
    scales: int  # patches of a glimpse, each twice as wide as the one before
    glimpses: int
    what: int  # width of the layer that encodes patches
    where: int  # width of the layers that encode and choose places
    width: int  # of a glimpse's vector and of the state
    deviation: float  # of the places that the policy draws in training
    family: Literal["glimpse"] = "glimpse"

    mechanism: Literal["glimpse"] = "glimpse"
    mechanisms: ClassVar[Collection[str]] = GLIMPSE_MECHANISMS
    task: ClassVar[str | None] = "glimpse"
    reads: ClassVar[str] = "drawings"
    order: Literal["before"] = "before"

    @property
    def margin(self) -> int:
        """Half the side of the widest patch, in pixels of the picture."""
        return self.patch * 2 ** (self.scales - 1) // 2
