"""Things named: the content words on which people agree, and which a caption names too."""

from __future__ import annotations

from collections.abc import Sequence

from training.caption.lexicon import COLOURS, PEOPLE, PLURALS
from training.caption.words import words

FUNCTION_WORDS = frozenset(
    """a an the this that these those some any each all both many several few other others another
    of in on at by to from with without near next beside behind between among under below beneath
    over above across through along past around against inside outside into onto toward towards
    off out up down front back side top middle while as for and or but than then there here where
    who which what it its he she they them his her their him is are was be been being has have
    having do does did not no very together someone something away 's n't during before after
    about like""".split()
)
NUMBERS = frozenset("one two three four five six seven eight nine ten".split())
STANDING = frozenset("stand stands standing stood".split())
PERSONS = {word for words_ in PEOPLE.values() for word in words_.split()} | {
    plural for plural, name in PLURALS.items() if name in PEOPLE
}
LEFT_OUT = FUNCTION_WORDS | NUMBERS | STANDING | PERSONS | frozenset(COLOURS)


def content_words(caption: str) -> frozenset[str]:
    """Return the words of a caption that name something, in the singular.

    Colours, numbers, people and "standing" are left out: they stand in so many captions that a
    model names them without the photo.
    """
    return frozenset(singular(word) for word in words(caption) if word not in LEFT_OUT)


def singular(word: str) -> str:
    """Return a word without the -s of the regular plural; a verb loses its own, too."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def things_named(written: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Return the share of the content words of all references of a photo that its caption has."""
    named = total = 0
    for caption, several in zip(written, references, strict=True):
        agreed = frozenset.intersection(*map(content_words, several))
        named += len(agreed & content_words(caption))
        total += len(agreed)
    return named / total if total else 0.0
