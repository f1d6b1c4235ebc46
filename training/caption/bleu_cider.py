"""Quality of captions: BLEU and CIDEr-D as the COCO caption tools compute them; how they differ.

BLEU is sacrebleu's, told to count words as they come, to take the reference of the closest length
(the shorter of two) and to smooth nothing: the same formula as in the tools, term for term. CIDEr
has no light package that is alive, so it is written out here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from sacrebleu.metrics.bleu import BLEU

from heed.models.trace import Floats
from training.caption.words import words
from training.common.ngrams import ORDERS, Gram, ngrams

SIGMA = 6.0  # of the penalty for another length, in words
SCALE = 10.0


def caption_quality(
    written: Sequence[str], references: Sequence[Sequence[str]]
) -> dict[str, float]:
    """Every figure that needs the texts alone: a caption for each picture, and its references."""
    quality = {f"bleu_{n}": value for n, value in enumerate(bleu(written, references), start=1)}
    quality["cider"] = cider(written, references)
    return quality | variety(written)


def bleu(written: Sequence[str], references: Sequence[Sequence[str]]) -> list[float]:
    """BLEU-1 to BLEU-4 over all captions together, 0 to 100 (Papineni et al. 2002)."""
    most = max(map(len, references))
    # None and not "" where a picture has fewer: that would be a reference, the shortest there is.
    columns: list[Any] = [
        [" ".join(words(each[place])) if place < len(each) else None for each in references]
        for place in range(most)
    ]
    measure = BLEU(tokenize="none", smooth_method="none", force=True)
    score = measure.corpus_score([" ".join(words(caption)) for caption in written], columns)
    means = []
    for order in range(1, ORDERS + 1):
        shares = [precision / 100 for precision in score.precisions[:order]]
        if min(shares) > 0:
            means.append(math.exp(sum(map(math.log, shares)) / order))
        else:
            means.append(0.0)
    return [100 * score.bp * mean for mean in means]


def cider(written: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """CIDEr-D, the mean over all captions (Vedantam, Zitnick and Parikh 2015, section 7).

    How much an n-gram says is how few of the pictures have it in a reference; so the score of one
    caption goes by all the pictures that are scored with it.
    """
    counted = [[ngrams(words(caption)) for caption in each] for each in references]
    pictures = Counter(gram for each in counted for gram in set().union(*each))
    scores = [
        consensus(ngrams(words(caption)), each, pictures, len(references))
        for caption, each in zip(written, counted, strict=True)
    ]
    return sum(scores) / len(scores)


def consensus(
    caption: Counter[Gram],
    references: Sequence[Counter[Gram]],
    pictures: Counter[Gram],
    count: int,
) -> float:
    """Equation 3 of the paper, with the clipping and the penalty of CIDEr-D."""
    total = 0.0
    mine = _weighted(caption, pictures, count)
    for reference in references:
        theirs = _weighted(reference, pictures, count)
        # The tools count a length in pairs of words, one fewer than words.
        apart = _pairs(caption) - _pairs(reference)
        penalty = math.exp(-(apart**2) / (2 * SIGMA**2))
        alike = sum(_cosine(mine[order], theirs[order]) for order in range(ORDERS))
        total += penalty * alike / ORDERS
    return SCALE * total / len(references)


def _weighted(
    counts: Counter[Gram], pictures: Counter[Gram], count: int
) -> list[dict[Gram, float]]:
    """Counts times the logarithm of how rare the n-gram is, apart by n (equation 1)."""
    weights: list[dict[Gram, float]] = [{} for _ in range(ORDERS)]
    for gram, times in counts.items():
        weights[len(gram) - 1][gram] = times * math.log(count / max(pictures[gram], 1))
    return weights


def _cosine(mine: dict[Gram, float], theirs: dict[Gram, float]) -> float:
    """Of two vectors, the first clipped to the second: saying a word again gains nothing."""
    lengths = math.hypot(*mine.values()) * math.hypot(*theirs.values())
    if not lengths:
        return 0.0
    shared = mine.keys() & theirs.keys()
    return sum(min(mine[gram], theirs[gram]) * theirs[gram] for gram in shared) / lengths


def _pairs(counts: Counter[Gram]) -> int:
    return sum(times for gram, times in counts.items() if len(gram) == 2)


def variety(written: Sequence[str]) -> dict[str, float]:
    """How many of the captions are distinct, and how many pictures got the commonest of them."""
    counts = Counter(" ".join(words(caption)) for caption in written)
    return {
        "distinct_captions": len(counts) / len(written),
        "most_given_caption": max(counts.values()) / len(written),
    }


def movement(weights: Floats) -> float:
    """How much a map changes from one row to the next: the share of the weight that moves.

    0 where every row is the same, 1 where no row looks at anything the one before looked at.
    """
    if len(weights) < 2:
        return 0.0
    return float(np.abs(np.diff(weights, axis=0)).sum(axis=1).mean() / 2)


def mean_movement(maps: Iterable[Floats]) -> float:
    """The mean over captions, each of them counting once."""
    moved = [movement(weights) for weights in maps]
    return sum(moved) / len(moved) if moved else 0.0
