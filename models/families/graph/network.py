"""A graph attention network: every node attends to its neighbours and to itself, layer by layer.

Veličković et al. 2018, "Graph Attention Networks", with the scores of Brody et al. 2022, "How
Attentive are Graph Attention Networks?" (GATv2): in those of the former, all nodes rank the same
neighbours alike. Shapes: `N` nodes, `E` directed edges, `L` layers, `H` heads, `D` width, `C`
classes. Several graphs are one graph without edges between them.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from heed.models.families.graph.config import GraphConfig
from heed.models.graphs.graph import FEATURES
from heed.models.networks.dropout import Dropout

SLOPE = 0.2
"""Of the leaky rectifier below zero, as in the paper."""


class Update(NamedTuple):
    """Every vector and weight of the update of all nodes by one layer."""

    queries: Tensor  # (N, H, D/H)
    values: Tensor  # (N, H, D/H), which are the keys, too
    scores: Tensor  # (E, H)
    weights: Tensor  # (E, H)
    contexts: Tensor  # (N, H, D/H)
    states: Tensor  # (N, D), after the layer


class Classified(NamedTuple):
    """The updates of a graph, and the classes of its nodes."""

    updates: tuple[Update, ...]
    logits: Tensor  # (N, C)


class GraphLayer(nn.Module):
    """One update of all nodes.

    1. score each neighbour, e = a·LeakyReLU(q + k)  2. weigh, α = softmax(e)  3. read, Σ α k
    4. update, h' = ELU(S h + Σ α k), where the contexts of the heads stand side by side.
    """

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.value = nn.Linear(width, width, bias=False)
        self.own = nn.Linear(width, width)
        self.score = nn.Parameter(torch.randn(heads, width // heads) * (heads / width) ** 0.5)
        self.dropout = Dropout(dropout)

    def forward(self, states: Tensor, sources: Tensor, targets: Tensor) -> Update:
        """Update states (N, D) along directed edges from `sources` to `targets` (E,)."""
        split = (len(states), self.heads, -1)
        dropped = self.dropout(states)
        queries, values = self.query(dropped).view(split), self.value(dropped).view(split)
        both = F.leaky_relu(queries[targets] + values[sources], SLOPE)
        scores = (both * self.score).sum(dim=-1)
        weights = softmax_by(targets, scores, len(states))
        read = weights.unsqueeze(-1) * values[sources]
        contexts = torch.zeros_like(values).index_add(0, targets, read)
        after = F.elu(self.own(dropped) + contexts.flatten(1))
        return Update(queries, values, scores, weights, contexts, after)


class GraphNetwork(nn.Module):
    """Layers of attention over the features of nodes, and a classifier of their last states."""

    def __init__(self, config: GraphConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Linear(FEATURES, config.width)
        self.layers = nn.ModuleList(
            GraphLayer(config.width, config.heads, config.dropout) for _ in range(config.layers)
        )
        self.classes = nn.Linear(config.width, config.vocabulary)

    def forward(self, features: Tensor, sources: Tensor, targets: Tensor) -> Classified:
        """Classify nodes with features (N, F); every node needs an edge to itself."""
        states = F.elu(self.embedding(features))
        updates: list[Update] = []
        for layer in self.layers:
            updates.append(layer(states, sources, targets))
            states = updates[-1].states
        return Classified(tuple(updates), self.classes(states))


def softmax_by(groups: Tensor, scores: Tensor, count: int) -> Tensor:
    """Return the softmax of scores (E, H) within each of so many groups (E,)."""
    index = groups.unsqueeze(-1).expand_as(scores)
    lowest = scores.new_full((count, scores.shape[1]), -torch.inf)
    largest = lowest.scatter_reduce(0, index, scores.detach(), "amax")
    raised = (scores - largest[groups]).exp()
    total = torch.zeros_like(lowest).index_add(0, groups, raised)
    return raised / total[groups]
