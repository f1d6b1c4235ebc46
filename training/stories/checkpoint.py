"""Checkpoints of memory networks: config.json with words and answers, and 16-bit weights."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from heed.models.checkpoint import CONFIG, FORMAT, WEIGHTS
from heed.models.config import MemoryConfig
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
    folder.mkdir(parents=True, exist_ok=True)
    halves = {
        name: value.detach().to(torch.float16).contiguous()
        for name, value in model.named_parameters()
    }
    save_file(halves, folder / WEIGHTS)
    (folder / WEIGHTS).chmod(0o644)
    config = {
        "format": FORMAT,
        "version": 1,
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
        "parameters": sum(value.numel() for value in halves.values()),
        "network": recipe.network.to_dict(),
        **vocabulary.to_dict(),
    }
    (folder / CONFIG).write_text(json.dumps(config, indent=2, ensure_ascii=False) + "\n", "utf-8")


def load_memory(folder: Path) -> tuple[MemoryNetwork, Vocabulary]:
    """Load a checkpoint, the weights as 32-bit floats."""
    config = json.loads((folder / CONFIG).read_text("utf-8"))
    network = MemoryConfig(**config["network"])
    model = MemoryNetwork(network)
    model.load_state_dict(
        {name: half.float() for name, half in load_file(folder / WEIGHTS).items()}
    )
    model.eval().requires_grad_(requires_grad=False)
    return model, Vocabulary.from_dict(config, network.words)


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
