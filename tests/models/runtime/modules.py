"""The PyTorch modules of the networks that NumPy runs, asked for the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from heed.models.checkpoint import load_module
from heed.models.config import NetworkConfig
from heed.models.families import network_of
from heed.models.families.glimpse.config import GlimpseConfig
from heed.models.families.glimpse.network import GlimpseNetwork
from heed.models.families.glimpse.result import GlimpseResult
from heed.models.families.graph.config import GraphConfig
from heed.models.families.graph.network import GraphNetwork
from heed.models.families.graph.result import GraphResult
from heed.models.families.lstmn.config import LSTMNConfig
from heed.models.families.lstmn.network import LSTMN
from heed.models.families.lstmn.result import TapeResult
from heed.models.families.memory.config import MemoryNetworkConfig
from heed.models.families.memory.network import MemoryNetwork
from heed.models.families.memory.result import StoryInput, StoryResult
from heed.models.families.memory.stories import PADDING
from heed.models.families.vision_transformer.config import VisionConfig
from heed.models.families.vision_transformer.network import VisionTransformer
from heed.models.graphs.graph import Graph
from heed.models.pictures.decode import Bytes
from heed.models.runtime.protocol import Tokens
from heed.models.runtime.vision import LayerVectors, VisionResult
from heed.models.trace import Floats

NETWORKS: dict[type[NetworkConfig], Callable[[Any], nn.Module]] = {
    MemoryNetworkConfig: MemoryNetwork,
    GraphConfig: GraphNetwork,
    GlimpseConfig: GlimpseNetwork,
    LSTMNConfig: LSTMN,
    VisionConfig: VisionTransformer,
}


def load(folder: Path) -> Any:
    """Load the network of a model with its weights."""
    family = type(network_of(folder))
    return load_module(folder, family, NETWORKS[family])


def answer(network: MemoryNetwork, stories: Sequence[StoryInput]) -> list[StoryResult]:
    """All stories as one tensor, padded."""
    words, most = network.config.words, max(len(each.memory) for each in stories)
    story = torch.full((len(stories), most, words), PADDING)
    question = torch.full((len(stories), words), PADDING)
    there = torch.zeros(len(stories), most, dtype=torch.bool)
    for row, each in enumerate(stories):
        there[row, : len(each.memory)] = True
        question[row, : len(each.question)] = torch.tensor(each.question)
        for place, sentence in enumerate(each.memory):
            story[row, place, : len(sentence)] = torch.tensor(sentence)
    hops = network(story, there, question)
    parts = hops._asdict() | {"log_probabilities": hops.logits.log_softmax(dim=-1)}
    cut = {"scores", "weights", "keys", "values"}  # they have an axis of sentences
    return [
        StoryResult(
            *(
                _array(parts[name][row, :, : len(each.memory)] if name in cut else parts[name][row])
                for name in StoryResult._fields
            )
        )
        for row, each in enumerate(stories)
    ]


def classify(network: GraphNetwork, graphs: Sequence[Graph]) -> list[GraphResult]:
    """Graph by graph."""
    return [_classified(network, graph) for graph in graphs]


def _classified(network: GraphNetwork, graph: Graph) -> GraphResult:
    sources, targets, _ = map(torch.from_numpy, graph.neighbours)
    found = network(torch.from_numpy(graph.features), sources, targets)
    parts = {
        name: torch.stack([getattr(each, name) for each in found.updates])
        for name in GraphResult._fields[:-1]
    }
    parts["contexts"] = parts["contexts"].flatten(2)
    return GraphResult(**_arrays(parts), log_probabilities=_array(found.logits.log_softmax(dim=-1)))


def look(network: GlimpseNetwork, drawings: Sequence[Floats]) -> list[GlimpseResult]:
    """All drawings as one tensor."""
    found = network(torch.from_numpy(np.stack(drawings)))
    before = torch.cat([torch.zeros_like(found.states[:, :1]), found.states[:, :-1]], dim=1)
    parts = found.places, found.patches, before, found.seen, found.states
    logs = found.logits.log_softmax(dim=-1)
    return [
        GlimpseResult(*(_array(part[row]) for part in (*parts, logs)))
        for row in range(len(drawings))
    ]


def see(network: VisionTransformer, pictures: Sequence[Bytes]) -> list[VisionResult]:
    """All pictures as one tensor."""
    viewed = network(torch.from_numpy(np.stack(pictures)))
    last = viewed.attended[-1]
    before = viewed.states[-2] if len(viewed.states) > 1 else viewed.embedded
    scores, weights, queries, keys, values = (
        torch.stack(parts, dim=1)
        for parts in zip(
            *(
                (each.scores, each.weights, each.query, each.keys.keys, each.keys.values)
                for each in viewed.attended
            ),
            strict=True,
        )
    )
    states = torch.stack(viewed.states, dim=1)
    first = [part[:, 0] for part in (before, last.context, viewed.states[-1])]
    parts = scores, weights, *first, viewed.logits.log_softmax(dim=-1)
    return [
        VisionResult(
            *(_array(part[row]) for part in parts),
            LayerVectors(*(_array(part[row]) for part in (queries, keys, values, states))),
        )
        for row in range(len(pictures))
    ]


def read(network: LSTMN, sentences: Sequence[Tokens]) -> list[TapeResult]:
    """Sentence by sentence."""
    tapes = []
    for sentence in sentences:
        found = network(torch.tensor([sentence]))
        logs = network.logits(found.readouts).log_softmax(dim=-1)
        parts = found._asdict() | {"log_probabilities": logs}
        tapes.append(TapeResult(*(_array(parts[name][0]) for name in TapeResult._fields)))
    return tapes


def _array(tensor: Tensor) -> Floats:
    array: Floats = tensor.numpy()
    return array


def _arrays(tensors: dict[str, Tensor]) -> dict[str, Any]:
    return {name: _array(tensor) for name, tensor in tensors.items()}
