"""The words that a model is familiar with: those that it met often enough while it learned.

Of others it knows the pieces and no more, and what it makes of them is a guess or a copy. They are
compared small and without accents, as people may type them.
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

MOST_BYTES = 1 << 24  # of the words: a file that unpacks to more is refused


class KnownWords:
    """Words, plain, one to a line in a compressed file."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = frozenset(words)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `save` wrote."""
        try:
            with gzip.open(path) as file:
                words = file.read(MOST_BYTES + 1)
            if len(words) > MOST_BYTES:
                raise CheckpointError(f"{path} holds more than {MOST_BYTES:,} bytes of words")
            return cls(words.decode().split())
        except (OSError, EOFError, ValueError, zlib.error) as error:
            raise CheckpointError(f"{path} cannot be read: {error}") from error

    def save(self, path: Path) -> None:
        """Write them in order, and no time of day, so that the same words are the same file."""
        path.write_bytes(gzip.compress("\n".join(sorted(self.words)).encode(), mtime=0))

    def rare_words(self, axis: TokenAxis) -> tuple[int, ...]:
        """The words of an axis, by their places, that are read and are none of these."""
        read = {token.word for token in axis.tokens}
        return tuple(
            place
            for place, word in enumerate(axis.words)
            if place in read and is_word(word.text) and plain(word.text) not in self.words
        )


def plain_words(text: str) -> Iterator[str]:
    """The words of a text as they are compared."""
    return (plain(word.text) for word in words_of(text) if is_word(word.text))


def plain(word: str) -> str:
    """Small, without accents and without the apostrophe that it may end in."""
    if word.isascii():
        return word.lower().rstrip(APOSTROPHES)
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign)).rstrip(APOSTROPHES)


def is_word(text: str) -> bool:
    """Whether it is two letters or more, and no figures."""
    bare = text.rstrip(APOSTROPHES)
    if len(bare) < 2:
        return False
    return bare.isalpha() or (bare[0].isalpha() and not any(map(str.isdigit, bare)))
