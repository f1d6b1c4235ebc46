"""The task of a network of graphs: its checkpoint, its baselines and its quality."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from heed.models.checkpoint import load_module, read_config
from heed.models.families.graph.config import GraphConfig
from heed.models.families.graph.network import GraphNetwork
from heed.models.graphs.graph import CLASSES, NONE, Graph
from training.graphs.baseline import convolutional, propagate, size_of
from training.graphs.batches import read_batch
from training.graphs.examples import KINDS, Example
from training.graphs.quality import Found, evaluate_baselines, evaluate_graphs, held_out
from training.graphs.recipe import GraphRecipe
from training.graphs.task import GraphTask, classifier


@pytest.fixture
def recipe() -> GraphRecipe:
    shipped = GraphRecipe.named("graph")
    return replace(shipped, network=replace(shipped.network, width=8, heads=2, layers=2))


def test_a_checkpoint_is_complete(recipe: GraphRecipe, tmp_path: Path) -> None:
    GraphTask(recipe).write(tmp_path)
    load_module(tmp_path, GraphConfig, GraphNetwork)
    config = read_config(tmp_path)
    assert config["classes"] == list(CLASSES)
    assert config["examples"][0].startswith("# Karate club")


def test_the_karate_club_has_its_34_members_and_78_ties() -> None:
    from heed.models.graphs.notation import parse_graph

    club = parse_graph(GraphRecipe.named("graph").examples[0])
    assert (len(club.nodes), len(club.edges)) == (34, 78)


@pytest.mark.parametrize("kind", KINDS)
def test_examples_are_the_same_for_the_same_seed_and_have_something_to_find(kind: str) -> None:
    drawn = held_out(1, kind, 20)  # type: ignore[arg-type]
    held_out.cache_clear()
    assert drawn == held_out(1, kind, 20)  # type: ignore[arg-type]
    for each in drawn:
        assert each.unknown
        assert len(each.unknown) < len(each.graph)
        assert len(set(each.graph.edges)) == len(each.graph.edges)
        assert all(one < other for one, other in each.graph.edges)
        assert any(hint != NONE for hint in each.graph.hints) == (kind == "citations")


def test_the_baseline_is_not_smaller(recipe: GraphRecipe) -> None:
    assert size_of(convolutional(recipe.network)) >= size_of(GraphNetwork(recipe.network))


def test_labels_spread_along_edges() -> None:
    chain = Graph((0, NONE, NONE, 1), (NONE,) * 4, ((0, 1), (1, 2), (2, 3)))
    assert propagate(chain).tolist() == [0, 0, 1, 1]


def test_a_perfect_classifier_is_right_everywhere_and_looks_within_its_class() -> None:
    def perfect(tested: list[Example]) -> list[Found]:
        found = []
        for each in tested:
            sources, targets, _ = each.graph.neighbours
            classes = np.array(each.classes)
            weights = np.where(classes[sources] == classes[targets], 0.4, 0.1)
            found.append(Found(classes, weights[None, :, None].astype(np.float32)))
        return found

    quality = evaluate_graphs(perfect, 5)  # type: ignore[arg-type]
    assert quality["nodes"] == 1
    assert quality["within_class"] == pytest.approx(4, abs=1e-3)
    assert set(evaluate_baselines(5)) == {"propagation", "commonest_class", "equal_weights"}


def test_a_graph_is_read_alike_alone_and_in_company(recipe: GraphRecipe) -> None:
    model = GraphNetwork(recipe.network).eval()
    tested = list(held_out(1, "citations", 3))
    alone = [classifier(model)([each])[0] for each in tested]
    for one, other in zip(alone, classifier(model)(tested), strict=True):
        assert (one.classes == other.classes).all()
        assert one.weights == pytest.approx(other.weights, abs=1e-5)
    assert len(read_batch(tested).features) == sum(len(each.graph) for each in tested)
