"""N-grams of words, and BLEU of a single text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

ORDERS = 4  # n-grams of one to four words

Gram = tuple[str, ...]


def ngrams(tokens: Sequence[str]) -> Counter[Gram]:
    """Count the n-grams of one to four words."""
    return Counter(
        tuple(tokens[start : start + order])
        for order in range(1, ORDERS + 1)
        for start in range(len(tokens) - order + 1)
    )


def sentence_bleu(
    mine: Counter[Gram], length: int, theirs: Sequence[Counter[Gram]], lengths: Sequence[int]
) -> float:
    """Return BLEU-4 of one text, 0 to 1, with add-one smoothing of n-grams above one word."""
    most: Counter[Gram] = Counter()
    for their_gram in theirs:
        most |= their_gram
    matched, there = [0] * ORDERS, [0] * ORDERS
    for gram, times in mine.items():
        there[len(gram) - 1] += times
        matched[len(gram) - 1] += min(times, most[gram])
    logs = [
        math.log((right + (order > 0)) / (all_of_them + (order > 0))) if right or order else -9.0
        for order, (right, all_of_them) in enumerate(zip(matched, there, strict=True))
    ]
    nearest = min(lengths, key=lambda other: (abs(other - length), other))
    return math.exp(min(0.0, 1 - nearest / max(length, 1)) + sum(logs) / ORDERS)
