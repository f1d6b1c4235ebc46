"""An axis from plain pieces of any tokenizer, as the page's `imports.js` makes it."""

from __future__ import annotations

import re

from heed.app.errors import FieldError
from heed.app.schemas import TokenAxisOut, TokenOut, WordOut
from heed.models.trace import Merge

MOST_TOKENS = 512
SPACES = re.compile(r"[\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")
"""What separates words in JavaScript, which is not quite what does so in Python."""
SPECIAL = re.compile(
    r"(<\/?s>|<pad>|<bos>|<eos>|<unk>|\[(CLS|SEP|PAD|UNK|MASK)\]|<\|[^|]+\|>)", re.ASCII
)
BEGINS = ("▁", "Ġ")
GOES_ON = "##"
GONE_ON_FROM = "@@"


def axis(pieces: object, name: str, merge: Merge) -> TokenAxisOut:
    """The axis of these pieces, or the error that says what is wrong with them.

    The usual signs say where words begin: `▁` or `Ġ` before a piece that begins one, `##` before
    one that goes on, `@@` behind one that is gone on from. Without signs every piece is a word.
    """
    if isinstance(pieces, str):
        pieces = [piece for piece in SPACES.split(pieces) if piece]
    if not (isinstance(pieces, list) and pieces and all(isinstance(one, str) for one in pieces)):
        message = f"The field '{name}' should be a list of the pieces, as texts."
        raise FieldError("wrong_type", message, name)
    if any("\ud800" <= character <= "\udfff" for piece in pieces for character in piece):
        message = f"The field '{name}' is not valid Unicode: half of a surrogate pair is missing."
        raise FieldError("invalid_text", message, name)
    if len(pieces) > MOST_TOKENS:
        message = (
            f"The field '{name}' has {len(pieces)} pieces; at most {MOST_TOKENS} can be drawn."
        )
        raise FieldError("invalid_trace", message, name)
    signed = any(piece.startswith(BEGINS) for piece in pieces)
    text = ""
    still_open = False  # whether the piece before is gone on from
    tokens: list[TokenOut] = []
    words: list[WordOut] = []
    for index, piece in enumerate(pieces):
        special = SPECIAL.fullmatch(piece) is not None
        follows = bool(words) and not special and not words[-1].special
        begun = piece.startswith(BEGINS) if signed else not piece.startswith(GOES_ON)
        goes_on = follows and (still_open or not begun)
        bare = piece if special else _bare(piece)
        still_open = not special and piece.endswith(GONE_ON_FROM)
        if not special and not goes_on and text:
            text += " "
        start = len(text)
        text += "" if special else bare
        if goes_on:
            words[-1].text += bare
            words[-1].end = len(text)
        else:
            words.append(WordOut(text=bare, start=start, end=len(text), special=special))
        place = {"start": start, "end": len(text), "word": len(words) - 1}
        tokens.append(TokenOut(id=index, text=bare, special=special, **place))
    return TokenAxisOut(text=text, tokens=tokens, words=words, merge=merge)


def _bare(piece: str) -> str:
    """The piece without the signs."""
    for sign in (*BEGINS, GOES_ON):
        if piece.startswith(sign):
            piece = piece[len(sign) :]
            break
    return piece.removesuffix(GONE_ON_FROM)
