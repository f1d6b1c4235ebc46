"""The known words of a model: those that were frequent enough in its training data.

Of other words it knows only the pieces, so their translation is a guess or a copy. Words are
compared in lower case and without accents.
"""

from __future__ import annotations

import gzip
import unicodedata
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

from heed.models.errors import CheckpointError
from heed.models.text.tokenizer import APOSTROPHES, words_of
from heed.models.trace import TokenAxis

MAX_BYTES = 1 << 24  # of the words: a file that unpacks to more is refused


class KnownWords:
    """Words in lower case without accents, one per line of a compressed file."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = frozenset(words)

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
        path.write_bytes(gzip.compress("\n".join(sorted(self.words)).encode(), mtime=0))

    def rare_words(self, axis: TokenAxis) -> tuple[int, ...]:
        """Return the places of the words of an axis that have tokens and are not known."""
        read = {token.word for token in axis.tokens}
        return tuple(
            place
            for place, word in enumerate(axis.words)
            if place in read and is_word(word.text) and plain(word.text) not in self.words
        )


def plain_words(text: str) -> Iterator[str]:
    """Yield the words of a text in the form in which they are compared."""
    return (plain(word.text) for word in words_of(text) if is_word(word.text))


def plain(word: str) -> str:
    """Normalize a word: lower case, without accents and without a final apostrophe."""
    if word.isascii():
        return word.lower().rstrip(APOSTROPHES)
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign)).rstrip(APOSTROPHES)


def is_word(text: str) -> bool:
    """Return true if it has two letters or more, and no digits."""
    bare = text.rstrip(APOSTROPHES)
    if len(bare) < 2:
        return False
    return bare.isalpha() or (bare[0].isalpha() and not any(map(str.isdigit, bare)))
