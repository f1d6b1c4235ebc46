"""`python -m training.graphs.train MODEL`: train a graph attention network.

Graphs are drawn at random: there is no corpus. An interrupted run continues from its last save.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from heed.models.networks.graph_network import Classified, GraphNetwork
from training.common.command_line import training_parser
from training.common.errors import RecipeError
from training.common.updates import apply_gradients, make_updates
from training.graphs.baseline import ConvolutionalNetwork
from training.graphs.batches import Batch, read_batch
from training.graphs.checkpoint import save_graph_network
from training.graphs.examples import Example, examples
from training.graphs.quality import DEV_SEED, Classifier, Found, evaluate_graphs
from training.graphs.recipe import GraphRecipe
from training.graphs.run import GraphRun

DEV_GRAPHS = 200  # of each kind, at every save
KNOWN = 0.1  # weight of the nodes whose class is known


def loss_of(found: Classified, batch: Batch, guide: float) -> tuple[Tensor, Tensor]:
    """Return the total loss, and the cross-entropy of the unknown classes in nats.

    A node whose class is known should keep it.
    """
    each = F.cross_entropy(found.logits, batch.classes, reduction="none")
    classes = each[batch.unknown].mean()
    total = classes + KNOWN * each[~batch.unknown].mean()
    if guide and found.updates:
        total = (
            total
            + guide
            * torch.stack([_across(update.weights, batch) for update in found.updates]).mean()
        )
    return total, classes


def _across(weights: Tensor, batch: Batch) -> Tensor:
    """Return the weight that nodes give to neighbours of other classes, a mean over the heads."""
    different = batch.classes[batch.sources] != batch.classes[batch.targets]
    return weights[different].sum() / (len(batch.classes) * weights.shape[1])


def batches(recipe: GraphRecipe, update: int) -> Iterator[Batch]:
    """Yield endless batches of fresh graphs; those of an update are always the same."""
    while True:
        stream = examples(recipe.schedule.seed * 1_000_003 + update)
        yield read_batch(list(islice(stream, recipe.schedule.batch)))
        update += 1


def train_step(run: GraphRun, batch: Batch) -> float:
    """Make one update and return the cross-entropy of the classes."""
    run.optimizer.zero_grad(set_to_none=True)
    found = run.model(batch.features, batch.sources, batch.targets)
    total, shown = loss_of(found, batch, run.recipe.guide)
    total.backward()  # type: ignore[no-untyped-call]
    apply_gradients(run, run.recipe.schedule)
    return float(shown.detach())


def classifier(model: GraphNetwork | ConvolutionalNetwork) -> Classifier:
    """Return a function that classifies the nodes of examples with a network."""

    @torch.inference_mode()
    def classify(given: Sequence[Example]) -> list[Found]:
        batch = read_batch(given)
        found = model(batch.features, batch.sources, batch.targets)
        classes = found.logits.argmax(dim=-1).numpy()
        nodes = np.cumsum([0, *(len(each.graph) for each in given)])
        edges = np.cumsum([0, *(len(each.graph.neighbours.sources) for each in given)])
        weights = torch.stack([each.weights for each in found.updates]) if found.updates else None
        return [
            Found(
                classes[nodes[place] : nodes[place + 1]],
                None if weights is None else weights[:, edges[place] : edges[place + 1]].numpy(),
            )
            for place in range(len(given))
        ]

    return classify


def train(recipe: GraphRecipe, runs: Path, *, baseline: bool = False) -> Path:
    """Train by a recipe and return the folder of the checkpoint."""
    run = GraphRun.begin(recipe, baseline=baseline)
    folder = runs / (f"{recipe.id}-baseline" if baseline else recipe.id) / "checkpoint"
    folder.mkdir(parents=True, exist_ok=True)
    saved = folder.with_name("last.pt")
    if saved.exists():
        run.resume(saved)
    stream = batches(recipe, run.update)

    def save() -> list[str]:
        run.save(saved)
        with run.averaged() as model:
            if isinstance(model, GraphNetwork):
                save_graph_network(folder, recipe, model)
            found = evaluate_graphs(classifier(model), DEV_GRAPHS, DEV_SEED)
        return [f"update {run.update}: {json.dumps(found)}"]

    make_updates(run, recipe.schedule, recipe.id, lambda: train_step(run, next(stream)), save)
    return folder


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = training_parser("training.graphs.train", __doc__)
    parser.add_argument(
        "--baseline", action="store_true", help="train a convolutional network, for comparison"
    )
    given = parser.parse_args(arguments)
    torch.set_num_threads(given.threads)
    try:
        recipe = GraphRecipe.named(given.model)
        folder = train(recipe, given.runs, baseline=given.baseline)
    except RecipeError as error:
        print(error, file=sys.stderr)
        return 2
    print(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
