"""Counts of edits of attention that changed the word at their step, and those that had the aim."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from heed.models.trace import Output

CERTAIN: Final = 1.959964
"""The quantile of the normal distribution behind an interval of 95 %."""


@dataclass(slots=True)
class Steering:
    """Edits at the step of a noun, and the words that were written there."""

    nouns: int = 0
    changed: int = 0
    reached: int = 0

    def add(self, before: str, after: str, aims: frozenset[str]) -> None:
        """Count an edit, by the word without it, the word under it, and those aimed at."""
        self.nouns += 1
        self.changed += before != after
        self.reached += after in aims

    def figures(self) -> dict[str, float]:
        """Return the shares, each with the ends of its interval of 95 %."""
        figures: dict[str, float] = {"steered_nouns": self.nouns}
        for name, hits in (("changed", self.changed), ("reached", self.reached)):
            low, high = interval(hits, self.nouns)
            figures |= {
                f"steered_{name}": hits / max(self.nouns, 1),
                f"steered_{name}_low": low,
                f"steered_{name}_high": high,
            }
        return figures


def interval(hits: int, count: int) -> tuple[float, float]:
    """Return the interval of 95 % around a share (Wilson 1927).

    >>> [round(end, 3) for end in interval(27, 100)]
    [0.193, 0.364]
    """
    if not count:
        return 0.0, 1.0
    share, squared = hits / count, CERTAIN**2
    middle = (share + squared / (2 * count)) / (1 + squared / count)
    half = (
        CERTAIN
        * math.sqrt(share * (1 - share) / count + squared / (4 * count**2))
        / (1 + squared / count)
    )
    return max(middle - half, 0.0), min(middle + half, 1.0)


def words_of(output: Output) -> dict[str, range | None]:
    """Return the steps of each word of an output in lower case; None of one that stands twice."""
    steps: dict[int, list[int]] = {}
    for step, token in enumerate(output.tokens.tokens):
        steps.setdefault(token.word, []).append(step)
    written: dict[str, range | None] = {}
    for place, own in steps.items():
        text = output.tokens.words[place].text.lower()
        written[text] = None if text in written else range(own[0], own[-1] + 1)
    return written


def word_at(output: Output, step: int) -> str:
    """Return the word that was written from a step on, in lower case; empty behind the end."""
    tokens = output.tokens.tokens
    return output.tokens.words[tokens[step].word].text.lower() if step < len(tokens) else ""
