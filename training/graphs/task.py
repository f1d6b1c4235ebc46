"""The task of a network of graphs: classes of nodes, of graphs that are drawn at random."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from heed.models.families.graph.network import GraphNetwork
from heed.models.graphs.graph import CLASSES
from training.common.command_line import DATA, RUNS, Baseline
from training.common.task import Loss, Quality, Task, language, limits
from training.graphs.baseline import ConvolutionalNetwork, convolutional
from training.graphs.batches import Batch, read_batch
from training.graphs.examples import Example, examples
from training.graphs.quality import DEV_SEED, Classifier, Found, evaluate_graphs
from training.graphs.recipe import GraphRecipe

CHARACTERS = 50_000  # of a graph as text
NODES, STEPS = 200, 200
DEV_GRAPHS = 200  # of each kind, at every save
KNOWN = 0.1  # weight of the nodes whose class is known


class GraphTask(Task[GraphRecipe, Batch]):
    """A graph attention network that classifies nodes."""

    recipe_type = GraphRecipe
    baseline_of = Baseline("baseline", "train a convolutional network")
    betas = (0.9, 0.999)
    model: GraphNetwork | ConvolutionalNetwork

    def __init__(
        self, recipe: GraphRecipe, data: Path = DATA, runs: Path = RUNS, *, baseline: bool = False
    ) -> None:
        super().__init__(recipe, data, runs, baseline=baseline)
        self.model = convolutional(recipe.network) if baseline else GraphNetwork(recipe.network)

    def epoch(self, number: int) -> Iterator[Batch]:
        """Yield one batch of fresh graphs."""
        schedule = self.recipe.schedule
        stream = examples(schedule.seed * 1_000_003 + number)
        yield read_batch(list(islice(stream, schedule.batch)))

    def losses(self, batch: Batch) -> Iterator[Loss]:
        """Yield the cross-entropy of the unknown classes in nats, and the total.

        A node whose class is known should keep it.
        """
        result = self.model(batch.features, batch.sources, batch.targets)
        node_losses = F.cross_entropy(result.logits, batch.classes, reduction="none")
        classes = node_losses[batch.unknown].mean()
        total = classes + KNOWN * node_losses[~batch.unknown].mean()
        if self.recipe.guide and result.updates:
            across = [_across(layer.weights, batch) for layer in result.updates]
            total = total + self.recipe.guide * torch.stack(across).mean()
        yield Loss(total, classes)

    def evaluate(self) -> Quality:
        """Measure the right classes of graphs of other seeds."""
        return Quality(json.dumps(evaluate_graphs(classifier(self.model), DEV_GRAPHS, DEV_SEED)))

    def write(self, folder: Path) -> None:
        """Write a checkpoint; the server has no network such as the baseline."""
        if isinstance(self.model, GraphNetwork):
            super().write(folder)

    def card(self) -> dict[str, Any]:
        """Return the classes."""
        guided = "attention guided by the classes of nodes in training"
        return {
            "source": language("en", "Graph"),
            "target": language("en", "Classes of its nodes"),
            "limits": limits(CHARACTERS, NODES, STEPS),
            "guided": guided if self.recipe.guide else "",
            "classes": list(CLASSES),
        }


def _across(weights: Tensor, batch: Batch) -> Tensor:
    """Return the weight that nodes give to neighbours of other classes, a mean over the heads."""
    different = batch.classes[batch.sources] != batch.classes[batch.targets]
    return weights[different].sum() / (len(batch.classes) * weights.shape[1])


def classifier(model: GraphNetwork | ConvolutionalNetwork) -> Classifier:
    """Return a function that classifies the nodes of examples with a network."""

    @torch.inference_mode()
    def classify(given: Sequence[Example]) -> list[Found]:
        batch = read_batch(given)
        result = model(batch.features, batch.sources, batch.targets)
        classes = result.logits.argmax(dim=-1).numpy()
        nodes = np.cumsum([0, *(len(example.graph) for example in given)])
        edges = np.cumsum([0, *(len(example.graph.neighbours.sources) for example in given)])
        weights = (
            torch.stack([update.weights for update in result.updates]) if result.updates else None
        )
        return [
            Found(
                classes[nodes[place] : nodes[place + 1]],
                None if weights is None else weights[:, edges[place] : edges[place + 1]].numpy(),
            )
            for place in range(len(given))
        ]

    return classify
