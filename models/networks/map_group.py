"""The attention maps that a network returns."""

from __future__ import annotations

from dataclasses import dataclass

from heed.models.trace import AxisName, MapKind


@dataclass(frozen=True, slots=True)
class MapGroup:
    """The heads of one attention layer, which the network returns together."""

    kind: MapKind
    layer: int
    heads: int
    query: AxisName
    key: AxisName
