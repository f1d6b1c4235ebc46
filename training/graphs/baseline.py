"""The baselines: a graph convolutional network, and label propagation.

Kipf and Welling 2017, "Semi-Supervised Classification with Graph Convolutional Networks": the
weight of an edge is 1/√(d d'), whatever its nodes are. Zhou et al. 2004, "Learning with Local and
Global Consistency": known classes spread along the edges; nothing is trained.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from heed.models.families.graph.config import GraphConfig
from heed.models.families.graph.network import Classified, GraphNetwork
from heed.models.graphs.graph import CLASSES, FEATURES, NONE, Graph, Places
from heed.models.networks.dropout import Dropout

SPREAD, ROUNDS = 0.9, 100


class ConvolutionalNetwork(nn.Module):
    """A network like `GraphNetwork`, whose weights of edges are fixed."""

    def __init__(self, config: GraphConfig) -> None:
        super().__init__()
        self.embedding = nn.Linear(FEATURES, config.width)
        self.values = _layers(config, bias=False)
        self.own = _layers(config, bias=True)
        self.dropout = Dropout(config.dropout)
        self.classes = nn.Linear(config.width, config.vocabulary)

    def forward(self, features: Tensor, sources: Tensor, targets: Tensor) -> Classified:
        """Classify nodes with features (N, F); every node needs an edge to itself."""
        degrees = torch.bincount(targets, minlength=len(features))
        weights = (degrees[sources] * degrees[targets]).float().rsqrt().unsqueeze(-1)
        states = F.elu(self.embedding(features))
        for value, own in zip(self.values, self.own, strict=True):
            dropped = self.dropout(states)
            read = weights * value(dropped)[sources]
            context = torch.zeros_like(states).index_add(0, targets, read)
            states = F.elu(own(dropped) + context)
        return Classified((), self.classes(states))


def _layers(config: GraphConfig, *, bias: bool) -> nn.ModuleList:
    width = config.width
    return nn.ModuleList(nn.Linear(width, width, bias=bias) for _ in range(config.layers))


def size_of(model: nn.Module) -> int:
    """Return the number of parameters."""
    return sum(value.numel() for value in model.parameters())


def convolutional(config: GraphConfig) -> ConvolutionalNetwork:
    """Build the narrowest convolutional network that is not smaller than the other."""
    wanted, width = size_of(GraphNetwork(config)), config.width
    while size_of(model := ConvolutionalNetwork(_as_wide(config, width))) < wanted:
        width += 1
    return model


def _as_wide(config: GraphConfig, width: int) -> GraphConfig:
    return GraphConfig.from_dict(config.to_dict() | {"width": width})


def propagate(graph: Graph) -> Places:
    """Return the class of each node after its label and those of the others have spread."""
    sources, targets, _ = graph.neighbours
    other = sources != targets
    sources, targets = sources[other], targets[other]
    degrees = np.maximum(graph.degrees, 1)
    weights = np.zeros((len(graph), len(graph)))
    weights[targets, sources] = 1 / np.sqrt(degrees[sources] * degrees[targets])
    known = graph.features[:, : len(CLASSES)]
    spread = known
    for _ in range(ROUNDS):
        spread = SPREAD * weights @ spread + (1 - SPREAD) * known
    given = np.array(graph.known)
    return np.where(given == NONE, spread.argmax(axis=1), given)
