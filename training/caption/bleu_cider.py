"""Quality of captions: BLEU and CIDEr-D by the formulas of the COCO caption tools; variety.

BLEU is sacrebleu's, without tokenization or smoothing and with the reference of the closest length
(the shorter of two): the same formula as in the tools. No maintained light package has CIDEr, so it
is implemented here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
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
    """Compute every figure that needs only the captions and their references."""
    quality = {f"bleu_{n}": value for n, value in enumerate(bleu(written, references), start=1)}
    quality["cider"] = cider(written, references)
    return quality | variety(written)


def bleu(written: Sequence[str], references: Sequence[Sequence[str]]) -> list[float]:
    """BLEU-1 to BLEU-4 over all captions together, 0 to 100 (Papineni et al. 2002)."""
    most = max(map(len, references))
    # None and not "" where a picture has fewer: that would be a reference, the shortest there is.
    columns: list[Any] = [
        [
            " ".join(words(several[place])) if place < len(several) else None
            for several in references
        ]
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

    The weight of an n-gram is its rarity among the references of all pictures, so the score of a
    caption depends on the whole set.
    """
    counted = [[ngrams(words(caption)) for caption in several] for several in references]
    pictures = Counter(gram for references in counted for gram in set().union(*references))
    scores = [
        consensus(ngrams(words(caption)), of_picture, pictures, len(references))
        for caption, of_picture in zip(written, counted, strict=True)
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
    """Return the share of distinct captions, and of pictures with the commonest caption."""
    counts = Counter(" ".join(words(caption)) for caption in written)
    return {
        "distinct_captions": len(counts) / len(written),
        "most_given_caption": max(counts.values()) / len(written),
    }


def movement(weights: Floats) -> float:
    """Return the share of the weight that moves from one row to the next.

    0 where all rows are equal, 1 where consecutive rows do not overlap.
    """
    if len(weights) < 2:
        return 0.0
    return float(np.abs(np.diff(weights, axis=0)).sum(axis=1).mean() / 2)
