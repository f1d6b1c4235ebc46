"""Lists of words: those that a model knows as input, and those of a language it writes.

Of an input word that is not in the list of a model it knows only the pieces, so its translation is
a guess or a copy. A written word that is in no training text of its language is made up of pieces.
"""

from __future__ import annotations

import gzip
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import compress
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from heed.models.errors import CheckpointError
from heed.models.text.tokenizer import APOSTROPHES, words_of
from heed.models.trace import TokenAxis, Word

MAX_BYTES = 1 << 24  # of the words: a file that unpacks to more is refused
LONGEST = 64  # bytes of a word: a longer one is in no list


class WordList:
    """Words in lower case, one per line of a compressed file.

    They are sorted in one array: a set of 50,000 words takes four times the memory.
    """

    def __init__(self, words: Iterable[str]) -> None:
        encoded = (word.encode() for word in words)
        kept = [word for word in encoded if 0 < len(word) <= LONGEST]
        self._sorted: np.ndarray[Any, np.dtype[np.bytes_]] = np.unique(np.array(kept, "S"))

    def __contains__(self, word: str) -> bool:
        """Return true if a word is in the list."""
        return word in self.among([word])

    def among(self, words: Iterable[str]) -> set[str]:
        """Return those of these words that are in the list; they are looked up all at once."""
        longest = self._sorted.itemsize  # NumPy would widen a copy of all words to a longer one
        short = {word: key for word in words if len(key := word.encode()) <= longest}
        if not short or not len(self._sorted):
            return set()
        sought = np.array(list(short.values()), self._sorted.dtype)
        places = self._sorted.searchsorted(sought)
        listed = self._sorted.take(places, mode="clip") == sought
        return set(compress(short, listed))

    def unlisted(
        self, axis: TokenAxis, parts_of: Callable[[str], Iterable[str]]
    ) -> list[tuple[int, Word]]:
        """Return the words of an axis of which a part is not in the list, with their places."""
        read = [(place, word, tuple(parts_of(word.text))) for place, word in _read_words(axis)]
        listed = self.among(part for _, _, parts in read for part in parts)
        return [(place, word) for place, word, parts in read if not listed.issuperset(parts)]

    @property
    def words(self) -> frozenset[str]:
        """All words."""
        return frozenset(word.decode() for word in self._sorted.tolist())

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file that `save` wrote."""
        try:
            with gzip.open(path) as file:
                words = file.read(MAX_BYTES + 1)
            if len(words) > MAX_BYTES:
                raise CheckpointError(f"{path} holds more than {MAX_BYTES:,} bytes of words")
            return cls(words.decode().split())
        except (OSError, EOFError, ValueError, zlib.error) as error:
            raise CheckpointError(f"{path} cannot be read: {error}") from error

    def save(self, path: Path) -> None:
        """Write the words in order and without a time, so that equal lists are equal files."""
        path.write_bytes(gzip.compress(b"\n".join(self._sorted.tolist()), mtime=0))


class KnownWords(WordList):
    """The words that were frequent enough in the training data of a model, without accents."""

    def rare_words(self, axis: TokenAxis) -> tuple[int, ...]:
        """Return the places of the words of an axis that have tokens and are not known."""
        return tuple(place for place, _ in self.unlisted(axis, plain_words))


class UnknownWords(NamedTuple):
    """The places of written words that are in no training text of their language."""

    made_up: tuple[int, ...]
    copied: tuple[int, ...]  # from the input


class TargetWords(WordList):
    """The words of all training texts in a language, with their accents."""

    def unknown_words(self, axis: TokenAxis, source: TokenAxis) -> UnknownWords:
        """Return the places of written words that no training text has."""
        read = {plain(word.text) for word in source.words}
        unknown = [
            (place, plain(word.text) in read) for place, word in self.unlisted(axis, accented_words)
        ]
        return UnknownWords(
            tuple(place for place, copied in unknown if not copied),
            tuple(place for place, copied in unknown if copied),
        )


def _read_words(axis: TokenAxis) -> Iterator[tuple[int, Word]]:
    """Yield the words that have tokens, with their places."""
    read = {token.word for token in axis.tokens}
    for place, word in enumerate(axis.words):
        if place in read and is_word(word.text):
            yield place, word


def plain_words(text: str) -> Iterator[str]:
    """Yield the words of a text, divided at apostrophes, as lists of known words have them."""
    return (plain(word.text) for word in words_of(text) if is_word(word.text))


def accented_words(text: str) -> Iterator[str]:
    """Yield the words of a text, divided at apostrophes, as lists of a language have them."""
    return (accented(word.text) for word in words_of(text) if is_word(word.text))


def plain(word: str) -> str:
    """Normalize a word: lower case, without accents and without a final apostrophe."""
    if word.isascii():
        return word.lower().rstrip(APOSTROPHES)
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign)).rstrip(APOSTROPHES)


def accented(word: str) -> str:
    """Normalize a word: lower case, without a final apostrophe."""
    return unicodedata.normalize("NFC", word.casefold()).rstrip(APOSTROPHES)


def is_word(text: str) -> bool:
    """Return true if it has two letters or more, and no digits."""
    bare = text.rstrip(APOSTROPHES)
    if len(bare) < 2:
        return False
    return bare.isalpha() or (bare[0].isalpha() and not any(map(str.isdigit, bare)))
