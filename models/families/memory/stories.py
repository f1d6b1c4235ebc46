"""Stories as a memory network reads them: sentences, their words, and the ids of both.

Every word and every sentence keeps its place in the text of the user.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from heed.models.checkpoint import read_config
from heed.models.errors import CheckpointError
from heed.models.trace import Word

PADDING: Final = 0
UNKNOWN: Final = 1
NOTHING: Final = 2
"""The one word of the empty sentence, which stands before every story."""
EMPTY: Final = Word("<no sentence>", 0, 0, special=True)
"""The empty sentence: a question that no sentence answers attends to it."""

_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;]*")
_WORD = re.compile(r"(?<=\w)['’]s\b|[^\W_]+(?:-[^\W_]+)*", re.IGNORECASE)


def split_sentences(text: str) -> list[Word]:
    """Split a text into its sentences, at `.`, `!`, `?`, `;` and the ends of lines."""
    return [
        Word(
            sentence.strip(),
            start := match.start() + len(sentence) - len(sentence.lstrip()),
            start + len(sentence.strip()),
        )
        for match in _SENTENCE.finditer(text)
        if _WORD.search(sentence := match[0])
    ]


def split_words(text: str, start: int = 0) -> list[Word]:
    """Return the words of a sentence that begins at `start`, as written."""
    return [
        Word(match[0], start + match.start(), start + match.end()) for match in _WORD.finditer(text)
    ]


def lookup_form(word: str) -> str:
    """Return the form in which a vocabulary has a word: `where's` is `where is`."""
    return "is" if word[0] in "'’" else word.lower()


@dataclass(frozen=True, slots=True)
class StoryVocabulary:
    """The words that a network reads and the answers that it gives, by id."""

    words: tuple[str, ...]
    answers: tuple[str, ...]
    _ids: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ids = {word: id for id, word in enumerate(self.words)}
        object.__setattr__(self, "_ids", ids)

    def ids_of(self, words: Sequence[Word]) -> tuple[int, ...]:
        """Return the id of each word; those that are not known have the same."""
        return tuple(self._ids.get(lookup_form(word.text), UNKNOWN) for word in words)

    def to_dict(self) -> dict[str, Any]:
        """Return the words and answers, as they stand in config.json."""
        return {"words": list(self.words), "answers": list(self.answers)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read the words and answers of a config.json."""
        return cls(tuple(map(str, values["words"])), tuple(map(str, values["answers"])))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the words and answers of the model in a folder."""
        try:
            return cls.from_dict(read_config(folder))
        except (KeyError, TypeError) as error:
            raise CheckpointError(f"{folder} has no words and answers: {error!r}") from error
