"""Quality of a reader: perplexity, and what its attention does where a verb agrees with a noun."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from heed.models.trace import Floats
from training.common.batches import chunks
from training.reading.templates import Agreement, agreements

TEST_SEED: Final = "2016"
BATCH = 100
MARGIN = 2.0  # times the weight of the distractor that the head should have


class Read(NamedTuple):
    """The numbers of a sentence that a network read."""

    log_probabilities: Floats  # (T,), of each word and of the end
    weights: Floats | None  # (T, T): row t is that of word t, column 0 the start
    verb: Floats  # (2,), log probabilities of two words in place of the one at a place


ReadTemplates = Callable[[Sequence[Agreement]], Sequence[Read]]


def held_out(count: int) -> list[Agreement]:
    """Draw the sentences on which models are measured."""
    return list(islice(agreements("test", TEST_SEED), count))


def evaluate_agreement(read: ReadTemplates, count: int) -> dict[str, float]:
    """Return shares of held-out templates.

    `head`: the weight of the verb's head is above twice the distractor's, in the row that predicts
    the verb. `head_weight`, `distractor_weight`: their means. `agrees`: the right form of the verb
    is likelier than the wrong one.
    """
    tested = held_out(count)
    results = [result for chunk in chunks(iter(tested), BATCH) for result in read(chunk)]
    quality = {"agrees": float(np.mean([result.verb[0] > result.verb[1] for result in results]))}
    if results[0].weights is None:
        return quality
    rows = [result.weights[example.verb] for result, example in zip(results, tested, strict=True)
            if result.weights is not None]  # fmt: skip
    pairs = [
        (row[example.head + 1], row[example.distractor + 1])
        for row, example in zip(rows, tested, strict=True)
    ]
    quality["templates"] = float(len(tested))
    quality["head"] = float(np.mean([head > MARGIN * other for head, other in pairs]))
    quality["head_weight"] = float(np.mean([head for head, _ in pairs]))
    quality["distractor_weight"] = float(np.mean([other for _, other in pairs]))
    return quality


def perplexity(losses: Sequence[tuple[float, int]]) -> float:
    """Return the perplexity of sums of losses in nats, each of so many words."""
    return math.exp(sum(loss for loss, _ in losses) / sum(count for _, count in losses))
