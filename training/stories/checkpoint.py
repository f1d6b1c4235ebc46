"""Checkpoints of memory networks: config.json with words and answers, and 16-bit weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch

from heed.models.checkpoint import save_checkpoint
from heed.models.networks.memory_network import MemoryNetwork
from training.stories.batches import read_batch
from training.stories.examples import Example
from training.stories.quality import Answered, Answerer
from training.stories.recipe import MemoryRecipe
from training.stories.vocabulary import Vocabulary

CHARACTERS = 2000  # of a story, at most


def save_memory(
    folder: Path, recipe: MemoryRecipe, model: MemoryNetwork, vocabulary: Vocabulary
) -> None:
    """Write the weights as 16-bit floats, and the configuration with words and answers."""
    about = {
        "id": recipe.id,
        "name": recipe.name,
        "task": recipe.task,
        "source": {"code": "en", "name": "English story"},
        "target": {"code": "en", "name": "English answer"},
        "granularity": "subwords",
        "limits": {
            "characters": CHARACTERS,
            "tokens": recipe.network.sentences,
            "steps": recipe.network.hops,
        },
        # The last line of an example is its question.
        "examples": [f"{each['story']}\n{each['question']}" for each in recipe.examples],
        "guided": "attention guided by supporting facts in training",
        "learned_from": recipe.learned_from,
        "rank": recipe.rank,
        **vocabulary.to_dict(),
    }
    save_checkpoint(folder, about, recipe.network, dict(model.named_parameters()))


def answerer(model: MemoryNetwork, vocabulary: Vocabulary) -> Answerer:
    """Return a function that answers examples with a network."""

    @torch.inference_mode()
    def answer(examples: Sequence[Example]) -> list[Answered]:
        batch = read_batch(vocabulary, examples)
        hops = model(batch.story, batch.sentences, batch.question)
        best = hops.logits[:, -1].argmax(dim=-1).tolist()
        weights = hops.weights.numpy()
        return [
            Answered(vocabulary.answers[said], weights[row][:, : len(example.sentences) + 1])
            for row, (said, example) in enumerate(zip(best, examples, strict=True))
        ]

    return answer
