"""A note on the input of a trace: words that the model ignored, and words that are rare to it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from heed.app.schemas import GraphAxisOut, SentenceAxisOut, TokenAxisOut
from heed.models.trace import GraphAxis, SentenceAxis, TokenAxis

UNKNOWN = "Unknown to this model, which reads all such words alike: "
MAX_NAMED = 3
"""Further words are only counted."""


def input_note(
    axis: TokenAxisOut | TokenAxis | SentenceAxisOut | SentenceAxis | GraphAxisOut | GraphAxis,
) -> str:
    """Name the words without a token and the words that were rare in training, if any.

    Of a story, name the words that the model does not know. Of a graph there is nothing to note.
    """
    if isinstance(axis, GraphAxisOut | GraphAxis):
        return ""
    if isinstance(axis, SentenceAxisOut | SentenceAxis):
        unknown = _listed(word.text for word in axis.unknown_words)
        return unknown and f"{UNKNOWN}{unknown}."
    read = {token.word for token in axis.tokens}
    words = [word.text for word in axis.words]
    unread = (word for place, word in enumerate(words) if place not in read)
    ignored = _listed(word for word in unread if _visible(word))
    rare = _listed(words[place] for place in axis.rare_words or ())
    notes = (
        ignored and f"Ignored (unknown to this model): {ignored}.",
        rare and f"Rare in training, so the model may guess: {rare}.",
    )
    return " ".join(note for note in notes if note)


def _listed(words: Iterable[str]) -> str:
    """The first of the distinct words, and the number of the others."""
    found = list(dict.fromkeys(words))
    named = [f"“{_isolated(text)}”" for text in found[:MAX_NAMED]]
    if len(found) > MAX_NAMED:
        named.append(f"{len(found) - MAX_NAMED} more")
    return " and ".join(part for part in (", ".join(named[:-1]), *named[-1:]) if part)


def _isolated(text: str) -> str:
    """Isolate right-to-left text, or the quotation marks around it would change sides."""
    kinds = (unicodedata.bidirectional(character) for character in text)
    first = next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L")
    return text if first == "L" else f"\u2068{text}\u2069"


def _visible(text: str) -> bool:
    return any(unicodedata.category(character)[0] not in "MZC" for character in text)
