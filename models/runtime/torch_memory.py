"""A memory network in PyTorch: the reference for every other runtime of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch

from heed.models.checkpoint import load_network
from heed.models.config import MemoryConfig
from heed.models.errors import CheckpointError
from heed.models.networks.memory_network import MemoryNetwork
from heed.models.runtime.memory import HopsRead, StoryInput
from heed.models.text.stories import PADDING


class TorchMemory:
    """A memory network, whose stories are padded to one tensor."""

    def __init__(self, network: MemoryNetwork) -> None:
        self._network = network.eval()

    @property
    def config(self) -> MemoryConfig:
        """The shape of the network."""
        return self._network.config

    @torch.inference_mode()
    def answer(self, inputs: Sequence[StoryInput]) -> list[HopsRead]:
        """Answer a batch of questions about stories."""
        stories = [each.memory for each in inputs]
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


def load_runtime(folder: Path) -> TorchMemory:
    """Load the network of a folder, which must be a memory network."""
    network = load_network(folder)
    if not isinstance(network, MemoryNetwork):
        raise CheckpointError(f"{folder} does not hold a memory network")
    return TorchMemory(network)
