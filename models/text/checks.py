"""Checks of a text that a model is to read or write, in the words of the person who typed it."""

from __future__ import annotations

import math

from heed.models.card import Card
from heed.models.errors import InputError, write_first


def check_text(card: Card, text: str, name: str) -> None:
    """Raise `InputError` if a field is no text, is empty, or has too many characters."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        message = f"Character {error.start} is half of a surrogate pair, which is not text."
        raise InputError("invalid_text", message, name) from error
    if not text:
        raise nothing_written(name)
    if len(text) > card.limits.characters:
        raise too_long(card, text, name, len(text), card.limits.characters, "characters")


def nothing_written(name: str, *, blank: bool = False) -> InputError:
    """Return the error of a field without a word."""
    return InputError(f"{'blank' if blank else 'empty'}_{name}", write_first(name), name)


def too_long(
    card: Card, text: str, name: str, length: int, most: int, unit: str, part: str = ""
) -> InputError:
    """Return the error of a field, or a part of it, that has more units than a model takes."""
    words, share = len(text.split()), 1 - most / length
    over = f"{math.ceil(words * share)} words" if words > 1 else f"{length - most} {unit}"
    over = over.removesuffix("s") if over.startswith("1 ") else over
    begin = f"{part} is too" if part else "Too"
    message = f"{begin} long by about {over}: {card.name} takes at most {most} {unit}."
    return InputError(f"{name}_too_long", message, name)
