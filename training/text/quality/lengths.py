"""Held-out pairs joined to texts of every length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Final

from training.text.data.corpora import SentencePair

LENGTHS: Final = (10, 20, 30, 40, 50, 60)  # words
BUCKET: Final = 400  # texts of a length
SHORT_TEXTS: Final = range(20, 41)  # tokens
LONG_TEXTS: Final = range(81, 201)  # tokens
SEED: Final = 2014


def joined_lines(pairs: Sequence[SentencePair]) -> Iterator[SentencePair]:
    """Yield lines of one to eight consecutive pairs, for sources of every length."""
    for size in range(1, 9):
        for start in range(0, len(pairs) - size + 1, size):
            yield _joined(pairs[start : start + size])


def by_length(pairs: Iterable[SentencePair], count: int) -> dict[int, list[SentencePair]]:
    """Sort pairs by the words of their source into buckets up to 60, at most `count` in each."""
    buckets: dict[int, list[SentencePair]] = {longest: [] for longest in LENGTHS}
    for source, target in pairs:
        words = len(source.split())
        longest = next((limit for limit in LENGTHS if words <= limit), None)
        if longest is not None and len(buckets[longest]) < count:
            buckets[longest].append((source, target))
    return buckets


def texts_of_tokens(
    pairs: Sequence[SentencePair], tokens: range, count_tokens: Callable[[str], int], count: int
) -> list[SentencePair]:
    """Join random pairs to at most `count` texts whose source has so many tokens.

    The lengths are spread evenly over the range. No pair is in two texts.
    """
    rng = Random(SEED)
    waiting = list(pairs)
    rng.shuffle(waiting)
    made: list[SentencePair] = []
    chosen: list[SentencePair] = []
    wanted = rng.choice(tokens)
    while waiting and len(made) < count:
        chosen.append(waiting.pop())
        length = count_tokens(_joined(chosen)[0])
        if length < wanted:
            continue
        if length in tokens:
            made.append(_joined(chosen))
        chosen, wanted = [], rng.choice(tokens)
    return made


def _joined(pairs: Sequence[SentencePair]) -> SentencePair:
    return " ".join(source for source, _ in pairs), " ".join(target for _, target in pairs)
