"""Recipe of a network that classifies the nodes of graphs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from heed.models.families.graph.config import GraphConfig
from heed.models.graphs.graph import CLASSES
from training.common.recipe import Recipe


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphRecipe(Recipe):
    """A graph attention network and its training."""

    network: GraphConfig
    guide: float = 0.0  # weight of the attention to neighbours of the same class
    examples: tuple[str, ...] = ()

    fixed_network: ClassVar[Mapping[str, Any]] = {"vocabulary": len(CLASSES)}
