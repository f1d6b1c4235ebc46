"""A memory network in PyTorch: stories and questions in, the numbers of every hop out.

Shapes: `H` hops, `S` sentences, `A` answers, `D` width.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import torch

from heed.models.checkpoint import load_network
from heed.models.config import MemoryConfig
from heed.models.errors import CheckpointError
from heed.models.networks.memory_network import MemoryNetwork
from heed.models.runtime.protocol import Tokens
from heed.models.text.stories import NOTHING, PADDING
from heed.models.trace import Floats


@dataclass(frozen=True, slots=True)
class StoryInput:
    """The words of a story, sentence by sentence, and those of a question about it."""

    sentences: tuple[Tokens, ...]
    question: Tokens


class HopsRead(NamedTuple):
    """The hops through one story, whose first sentence is the empty one."""

    scores: Floats  # (H, S)
    weights: Floats  # (H, S)
    queries: Floats  # (H, D)
    keys: Floats  # (H, S, D)
    values: Floats  # (H, S, D)
    contexts: Floats  # (H, D)
    states: Floats  # (H, D)
    log_probabilities: Floats  # (H, A)


class MemoryRuntime:
    """A memory network, ready to answer."""

    def __init__(self, network: MemoryNetwork) -> None:
        self._network = network.eval()

    @property
    def config(self) -> MemoryConfig:
        """The shape of the network."""
        return self._network.config

    @torch.inference_mode()
    def answer(self, inputs: Sequence[StoryInput]) -> list[HopsRead]:
        """Answer a batch of questions about stories."""
        stories = [((NOTHING,), *each.sentences) for each in inputs]
        words, most = self.config.words, max(map(len, stories))
        story = torch.full((len(stories), most, words), PADDING)
        question = torch.full((len(stories), words), PADDING)
        there = torch.zeros(len(stories), most, dtype=torch.bool)
        for row, (each, sentences) in enumerate(zip(inputs, stories, strict=True)):
            there[row, : len(sentences)] = True
            question[row, : len(each.question)] = torch.tensor(each.question)
            for place, sentence in enumerate(sentences):
                story[row, place, : len(sentence)] = torch.tensor(sentence)
        hops = self._network(story, there, question)
        logs = torch.log_softmax(hops.logits, dim=-1)
        return [
            HopsRead(
                hops.scores[row, :, :count].numpy(),
                hops.weights[row, :, :count].numpy(),
                hops.queries[row].numpy(),
                hops.keys[row, :, :count].numpy(),
                hops.values[row, :, :count].numpy(),
                hops.contexts[row].numpy(),
                hops.states[row].numpy(),
                logs[row].numpy(),
            )
            for row, count in enumerate(map(len, stories))
        ]


def load_runtime(folder: Path) -> MemoryRuntime:
    """Load the network of a folder, which must be a memory network."""
    network = load_network(folder)
    if not isinstance(network, MemoryNetwork):
        raise CheckpointError(f"{folder} does not hold a memory network")
    return MemoryRuntime(network)
