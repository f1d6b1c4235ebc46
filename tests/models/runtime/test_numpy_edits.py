"""The networks that NumPy runs give the numbers of their PyTorch modules under edits, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from heed.models.edits.rows import RowEdit, edited_rows
from heed.models.families.graph import network as graph_network
from heed.models.families.graph.runtime import NumpyGraph
from heed.models.families.lstmn.result import TAPE
from heed.models.families.lstmn.runtime import NumpyLSTMN
from heed.models.families.memory.result import HOPS, StoryInput
from heed.models.families.memory.runtime import NumpyMemoryNetwork
from heed.models.families.vision_transformer.runtime import NumpyVision
from heed.models.graphs.check import read_graph
from heed.models.graphs.graph import CLASSES
from heed.models.graphs.notation import parse_graph
from heed.models.networks import attention
from heed.models.networks.map_group import MapGroup
from heed.models.runtime.edited import EditPlan, MapEdit
from heed.models.runtime.numpy import load_runtime
from tests.models import tiny
from tests.models.runtime import modules

CLOSE = 1e-5
STORY = StoryInput(((2, 3, 4), (4, 1, 5, 2), (3,)), (5, 2, 1, 6))
SEEDS = range(4)


def some_plan(groups: Sequence[MapGroup], queries: int, keys: int, seed: int) -> EditPlan:
    """Draw a few edits of any rows, of which none blocks a key."""
    random = np.random.default_rng(seed)
    first, edits = groups[0], []
    for op in random.choice(["scale", "set", "temperature", "uniform", "permute", "silence"], 4):
        number = {"set": 0.6, "permute": 7.0}.get(str(op), 2.5)
        some = np.sort(random.choice(keys, max(1, keys // 3), replace=False)).astype(np.int32)
        rows = frozenset(random.choice(queries, max(1, queries // 2), replace=False).tolist())
        layers = frozenset(group.layer for group in groups if random.random() < 0.8)
        heads = frozenset(head for head in range(first.heads) if random.random() < 0.8)
        edit = RowEdit(str(op), some, number)
        edits.append(MapEdit(first.kind, first.key, layers, heads, rows, edit))
    return EditPlan(edits)


def edited(plan: EditPlan, group: MapGroup, head: int, query: int, scores: Tensor) -> Tensor:
    """Edit a row of scores of a module, from the definition."""
    made = edited_rows(scores.detach().numpy()[None], plan.row(group, head, query))
    return torch.tensor(made.weights[0], dtype=torch.float32)


def same(ours: Any, theirs: Any, close: float = CLOSE) -> None:
    for name in ours._fields:
        mine, other = getattr(ours, name), getattr(theirs, name)
        if not isinstance(mine, tuple):
            finite = np.isfinite(mine)
            assert mine[finite] == pytest.approx(other[finite], abs=close, rel=1e-4), name


def loaded(write: Callable[[Path], Path], runtime: Any, folder: Path) -> tuple[Any, Any]:
    write(folder)
    network = modules.load(folder).eval()
    return load_runtime(folder, type(network.config), runtime), network


@pytest.mark.parametrize("seed", SEEDS)
@torch.no_grad()
def test_hops_are_edited(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime, network = loaded(tiny.write_tiny_memory, NumpyMemoryNetwork, tmp_path / "memory")
    plan = some_plan([HOPS], runtime.config.hops, len(STORY.memory), seed)
    hops = count()
    monkeypatch.setattr(
        network,
        "weigh",
        lambda scores: edited(plan, HOPS, 0, next(hops), scores[0])[None],
    )
    [ours], [theirs] = runtime.answer([STORY], [plan]), modules.answer(network, [STORY])
    same(ours, theirs)
    [plain] = runtime.answer([STORY])
    assert not np.allclose(plain.weights, ours.weights)


@pytest.mark.parametrize("seed", SEEDS)
@torch.no_grad()
def test_a_tape_is_edited(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime, network = loaded(tiny.write_tiny_reader, NumpyLSTMN, tmp_path / "reader")
    words = (1, 3, 4, 5, 3)
    plan, places = some_plan([TAPE], len(words), len(words), seed), count()
    monkeypatch.setattr(
        network,
        "weigh",
        lambda scores: edited(plan, TAPE, 0, next(places), scores[0])[None],
    )
    [ours], [theirs] = runtime.read([words], [plan]), modules.read(network, [words])
    same(ours, theirs)


@pytest.mark.parametrize("seed", SEEDS)
@torch.no_grad()
def test_neighbours_are_edited(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime, network = loaded(tiny.write_tiny_graph, NumpyGraph, tmp_path / "graph")
    graph = read_graph(parse_graph("a: A\na - b, a - c, a - d, b - c\ne"), CLASSES, 20)
    sources, targets, _ = graph.neighbours
    plan, layers = some_plan(runtime.groups, len(graph), len(graph), seed), count()
    softmax_by = graph_network.softmax_by

    def weigh(groups: Tensor, scores: Tensor, nodes: int) -> Tensor:
        group, weights = runtime.groups[next(layers)], softmax_by(groups, scores, nodes)
        for node in range(nodes):
            edges = np.flatnonzero(targets == node)
            for head in range(group.heads):
                if plan.row(group, head, node):
                    row = torch.full((nodes,), -torch.inf)
                    row[sources[edges]] = scores[edges, head]
                    weights[edges, head] = edited(plan, group, head, node, row)[sources[edges]]
        return weights

    monkeypatch.setattr(graph_network, "softmax_by", weigh)
    [ours], [theirs] = runtime.classify([graph], [plan]), modules.classify(network, [graph])
    same(ours, theirs)


@pytest.mark.parametrize("seed", SEEDS[:1])
@torch.no_grad()
def test_patches_are_edited(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime, network = loaded(tiny.write_tiny_vision, NumpyVision, tmp_path / "vision")
    picture = np.random.default_rng(0).integers(0, 256, (224, 224, 3), dtype=np.uint8)
    plan, layers = some_plan(runtime.groups, 197, 197, seed), count()
    softmax = attention.softmax

    def weigh(scores: Tensor) -> Tensor:
        group, weights = runtime.groups[next(layers)], softmax(scores)
        for head in range(group.heads):
            for query in range(scores.shape[2]):
                if plan.row(group, head, query):
                    weights[0, head, query] = edited(
                        plan, group, head, query, scores[0, head, query]
                    )
        return weights

    monkeypatch.setattr(attention, "softmax", weigh)
    [ours], [theirs] = runtime.look([picture], [plan]), modules.see(network, [picture])
    same(ours, theirs, 1e-4)
