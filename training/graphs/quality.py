"""Quality of a network of graphs: right classes of held-out nodes, and attention within classes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from heed.models.graphs.graph import Places
from heed.models.trace import Floats
from training.common.batches import chunks
from training.graphs.baseline import propagate
from training.graphs.examples import KINDS, Example, Kind, examples

TEST_SEED: Final = 2018
DEV_SEED: Final = 2017
BATCH = 100


class Found(NamedTuple):
    """The classes that a network finds, and its weights of directed edges, if it has any."""

    classes: Places  # (N,)
    weights: Floats | None  # (L, E, H), in the order of `Graph.neighbours`


Classifier = Callable[[Sequence[Example]], Sequence[Found]]


@lru_cache(maxsize=16)
def held_out(seed: int, kind: Kind, count: int) -> tuple[Example, ...]:
    """Draw the examples of a kind on which models are measured."""
    # A seed of its own for each kind: the graphs of two kinds would be alike otherwise.
    return tuple(islice(examples(seed * len(KINDS) + KINDS.index(kind), kind), count))


def evaluate_graphs(classify: Classifier, count: int, seed: int = TEST_SEED) -> dict[str, float]:
    """Measure a network on as many held-out graphs of each kind.

    `nodes`, `nodes_…`: the share of right nodes among those whose class is unknown. `within_class`:
    the mean weight of an edge between nodes of a class over that of an edge between two classes.
    """
    quality: dict[str, float] = {}
    right: list[Places] = []
    weights: list[tuple[float, float, int, int]] = []
    for kind in KINDS:
        tested = held_out(seed, kind, count)
        results = [result for chunk in chunks(iter(tested), BATCH) for result in classify(chunk)]
        judged = [
            _judge(example, given.classes) for example, given in zip(tested, results, strict=True)
        ]
        quality[f"nodes_{kind}"] = float(np.concatenate(judged).mean())
        right += judged
        weights += [
            _weigh(example, given.weights)
            for example, given in zip(tested, results, strict=True)
            if given.weights is not None
        ]
    quality["nodes"] = float(np.concatenate(right).mean())
    if weights:
        within, across, same, different = np.sum(weights, axis=0)
        quality["within_class"] = float(within / same / (across / different))
    return {name: round(value, 4) for name, value in quality.items()}


def evaluate_baselines(count: int, seed: int = TEST_SEED) -> dict[str, float]:
    """Measure what needs no training: spread labels, the commonest class, and equal weights."""
    tested = [example for kind in KINDS for example in held_out(seed, kind, count)]
    uniform = [_weigh(example, _equal(example)) for example in tested]
    within, across, same, different = np.sum(uniform, axis=0)
    spread = [_judge(example, propagate(example.graph)) for example in tested]
    commonest = [
        _judge(example, np.full(len(example.graph), _commonest(example))) for example in tested
    ]
    quality = {
        "propagation": float(np.concatenate(spread).mean()),
        "commonest_class": float(np.concatenate(commonest).mean()),
        "equal_weights": float(within / same / (across / different)),
    }
    return {name: round(value, 4) for name, value in quality.items()}


def _judge(example: Example, classes: Places) -> Places:
    """Return 1 for each right node and 0 for each wrong one, of those to be found."""
    unknown = list(example.unknown)
    return (classes[unknown] == np.array(example.classes)[unknown]).astype(np.int64)


def _weigh(example: Example, weights: Floats) -> tuple[float, float, int, int]:
    """Sum and count the weights of the edges within classes and across; loops count in neither."""
    sources, targets, _ = example.graph.neighbours
    classes, other = np.array(example.classes), sources != targets
    same = (classes[sources] == classes[targets]) & other
    mean = weights.mean(axis=(0, 2), dtype=np.float64)
    across = other & ~same
    return float(mean[same].sum()), float(mean[across].sum()), int(same.sum()), int(across.sum())


def _equal(example: Example) -> Floats:
    sizes = example.graph.degrees + 1
    return (1 / sizes[example.graph.neighbours.targets]).astype(np.float32)[None, :, None]


def _commonest(example: Example) -> int:
    """Return the class that most known nodes have."""
    known = Counter(label for label in example.graph.known if label >= 0)
    return min(known, key=lambda label: (-known[label], label), default=0)
