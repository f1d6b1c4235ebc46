"""What there is to say of how a text was read, as `sentences.js` says it on the page."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from heed.app.schemas import TokenAxisOut
from heed.models.trace import TokenAxis

MOST_NAMED = 3
"""Words, of many."""


def reading_note(axis: TokenAxisOut | TokenAxis) -> str:
    """What was passed over, and what the model hardly met; empty where nothing is to be said."""
    read = {token.word for token in axis.tokens}
    words = [word.text for word in axis.words]
    unread = (word for place, word in enumerate(words) if place not in read)
    passed = _few(word for word in unread if _has_ink(word))
    rare_words = _few(words[place] for place in axis.rare_words or ())
    notes = (
        passed and f"Ignored (unknown to this model): {passed}.",
        rare_words and f"Rare in training, so the model may guess: {rare_words}.",
    )
    return " ".join(note for note in notes if note)


def direction(text: str) -> str:
    """The direction of the first letter that has one."""
    kinds = (unicodedata.bidirectional(sign) for sign in text)
    return (
        "rtl" if next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L") != "L" else "ltr"
    )


def _few(words: Iterable[str]) -> str:
    """The first of some words, each once, and how many more there are."""
    found = list(dict.fromkeys(words))
    named = [f"“{_isolated(text)}”" for text in found[:MOST_NAMED]]
    if len(found) > MOST_NAMED:
        named.append(f"{len(found) - MOST_NAMED} more")
    return " and ".join(part for part in (", ".join(named[:-1]), *named[-1:]) if part)


def _isolated(text: str) -> str:
    """Isolated, or a right-to-left word would take the marks around it along."""
    return f"\u2068{text}\u2069" if direction(text) == "rtl" else text


def _has_ink(text: str) -> bool:
    return any(unicodedata.category(sign)[0] not in "MZC" for sign in text)
