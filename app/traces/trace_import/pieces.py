"""An axis from plain pieces of any tokenizer, the same as the page makes it."""

from __future__ import annotations

import re

from heed.app.errors import FieldError
from heed.app.schemas import (
    MOST_CHARACTERS,
    MOST_PIECE_CHARACTERS,
    MOST_PIECES,
    TokenAxisOut,
    TokenOut,
    WordOut,
)
from heed.models.trace import Merge

SPACES = re.compile(r"[\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")
"""The white space of JavaScript, which is not quite that of Python."""
SPECIAL = re.compile(
    r"(<\/?s>|<pad>|<bos>|<eos>|<unk>|\[(CLS|SEP|PAD|UNK|MASK)\]|<\|[^|]+\|>)", re.ASCII
)
WORD_STARTS = ("▁", "Ġ")
CONTINUATION = "##"
CONTINUED = "@@"


def axis(pieces: object, name: str, merge: Merge) -> TokenAxisOut:
    """Return the axis of these pieces, or raise a `FieldError`.

    The usual marks say where words begin: `▁` or `Ġ` before a piece that begins a word, `##` before
    one that continues it, `@@` after one that is continued. Without marks every piece is a word.
    """
    if isinstance(pieces, str):
        _check_length(name, len(pieces), MOST_CHARACTERS)
        pieces = [piece for piece in SPACES.split(pieces) if piece]
    if not (
        isinstance(pieces, list) and pieces and all(isinstance(piece, str) for piece in pieces)
    ):
        message = f"The field '{name}' must be a list of strings, or one string."
        raise FieldError("wrong_type", message, name)
    if len(pieces) > MOST_PIECES:
        message = (
            f"The field '{name}' has {len(pieces)} pieces; at most {MOST_PIECES} can be drawn."
        )
        raise FieldError("invalid_trace", message, name)
    for piece in pieces:
        _check_length(name, len(piece), MOST_PIECE_CHARACTERS)
    _check_length(name, sum(map(len, pieces)) + len(pieces), MOST_CHARACTERS)
    if any("\ud800" <= character <= "\udfff" for piece in pieces for character in piece):
        message = f"The field '{name}' is not valid Unicode: half of a surrogate pair is missing."
        raise FieldError("invalid_text", message, name)
    marked = any(piece.startswith(WORD_STARTS) for piece in pieces)
    text = ""
    continued = False  # whether the previous piece is continued by this one
    tokens: list[TokenOut] = []
    words: list[WordOut] = []
    for index, piece in enumerate(pieces):
        special = SPECIAL.fullmatch(piece) is not None
        follows = bool(words) and not special and not words[-1].special
        begins = piece.startswith(WORD_STARTS) if marked else not piece.startswith(CONTINUATION)
        continues = follows and (continued or not begins)
        bare = piece if special else _without_marks(piece)
        continued = not special and piece.endswith(CONTINUED)
        if not special and not continues and text:
            text += " "
        start = len(text)
        text += "" if special else bare
        if continues:
            words[-1].text += bare
            words[-1].end = len(text)
        else:
            words.append(WordOut(text=bare, start=start, end=len(text), special=special))
        place = {"start": start, "end": len(text), "word": len(words) - 1}
        tokens.append(TokenOut(id=index, text=bare, special=special, **place))
    return TokenAxisOut(text=text, tokens=tokens, words=words, merge=merge)


def _check_length(name: str, characters: int, most: int) -> None:
    if characters > most:
        message = f"The field '{name}', or one of its pieces, has more than {most:,} characters."
        raise FieldError("invalid_trace", message, name)


def _without_marks(piece: str) -> str:
    for mark in (*WORD_STARTS, CONTINUATION):
        if piece.startswith(mark):
            piece = piece[len(mark) :]
            break
    return piece.removesuffix(CONTINUED)
