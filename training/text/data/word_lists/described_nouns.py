"""Nouns with an adjective, in a few short phrases: "a beautiful dog", "un perro bonito".

    adjectives.tsv: kinds of nouns ⇥ English ⇥ French, masculine and feminine, before or after the
        noun ⇥ German without its ending ⇥ Spanish, masculine and feminine
    described_nouns.tsv: kind ⇥ English ⇥ French ⇥ gender ⇥ German ⇥ gender ⇥ Spanish ⇥ gender

Kinds: `t` a thing, `a` an animal, `p` a person. Adjective and noun change places between the
languages, so that these phrases teach the attention which word is which. One combination in five is
held out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from training.text.data.corpora import LANGUAGES, SentencePair, capitalized, without_accents

FOLDER: Final = Path(__file__).parent
BEFORE_VOWELS: Final = {"beau": "bel", "vieux": "vieil", "nouveau": "nouvel"}
HELD_OUT: Final = 5  # one combination in so many
INDEFINITE: Final = {"m": ("ein", "er"), "f": ("eine", "e"), "n": ("ein", "es")}
DEFINITE: Final = {"m": "der", "f": "die", "n": "das"}
FRAMES: Final = (
    ("{}", "{}", "{}", "{}"),
    ("{}.", "{}.", "{}.", "{}."),
    ("This is {}.", "C'est {}.", "Das ist {}.", "Esto es {}."),
    ("There is {} here.", "Il y a {} ici.", "Hier ist {}.", "Aquí hay {}."),
)


class Adjective(NamedTuple):
    """A line of adjectives.tsv."""

    kinds: str
    en: str
    fr: str
    fr_feminine: str
    fr_place: str
    de: str
    es: str
    es_feminine: str


class Noun(NamedTuple):
    """A line of described_nouns.tsv."""

    kind: str
    en: str
    fr: str
    fr_gender: str
    de: str
    de_gender: str
    es: str
    es_gender: str


class Phrase(NamedTuple):
    """An adjective and a noun as a phrase of one language."""

    indefinite: str
    definite: str
    adjective: str
    noun: str


class DescribedNounTest(NamedTuple):
    """A held-out phrase in two languages, with the words that belong together."""

    source: Phrase
    target: Phrase


def described_nouns(pair: tuple[str, str]) -> list[SentencePair]:
    """Return the phrases to learn from, in small letters and with a capital."""
    here, there = map(LANGUAGES.index, pair)
    pairs: list[SentencePair] = []
    for phrases in _combinations(held_out=False):
        source, target = phrases[here], phrases[there]
        for frame in FRAMES:
            sides = frame[here].format(source.indefinite), frame[there].format(target.indefinite)
            pairs.append((capitalized(sides[0]), capitalized(sides[1])))
        pairs.append((source.indefinite, target.indefinite))
        pairs.append((source.definite, target.definite))
        pairs.append((capitalized(source.definite), capitalized(target.definite)))
    return pairs


def described_noun_tests(pair: tuple[str, str]) -> list[DescribedNounTest]:
    """Return the held-out phrases."""
    here, there = map(LANGUAGES.index, pair)
    return [
        DescribedNounTest(phrases[here], phrases[there]) for phrases in _combinations(held_out=True)
    ]


def _combinations(*, held_out: bool) -> Iterator[tuple[Phrase, ...]]:
    """Yield the phrases of each adjective with each noun of its kinds, in all languages."""
    nouns = [Noun(*line) for line in _lines("described_nouns.tsv")]
    for row, adjective in enumerate(Adjective(*line) for line in _lines("adjectives.tsv")):
        for column, noun in enumerate(nouns):
            tested = (row + column) % HELD_OUT == 0
            if noun.kind in adjective.kinds and tested == held_out:
                yield (
                    _english(adjective, noun),
                    _french(adjective, noun),
                    _german(adjective, noun),
                    _spanish(adjective, noun),
                )


def _lines(name: str) -> list[list[str]]:
    text = (FOLDER / name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()[1:]]


def _english(adjective: Adjective, noun: Noun) -> Phrase:
    both = f"{adjective.en} {noun.en}"
    article = "an" if both[0] in "aeiou" else "a"
    return Phrase(f"{article} {both}", f"the {both}", adjective.en, noun.en)


def _french(adjective: Adjective, noun: Noun) -> Phrase:
    feminine = noun.fr_gender == "f"
    described = adjective.fr_feminine if feminine else adjective.fr
    if adjective.fr_place == "before" and not feminine and _begins_with_vowel(noun.fr):
        described = BEFORE_VOWELS.get(described, described)
    words = (described, noun.fr) if adjective.fr_place == "before" else (noun.fr, described)
    both, the = " ".join(words), "la" if feminine else "le"
    definite = f"l'{both}" if _begins_with_vowel(both) else f"{the} {both}"
    return Phrase(f"{'une' if feminine else 'un'} {both}", definite, described, noun.fr)


def _german(adjective: Adjective, noun: Noun) -> Phrase:
    article, ending = INDEFINITE[noun.de_gender]
    described = adjective.de + ending
    definite = f"{DEFINITE[noun.de_gender]} {adjective.de}e {noun.de}"
    return Phrase(f"{article} {described} {noun.de}", definite, described, noun.de)


def _spanish(adjective: Adjective, noun: Noun) -> Phrase:
    feminine = noun.es_gender == "f"
    described = adjective.es_feminine if feminine else adjective.es
    both = f"{noun.es} {described}"
    a, the = ("una", "la") if feminine else ("un", "el")
    return Phrase(f"{a} {both}", f"{the} {both}", described, noun.es)


def _begins_with_vowel(word: str) -> bool:
    return without_accents(word[0]) in "aeiouh"
