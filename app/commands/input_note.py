"""A note on the words of an input that a model does not know."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from heed.models.trace import TokenAxis

MOST_WORDS = 3


def input_note(axis: TokenAxis) -> str:
    """Return a note on the words that were ignored or are rare; empty if there are none."""
    with_tokens = {token.word for token in axis.tokens}
    words = [word.text for word in axis.words]
    without = (word for index, word in enumerate(words) if index not in with_tokens)
    ignored = _list(word for word in without if _is_visible(word))
    rare = _list(words[index] for index in axis.rare_words or ())
    notes = (
        ignored and f"Ignored (unknown to this model): {ignored}.",
        rare and f"Rare in training, so the model may guess: {rare}.",
    )
    return " ".join(note for note in notes if note)


def _list(words: Iterable[str]) -> str:
    """Return the first words, each once, and the number of the others."""
    unique = list(dict.fromkeys(words))
    named = [f"“{word}”" for word in unique[:MOST_WORDS]]
    if len(unique) > MOST_WORDS:
        named.append(f"{len(unique) - MOST_WORDS} more")
    return " and ".join(part for part in (", ".join(named[:-1]), *named[-1:]) if part)


def _is_visible(text: str) -> bool:
    return any(unicodedata.category(character)[0] not in "MZC" for character in text)
