"""The graph attention network against loops written by hand."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F

from heed.models.families.graph.config import GraphConfig
from heed.models.families.graph.network import GraphLayer, GraphNetwork, softmax_by
from heed.models.graphs.graph import FEATURES

SOURCES = torch.tensor([0, 1, 0, 1, 2, 1, 2])
TARGETS = torch.tensor([0, 0, 1, 1, 1, 2, 2])


@pytest.fixture(autouse=True)
def _seed() -> None:
    torch.manual_seed(7)


def test_a_layer_is_the_formula_of_the_papers() -> None:
    layer = GraphLayer(8, 2, dropout=0.0).eval()
    states = torch.randn(3, 8)
    found = layer(states, SOURCES, TARGETS)
    for node in range(3):
        read = SOURCES[node == TARGETS]
        contexts = []
        for head in range(2):
            part = slice(4 * head, 4 * head + 4)
            query, values = layer.query(states[node])[part], layer.value(states[read])[:, part]
            scores = F.leaky_relu(query + values, 0.2) @ layer.score[head]
            weights = scores.softmax(dim=0)
            torch.testing.assert_close(found.weights[node == TARGETS, head], weights)
            contexts.append(weights @ values)
        after = F.elu(layer.own(states[node]) + torch.cat(contexts))
        torch.testing.assert_close(found.states[node], after)


def test_weights_sum_to_one_within_a_group() -> None:
    weights = softmax_by(TARGETS, 50 * torch.randn(7, 2), 3)
    total = torch.zeros(3, 2).index_add(0, TARGETS, weights)
    torch.testing.assert_close(total, torch.ones(3, 2))


def test_a_node_does_not_depend_on_those_it_cannot_reach() -> None:
    network = GraphNetwork(GraphConfig(vocabulary=4, width=8, heads=2, layers=2)).eval()
    features = torch.randn(3, FEATURES)
    apart = torch.arange(3)
    before = network(features, apart, apart).logits
    features[2] += 1
    after = network(features, apart, apart).logits
    torch.testing.assert_close(before[:2], after[:2])
    assert (before[2] != after[2]).any()
