"""Quality of a model of dates: exact match, and agreement of its attention with the digits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from heed.models.generation.translator import TextRequest, Translator
from heed.models.trace import Floats, Output, SearchRequest
from training.common.batches import chunks
from training.dates.generator import Example, examples

TEST_SEED = 2015
BATCH = 100


def evaluate_dates(translator: Translator, count: int) -> dict[str, float]:
    """Exact match, and agreement of the strongest weight with the known alignment.

    A digit agrees if the source character of its strongest weight is one that says it; only the
    digits of the year and of the day are counted, and only in outputs that are right.
    """
    right = agreed = digits = 0
    chance = entropy = 0.0
    steps = 0
    for chunk in chunks(islice(examples(TEST_SEED, test=True), count), BATCH):
        greedy = SearchRequest("greedy")
        traces = translator.run([TextRequest(example.source, search=greedy) for example in chunk])
        for example, trace in zip(chunk, traces, strict=True):
            if trace.text != example.target:
                continue
            right += 1
            for weights in _cross(trace.output):
                for place in counted(example):
                    digits += 1
                    links = example.links[place]
                    agreed += int(weights[place].argmax()) in links
                    chance += len(links) / len(example.source)
                entropy += float(_entropy(weights).sum())
                steps += len(weights)
    quality: dict[str, float] = {"examples": count, "exact_match": right / count}
    if digits:
        quality |= {"alignment_agreement": agreed / digits, "chance_agreement": chance / digits}
        quality |= {"attention_entropy_bits": entropy / steps}
    return {name: round(float(value), 4) for name, value in quality.items()}


def counted(example: Example) -> list[int]:
    """Return the positions of the digits of year and day in a target."""
    target = example.target
    if target.startswith("--"):
        return [5, 6]
    parts = target.split("-")
    year = [] if len(parts) == 1 and len(target) != 4 else [0, 1, 2, 3]
    return year + ([8, 9] if len(parts) == 3 else [])


def _cross(output: Output) -> Iterator[Floats]:
    return (m.weights for m in output.maps if m.kind == "cross")


def _entropy(weights: Floats) -> Floats:
    """Return the entropy of each row in bits."""
    bits: Floats = -(weights * np.log2(np.maximum(weights, 1e-12))).sum(axis=1)
    return bits
