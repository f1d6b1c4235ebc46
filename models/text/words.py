"""Sentences as a reader of words has them: words with their spans, and the ids of the words.

A word is looked up in lower case; `'s` at its end is a word of its own. Marks are words, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from heed.models.errors import CheckpointError
from heed.models.trace import Word

PADDING: Final = 0
UNKNOWN: Final = 1
START: Final = 2
END: Final = 3
WORDS_FILE: Final = "words.txt"
SPECIAL: Final = ("<padding>", "<unknown>", "<start>", "<end>")

_WORD = re.compile(
    r"[^\W\d_]+(?:['’-][^\W\d_]+)*"  # letters, with apostrophes and hyphens between them
    r"|\d+(?:[.,:]\d+)*"
    r"|\.{2,}"
    r"|[!-/:-@\[-`{-~“”„«»‘’–—…]"
    r"|[^\w\s]+"  # emoji and other signs
    r"|\S"
)
_POSSESSIVE = re.compile(r"(?<=\w)['’]s$", re.IGNORECASE)
_PLAIN = str.maketrans("’‘“”„«»–—", '\'\'"""""--')


def split_words(text: str) -> list[Word]:
    """Return the words and marks of a text, as written, with their places."""
    words = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        cut = _POSSESSIVE.search(match[0])
        if cut and len(match[0]) > 2:
            middle = start + cut.start()
            words += [Word(text[start:middle], start, middle), Word(text[middle:end], middle, end)]
        else:
            words.append(Word(match[0], start, end))
    return words


def lookup_form(word: str) -> str:
    """Return the form by which a vocabulary knows a word: lower case, plain quotation marks."""
    return word.translate(_PLAIN).lower()


@dataclass(frozen=True, slots=True)
class WordVocabulary:
    """The words that a network knows, by id, each in its commonest form: `Tom`, `the`."""

    words: tuple[str, ...]
    _ids: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        known = {lookup_form(word): id for id, word in enumerate(self.words) if id >= len(SPECIAL)}
        object.__setattr__(self, "_ids", known)

    def __len__(self) -> int:
        return len(self.words)

    def ids_of(self, words: Iterable[str]) -> list[int]:
        """Return the id of each word; all that are not known share one."""
        return [self._ids.get(lookup_form(word), UNKNOWN) for word in words]

    def read(self, text: str) -> list[int]:
        """Return the ids of the words of a text."""
        return self.ids_of(word.text for word in split_words(text))

    def save(self, folder: Path) -> None:
        """Write the words into a folder, one a line."""
        (folder / WORDS_FILE).write_text("\n".join(self.words) + "\n", "utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the words of a folder."""
        path = folder / WORDS_FILE
        try:
            return cls(tuple(path.read_text("utf-8").splitlines()))
        except (OSError, ValueError) as error:
            raise CheckpointError(f"{path} cannot be read: {error}") from error


def build_vocabulary(
    counts: Mapping[str, int], forms: Mapping[str, int], size: int
) -> WordVocabulary:
    """Build the vocabulary of the commonest words, from the counts of words and of their forms."""
    shown: dict[str, str] = {}
    for form, _ in sorted(forms.items(), key=lambda entry: (-entry[1], entry[0])):
        shown.setdefault(lookup_form(form), form)
    ranked = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    most = size - len(SPECIAL)
    return WordVocabulary((*SPECIAL, *(shown.get(word, word) for word, _ in ranked[:most])))
