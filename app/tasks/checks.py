"""Checks of a text before it reaches a model: valid Unicode, and not blank."""

from __future__ import annotations

import unicodedata
from typing import Literal

from heed.app.errors import FieldError
from heed.models.errors import write_first

INVISIBLE_CATEGORIES = {"Cc", "Cf", "Zs", "Zl", "Zp"}
# Letters and marks without a glyph: Hangul fillers, the empty Braille cell, joiners, and selectors
# that only change their neighbours.
INVISIBLE = set("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
}

Role = Literal["text", "target", "question", "story", "graph"]


def check_text(value: object, field: str, role: Role = "text") -> str:
    """Return the value if it is a text with visible characters, or raise a `FieldError`."""
    if not isinstance(value, str):
        raise FieldError("wrong_type", f"The field '{field}' must be a string.", field)
    try:
        value.encode()
    except UnicodeEncodeError:
        message = f"The field '{field}' is not valid Unicode: half of a surrogate pair is missing."
        raise FieldError("invalid_text", message, field) from None
    if not value:
        raise FieldError(f"empty_{role}", write_first(role), field)
    if all(map(_invisible, set(value))):
        raise FieldError(f"blank_{role}", write_first(role), field)
    return value


def _invisible(character: str) -> bool:
    return (
        character.isspace()
        or character in INVISIBLE
        or unicodedata.category(character) in INVISIBLE_CATEGORIES
    )
