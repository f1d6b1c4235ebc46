"""How a text that is typed is read: capitals that shout, and characters that were never met.

Each character is read as a string in its place, mostly as itself, so that tokens keep their places
in the user's own string.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Protocol

LETTER = r"[^\W\d_]"
WORD = re.compile(rf"{LETTER}(?:{LETTER}|[\u0300-\u036f]|['’](?={LETTER}))*")  # accents of its own
ENDS = ".!?…"  # of a sentence
MARKS = {"Mn", "Me", "Cf"}  # accents, joiners: what is nothing by itself
CLOSING = frozenset(".,;:!?…)")  # what stands behind a word without a space
REMEMBERED = 4096  # characters; of others it is found out anew
ABBREVIATION = 2  # letters: "a GI", "at 5 AM"
SHARP, GONE = "ß", "\0"
STRAIGHT = {
    "’": "'",
    "‘": "'",
    "“": '"',
    "”": '"',
    "–": "-",
    "—": "-",
    "\N{NON-BREAKING HYPHEN}": "-",
}


class Pieces(Protocol):
    """What a tokenizer says of a word."""

    def __call__(self, word: str, *, spaced: bool) -> Sequence[int]:
        """The ids of its pieces, behind a space or not."""


class TextNormalizer:
    """How one tokenizer reads."""

    def __init__(self, pieces: Pieces, characters: Callable[[], Collection[str]]) -> None:
        self._pieces = pieces
        self._characters_of_pieces = characters
        self._read_as = lru_cache(REMEMBERED)(self._met_for)

    @cached_property
    def _met(self) -> Collection[str]:
        """The characters that stand in pieces of several bytes; none where all pieces are bytes."""
        return self._characters_of_pieces()

    def parts(self, text: str) -> Sequence[str | None]:
        """What is read for each character of a text: of most, the character.

        An accent that was not met is read as nothing, and belongs to its letter; a character that
        is passed over is none.
        """
        calm = self._calm(text)
        if text.isascii() or not self._met:
            return calm
        known = [*self._known(calm)]
        return _closed(known) if None in known else known

    def _calm(self, text: str) -> list[str]:
        """A text without the capitals that only shout.

        Words in capitals fall apart into letters, which stand for nothing. In a text of capitals
        each is read in the way that has the fewest pieces, and of these in the one learned first,
        the commonest: "PARIS" as "Paris", "THE TV" as "the TV". Elsewhere, where capitals may be
        meant, only a word that is one piece otherwise: "BIG" is read as "big".
        """
        parts = list(text)
        words = [found for found in WORD.finditer(text) if found[0].isupper()]
        if any(len(found[0]) > 1 for found in words):
            loud = text.isupper()
            for found in words:
                before = text[: found.start()]
                parts[found.start() : found.end()] = self._calm_word(found[0], before, loud=loud)
        return parts

    def _calm_word(self, word: str, before: str, *, loud: bool) -> Sequence[str]:
        """One word in capitals, character by character."""
        small = word.lower()
        if len(small) != len(word):  # "İ" is two characters when it is small
            return word
        ways = [word[0] + small[1:], *([] if _begins(before) else [small])]
        if SHARP in self._met:  # which has no capital: "STRASSE"
            ways += [way.replace("ss", SHARP + GONE) for way in ways if "ss" in way]
        ids = {
            way: self._pieces(way.replace(GONE, ""), spaced=before[-1:].isspace())
            for way in (word, *ways)
        }
        best = min(ids, key=lambda way: (len(ids[way]), way == word and loud, max(ids[way])))
        meant = not loud and (
            len(word) <= ABBREVIATION or len(ids[word]) == 1 or len(ids[best]) > 1
        )
        return word if meant else ["" if each == GONE else each for each in best]

    def _known(self, parts: Sequence[str]) -> Iterator[str | None]:
        """Characters that were never met as others that were, or not at all."""
        before = ""
        for character in parts:
            if character.isascii() or self._joins(before, character):
                yield character
            else:
                yield self._read_as(character)
            before = character

    def _joins(self, before: str, character: str) -> bool:
        """Whether this is an accent that makes one character that was met with that before it."""
        both = unicodedata.normalize("NFC", before + character)
        return len(before) == len(both) == 1 and both in self._met

    def _met_for(self, character: str) -> str | None:
        """What is read for a character: "n" for an "ñ" that was never met, none for "☺"."""
        if character.isspace() or character in STRAIGHT or self._is_met(character):
            return character
        if unicodedata.category(character) in MARKS:
            return ""
        apart = unicodedata.normalize("NFKD", character)
        bare = "".join(each for each in apart if unicodedata.category(each) not in MARKS)
        straight = "".join(STRAIGHT.get(each, each) for each in bare)
        return straight if all(map(self._is_met, straight)) else None

    def _is_met(self, character: str) -> bool:
        """Whether a character stands in a piece; of scripts with many, whether bytes of it do."""
        if character.isascii() or character in self._met:
            return True
        many = unicodedata.category(character) == "Lo"
        return many and len(self._pieces(character, spaced=False)) < len(character.encode())


def _begins(before: str) -> bool:
    """Whether what stands behind this begins a sentence."""
    for character in reversed(before):
        if character in ENDS or character.isalnum():
            return character in ENDS
    return True


def _closed(parts: list[str | None]) -> list[str | None]:
    """The gaps closed that characters leave which are passed over.

    Words stay apart by one space, and no space is left before a full stop: "I ☺ you ☺." is read
    as "I you."
    """
    start = 0
    while start < len(parts):
        end = start
        while end < len(parts) and not (parts[end] or "").strip():
            end += 1
        if None in parts[start:end]:
            gap = parts[start:end]
            behind = parts[end] if end < len(parts) else None
            parts[start:end] = [None] * len(gap)
            if start > 0 and behind and behind[0] not in CLOSING:
                spaces = [place for place, part in enumerate(gap) if part]
                parts[start + (spaces or [len(gap) - 1])[-1]] = " "
        start = end + 1
    return parts
