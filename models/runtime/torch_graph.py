"""A graph attention network in PyTorch: the reference for every other runtime of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch

from heed.models.checkpoint import load_network
from heed.models.config import GraphConfig
from heed.models.errors import CheckpointError
from heed.models.graphs.graph import Graph
from heed.models.networks.graph_network import GraphNetwork
from heed.models.runtime.graph import NodesRead


class TorchGraph:
    """A network of graphs, which are run one by one."""

    def __init__(self, network: GraphNetwork) -> None:
        self._network = network.eval()

    @property
    def config(self) -> GraphConfig:
        """The shape of the network."""
        return self._network.config

    @torch.inference_mode()
    def classify(self, graphs: Sequence[Graph]) -> list[NodesRead]:
        """Classify the nodes of a batch of graphs."""
        return [self._classify(graph) for graph in graphs]

    def _classify(self, graph: Graph) -> NodesRead:
        sources, targets, _ = map(torch.from_numpy, graph.neighbours)
        found = self._network(torch.from_numpy(graph.features), sources, targets)

        def stacked(name: str) -> torch.Tensor:
            return torch.stack([getattr(each, name) for each in found.updates])

        return NodesRead(
            stacked("scores").numpy(),
            stacked("weights").numpy(),
            stacked("queries").numpy(),
            stacked("values").numpy(),
            stacked("contexts").flatten(2).numpy(),
            stacked("states").numpy(),
            torch.log_softmax(found.logits, dim=-1).numpy(),
        )


def load_runtime(folder: Path) -> TorchGraph:
    """Load the network of a folder, which must be one of graphs."""
    network = load_network(folder)
    if not isinstance(network, GraphNetwork):
        raise CheckpointError(f"{folder} does not hold a network of graphs")
    return TorchGraph(network)
