"""Graph attention networks, which classify the nodes of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from heed.models.families.family import Family, Stored
from heed.models.families.graph.config import GraphConfig

if TYPE_CHECKING:
    from heed.models.generation.protocol import AnyPipeline


def _load(stored: Stored) -> AnyPipeline:
    from heed.models.families.graph.pipeline import GraphPipeline
    from heed.models.families.graph.runtime import NumpyGraph
    from heed.models.runtime.numpy import load_runtime

    return GraphPipeline(stored.card, load_runtime(stored.folder, GraphConfig, NumpyGraph))


FAMILY: Final = Family(GraphConfig, _load, on_numpy=True)
