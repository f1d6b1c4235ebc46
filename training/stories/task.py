"""The task of a memory network: questions about stories, which a grammar makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional as F

from heed.models.families.memory.network import MemoryNetwork
from training.common.command_line import DATA, RUNS, Baseline
from training.common.task import Loss, Quality, Task, language, limits
from training.stories.batches import Batch, Variation, draw_pool, read_batch
from training.stories.examples import Example
from training.stories.quality import Answered, Answerer, evaluate_stories
from training.stories.recipe import MemoryNetworkRecipe
from training.stories.uniform import UniformNetwork
from training.stories.vocabulary import Vocabulary

CHARACTERS = 2000  # of a story, at most
DEV_STORIES = 100  # of each kind, at every save
FRESH = 16  # stories that are replaced before so many batches
SORTED_BATCHES = 8  # drawn together and sorted by the length of their stories


class StoryTask(Task[MemoryNetworkRecipe, Batch]):
    """A memory network that answers questions about stories."""

    recipe_type = MemoryNetworkRecipe
    baseline_of = Baseline("uniform", "train with equal weights")
    model: MemoryNetwork

    def __init__(
        self,
        recipe: MemoryNetworkRecipe,
        data: Path = DATA,
        runs: Path = RUNS,
        *,
        baseline: bool = False,
    ) -> None:
        super().__init__(recipe, data, runs, baseline=baseline)
        self.vocabulary = Vocabulary(longest=recipe.network.words)
        self.model = (UniformNetwork if baseline else MemoryNetwork)(recipe.network)
        self._pool = draw_pool(self.vocabulary, "pool", recipe.stories, recipe)
        self._variation = Variation(self.vocabulary, recipe.unknown)

    def epoch(self, number: int) -> Iterator[Batch]:
        """Yield some batches of stories of similar length, with other names each time.

        Fresh stories take the places of old ones in the pool.
        """
        pool, size = self._pool, self.recipe.schedule.batch
        count = len(pool.answer)
        fresh = draw_pool(self.vocabulary, f"{number * SORTED_BATCHES}", FRESH, self.recipe)
        rows = torch.arange(number * FRESH, (number + 1) * FRESH) % count
        for kept, new in zip(pool, fresh, strict=True):
            kept[rows] = new
        lengths = pool.sentences.sum(dim=1)
        rows = torch.randint(count, (SORTED_BATCHES * size,))
        parts = rows[lengths[rows].argsort()].view(SORTED_BATCHES, size)
        for part in torch.randperm(SORTED_BATCHES).tolist():
            yield self._variation.vary(pool.select(parts[part]).trim())

    def losses(self, batch: Batch) -> Iterator[Loss]:
        """Yield the cross-entropy of the answers in nats, and the total with that of the hops."""
        recipe = self.recipe
        hops = self.model(batch.story, batch.sentences, batch.question)
        every = hops.logits.flatten(0, 1)
        repeated = batch.answer.repeat_interleave(hops.logits.shape[1])
        hop_losses = F.cross_entropy(every, repeated, reduction="none")
        by_hop = hop_losses.view(len(batch.answer), -1).mean(0)
        total = by_hop[-1] + recipe.each_hop * by_hop[:-1].sum()
        if recipe.guide:
            chances = hops.scores.log_softmax(dim=-1).masked_fill(~batch.sentences[:, None], 0)
            total = total - recipe.guide * (batch.guide * chances).sum(dim=-1).mean()
        yield Loss(total, by_hop[-1])

    def evaluate(self) -> Quality:
        """Measure the shares of right answers."""
        quality = evaluate_stories(answerer(self.model, self.vocabulary), DEV_STORIES)
        summary = ", ".join(f"{kind} {value['right']:.1%}" for kind, value in quality.items())
        return Quality(f"right: {summary}")

    def card(self) -> dict[str, Any]:
        """Return words and answers; the last line of an example is its question."""
        network = self.recipe.network
        return {
            "source": language("en", "English story"),
            "target": language("en", "English answer"),
            "limits": limits(CHARACTERS, network.sentences, network.hops),
            "examples": [
                f"{example['story']}\n{example['question']}" for example in self.recipe.examples
            ],
            "guided": "attention guided by supporting facts in training",
            **self.vocabulary.to_dict(),
        }

    def data_state(self) -> Mapping[str, Any]:
        """Return the pool. A repeated epoch draws the same fresh stories into the same places."""
        return {"pool": tuple(self._pool)}

    def restore_data(self, state: Mapping[str, Any]) -> None:
        """Restore the pool."""
        self._pool = Batch(*state["pool"])


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
