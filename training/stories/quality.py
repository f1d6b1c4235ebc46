"""Quality of a memory network: right answers, and agreement of its attention with the facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from heed.models.trace import Floats
from training.common.batches import chunks
from training.stories.examples import Example, examples
from training.stories.questions import HOPS, KINDS, Kind
from training.stories.vocabulary import CANNOT_KNOW

TEST_SEED: Final = 2015
BATCH = 250


class Answered(NamedTuple):
    """An answer, and the weights of the hops."""

    answer: str
    weights: Floats  # (hops, 1 + sentences), first that of the empty sentence


Answerer = Callable[[Sequence[Example]], Sequence[Answered]]


@lru_cache(maxsize=64)
def held_out(kind: Kind, count: int, *, answerable: bool) -> tuple[Example, ...]:
    """Draw the examples of a kind on which models are measured."""
    stream = examples(f"{TEST_SEED} {kind} {answerable}", kind, answerable=answerable)
    return tuple(islice(stream, count))


def evaluate_stories(answer: Answerer, count: int) -> dict[str, dict[str, float]]:
    """Measure a model on as many held-out stories of each kind, and on unanswerable ones.

    The questions of a kind are those that their story answers. The unanswerable questions are of
    all kinds alike, and the right answer is that one cannot know.
    """
    quality: dict[str, dict[str, float]] = {
        kind: _measure(answer, held_out(kind, count, answerable=True)) for kind in KINDS
    }
    share = -(-count // len(KINDS))
    open_ones = [example for kind in KINDS for example in held_out(kind, share, answerable=False)]
    quality["unanswerable"] = _measure(answer, open_ones[:count])
    return quality


def _measure(answer: Answerer, tested: Sequence[Example]) -> dict[str, float]:
    """Return the shares of right answers and of supporting sentences among the strongest.

    `supporting`: of the right answers, those in which the strongest sentence of some hop is a
    supporting one; where no sentence supports the answer, the empty one. `each_fact`: those in
    which every supporting sentence is the strongest of a hop. `uniform` and `newest`: the same for
    a sentence drawn at random, as `uniform_hops` for one in each hop, and for the newest sentence.
    """
    common = Counter(example.answer for example in tested).most_common(1)[0][0]
    given = [result for chunk in chunks(iter(tested), BATCH) for result in answer(chunk)]
    right = cannot = 0
    sums = dict.fromkeys(("supporting", "each_fact", "uniform", "uniform_hops", "newest"), 0.0)
    for example, (said, weights) in zip(tested, given, strict=True):
        cannot += said == CANNOT_KNOW
        if said != example.answer:
            continue
        right += 1
        strongest = {int(place) - 1 for place in np.argmax(weights, axis=1)}
        facts = set(example.supporting) or {-1}
        sums["supporting"] += bool(facts & strongest)
        sums["each_fact"] += facts <= strongest
        chance = len(example.supporting) / len(example.sentences)
        sums["uniform"] += chance
        sums["uniform_hops"] += 1 - (1 - chance) ** HOPS
        sums["newest"] += len(example.sentences) - 1 in example.supporting
    quality = {
        "stories": len(tested),
        "right": right / len(tested),
        "commonest_answer": sum(example.answer == common for example in tested) / len(tested),
        "cannot_know": cannot / len(tested),
    }
    quality |= {name: total / max(right, 1) for name, total in sums.items()}
    return {name: round(float(value), 4) for name, value in quality.items()}
