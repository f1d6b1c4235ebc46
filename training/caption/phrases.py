"""Noun phrases of a caption: a known noun, with the number and the colours that belong to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from training.caption.lexicon import (
    ADJECTIVES,
    CLOTHES,
    COLOURS,
    MANY,
    NOT_THINGS,
    NUMBERS,
    PAIRS,
    PLACES,
    PLURALS,
    SINGULARS,
    THINGS,
)


class Phrase(NamedTuple):
    """A noun with its number and colours."""

    noun: str  # its canonical name: man, dog, shirt, ball
    kind: str  # being, clothing or thing
    number: int  # 0 for an unknown number above one
    colours: tuple[str, ...]
    start: int  # words of the caption
    end: int
    another: bool  # another one is mentioned


def phrases(tokens: Sequence[str]) -> Iterator[Phrase]:
    """Yield the noun phrases of a caption whose nouns are known."""
    for place, token in enumerate(tokens):
        after = tokens[place + 1] if place + 1 < len(tokens) else ""
        before = tokens[place - 1] if place else ""
        if (token, after) in NOT_THINGS or (before, token) in NOT_THINGS or after == "'s":
            continue
        if noun := SINGULARS.get(token):
            yield _phrase(tokens, place, noun, "being", 1)
        elif noun := PLURALS.get(token):
            yield _phrase(tokens, place, noun, "being", 0)
        elif noun := CLOTHES.get(token):
            yield _phrase(tokens, place, noun, "clothing", 1)
        elif noun := THINGS.get(token):
            # A car race and a rope swing are no cars and no ropes.
            if after in THINGS or after in CLOTHES or after in SINGULARS or after in PLACES:
                continue
            yield _phrase(tokens, place, noun, "thing", 1)


def _phrase(tokens: Sequence[str], place: int, noun: str, kind: str, count: int) -> Phrase:
    """Collect what belongs to a noun, from right to left."""
    start, colours, another = place, [], False
    while start:
        word = tokens[start - 1]
        if word in COLOURS:
            colours.append(COLOURS[word])
        elif word == "and":
            # Between two colours only: a dog and a ball are two phrases.
            if not colours or start < 2 or tokens[start - 2] not in COLOURS:
                break
        elif word in NUMBERS:
            count = NUMBERS[word]
        elif word in MANY:
            count = 0
            another = another or word == "other"
        elif word not in ADJECTIVES:
            another = another or word in ("another", "one")
            break
        start -= 1
    several = count != 1 or (len(colours) > 2) or (kind == "being" and tokens[place] in PLURALS)
    kept = () if several and noun not in PAIRS else tuple(dict.fromkeys(colours))
    return Phrase(noun, kind, count, kept, start, place + 1, another)
