"""Names exchanged for others, the same on both sides of a pair.

In Tatoeba people are called Tom or Mary and towns Boston; people type other names.
A name is copied piece by piece, which a model learns only from names that it cannot know by heart:
so nearly half of those it meets are put together from two, "Oliv" and "ette".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import NamedTuple

from training.text.data.corpora import SentencePair, without_accents

NAMES = Path(__file__).parent / "names.tsv"
MADE_UP = 0.45
WITH_FAMILY = 0.2  # the others go by their first names
VOWELS = frozenset("aeiouy")


class Known(NamedTuple):
    """A name that a corpus has, as it is written in its languages, and what it is the name of."""

    forms: tuple[str, ...]
    kind: str


KNOWN = (
    Known(("Tom",), "man"),
    Known(("John",), "man"),
    Known(("Mary", "Marie", "Maria", "María"), "woman"),
    Known(("Boston",), "place"),
)


def contains_name(pair: SentencePair) -> list[Known]:
    """The names that stand on both sides."""
    return [name for name in KNOWN if all(_standing(name).search(side) for side in pair)]


def replace_names(
    pair: SentencePair, languages: tuple[str, str], rng: Random, made_up: float = MADE_UP
) -> SentencePair:
    """The pair with others in the place of those it names, as many of them made up."""
    source, target = pair
    for name in contains_name(pair):
        other = drawn(name.kind, rng, made_up)
        source = _put(other, name, source, languages[0])
        target = _put(other, name, target, languages[1])
    return source, target


def drawn(kind: str, rng: Random, made_up: float = MADE_UP) -> str:
    """Any name of a kind: woman, man, family or place."""
    names = _names()[kind]
    name = _made_up(names, rng) if rng.random() < made_up else rng.choice(names)
    if kind in ("woman", "man") and rng.random() < WITH_FAMILY:
        name = f"{name} {drawn('family', rng, made_up)}"
    return name


def all_names() -> list[str]:
    """Those that are drawn, of all kinds."""
    return [name for names in _names().values() for name in names]


@cache
def _names() -> dict[str, list[str]]:
    rows = (line.split("\t") for line in NAMES.read_text(encoding="utf-8").splitlines())
    return {kind: names.split(" ") for kind, names in rows}


def _made_up(names: Sequence[str], rng: Random) -> str:
    """The beginning of one name, up to where it sounds, and the end of another, from there on."""
    first, second = rng.sample(names, 2)
    return first[: _sounding(first)] + second[_sounding(second) :]


def _sounding(name: str) -> int:
    """Return the position of the first vowel after the first letters, or the end."""
    plain = without_accents(name.lower())
    return 2 + sum(1 for _ in takewhile(lambda letter: letter not in VOWELS, plain[2:]))


@cache
def _standing(name: Known) -> re.Pattern[str]:
    """A name as a word, also with the s of the German genitive."""
    return re.compile(rf"\b(?:{'|'.join(name.forms)})(?P<of>s?)\b")


def _put(other: str, name: Known, text: str, language: str) -> str:
    """Another name in the place of one, and what the words beside it become."""
    of = "'" if other[-1] in "sßxz" else "s"
    text = _standing(name).sub(lambda match: other + (of if match["of"] else ""), text)
    begins = without_accents(other[:2].lower())
    for before, becomes in _beside(language, begins):
        text = re.sub(rf"\b{before} (?={re.escape(other)})", becomes, text)
    return text


def _beside(language: str, begins: str) -> list[tuple[str, str]]:
    """Return what changes before a name with this initial, and into what."""
    if language == "fr" and begins[0] in "aeiou":
        return [("([Dd]|[Qq]u|[Ll]orsqu|[Pp]uisqu)e", r"\1'")]
    if language == "es" and begins.startswith(("i", "hi")):
        return [("y", "e ")]
    if language == "es" and begins.startswith(("o", "ho")):
        return [("o", "u ")]
    return []
