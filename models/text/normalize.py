"""Normalization of typed text: words in capitals, and characters unknown to the model.

Each character is replaced by a string, mostly itself, so that tokens keep their places in the
user's own string.
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
MARKS = {"Mn", "Me", "Cf"}  # accents, joiners: they do not stand alone
CLOSING = frozenset(".,;:!?…)")  # these follow a word without a space
CACHED = 4096  # characters
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
    """The tokenizer's lookup of a word."""

    def __call__(self, word: str, *, spaced: bool) -> Sequence[int]:
        """Return the ids of its pieces, behind a space or not."""


class TextNormalizer:
    """The normalization of text for one tokenizer."""

    def __init__(self, pieces: Pieces, characters: Callable[[], Collection[str]]) -> None:
        self._pieces = pieces
        self._characters = _Characters(pieces, characters)
        self._replacement = lru_cache(CACHED)(self._characters.replacement)

    def parts(self, text: str) -> Sequence[str | None]:
        """Return the replacement of each character of a text, mostly the character itself.

        An unknown accent is replaced by an empty string, and belongs to its letter; an unknown
        character that is ignored is replaced by None.
        """
        lowered = self._lower_capitals(text)
        if text.isascii() or not self._characters.known:
            return lowered
        known = [*self._replaced(lowered)]
        return _close_gaps(known) if None in known else known

    def _lower_capitals(self, text: str) -> list[str]:
        """Lower words in capitals that the tokenizer would split into letters.

        In a text of capitals each word is written in the way that has the fewest pieces, and of
        these in the one learned first, the most frequent: "PARIS" as "Paris", "THE TV" as "the
        TV". Elsewhere capitals may be intended, and only a word that is one piece in lower case
        is lowered: "BIG" is read as "big".
        """
        parts = list(text)
        words = [match for match in WORD.finditer(text) if match[0].isupper()]
        if any(len(match[0]) > 1 for match in words):
            all_capitals = text.isupper()
            for match in words:
                parts[match.start() : match.end()] = self._lower_word(
                    text, match, all_capitals=all_capitals
                )
        return parts

    def _lower_word(self, text: str, match: re.Match[str], *, all_capitals: bool) -> Sequence[str]:
        """Normalize one word of a text in capitals, character by character."""
        word, start = match[0], match.start()
        spaced = start > 0 and text[start - 1].isspace()
        small = word.lower()
        if len(small) != len(word):  # "İ" is two characters in lower case
            return word
        ways = [word[0] + small[1:], *([] if _begins_sentence(text, start) else [small])]
        if SHARP in self._characters.known:  # which has no capital: "STRASSE"
            ways += [way.replace("ss", SHARP + GONE) for way in ways if "ss" in way]
        ids = {way: self._pieces(way.replace(GONE, ""), spaced=spaced) for way in (word, *ways)}
        best = min(
            ids, key=lambda way: (len(ids[way]), way == word and all_capitals, max(ids[way]))
        )
        intended = not all_capitals and (
            len(word) <= ABBREVIATION or len(ids[word]) == 1 or len(ids[best]) > 1
        )
        return word if intended else ["" if variant == GONE else variant for variant in best]

    def _replaced(self, parts: Sequence[str]) -> Iterator[str | None]:
        """Replace unknown characters by known ones, or by None."""
        before = ""
        for character in parts:
            if character.isascii() or self._joins(before, character):
                yield character
            else:
                yield self._replacement(character)
            before = character

    def _joins(self, before: str, character: str) -> bool:
        """Return true if this is an accent that composes a known character with the one before."""
        both = unicodedata.normalize("NFC", before + character)
        return len(before) == len(both) == 1 and both in self._characters.known


class _Characters:
    """The characters that a tokenizer knows, and the replacements of others."""

    def __init__(self, pieces: Pieces, characters: Callable[[], Collection[str]]) -> None:
        self._pieces = pieces
        self._of_pieces = characters

    @cached_property
    def known(self) -> Collection[str]:
        """The characters of pieces of several bytes; none if all pieces are single bytes."""
        return self._of_pieces()

    def replacement(self, character: str) -> str | None:
        """Replace an unknown character: "ñ" by "n", "☺" by None."""
        if character.isspace() or character in STRAIGHT or self._is_known(character):
            return character
        if unicodedata.category(character) in MARKS:
            return ""
        apart = unicodedata.normalize("NFKD", character)
        bare = "".join(
            character for character in apart if unicodedata.category(character) not in MARKS
        )
        straight = "".join(STRAIGHT.get(character, character) for character in bare)
        return straight if all(map(self._is_known, straight)) else None

    def _is_known(self, character: str) -> bool:
        """Return true if a character is in a piece; in large scripts, if bytes of it are."""
        if character.isascii() or character in self.known:
            return True
        many = unicodedata.category(character) == "Lo"
        return many and len(self._pieces(character, spaced=False)) < len(character.encode())


def _begins_sentence(text: str, start: int) -> bool:
    """Return true if a word that starts at this place of the text begins a sentence."""
    for place in range(start - 1, -1, -1):
        character = text[place]
        if character in ENDS or character.isalnum():
            return character in ENDS
    return True


def _close_gaps(parts: list[str | None]) -> list[str | None]:
    """Close the gaps of ignored characters.

    Words stay separated by one space, and no space is left before a full stop: "I ☺ you ☺." is
    read as "I you."
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
