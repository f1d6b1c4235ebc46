"""The configuration of a network of graphs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar, Literal

from heed.models.config import NetworkConfig
from heed.models.mechanisms import GRAPH_MECHANISMS


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphConfig(NetworkConfig):
    """Shape of a network that classifies the nodes of a graph; its vocabulary is the classes."""

    width: int
    heads: int
    layers: int
    family: Literal["graph"] = "graph"

    mechanism: Literal["graph"] = "graph"
    mechanisms: ClassVar[Collection[str]] = GRAPH_MECHANISMS
    task: ClassVar[str | None] = "graph"
    reads: ClassVar[str] = "graphs"
    order: Literal["before"] = "before"
