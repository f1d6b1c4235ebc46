"""The place of each token in a text, for tokenizers of all kinds.

A tokenizer written in Rust reports character offsets. Others do not, some of them without a word
(Marian's and M2M100's): for those, the pieces are followed along the text. The tokens that a model
wrote have no offsets at all: the text is decoded token by token.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace

from heed.models.text.tokenizer import whole_words
from heed.models.trace import Merge, Patches, Token, TokenAxis, Word

Span = tuple[int, int]
SPACES = "▁Ġ"
"""Signs that stand for a space: of SentencePiece, and of byte-level BPE."""
CONTINUED, WORD_END = "##", "</w>"
SHORTEST_FRAME = 0.01
"""Seconds of a frame that two digits tell from the next."""
PICTURE = "<image>"
"""The word that the patches of a picture make up."""


def spans_of_pieces(text: str, pieces: Sequence[str]) -> list[Span]:
    """Follow pieces along the text that they were made of.

    Both are compared as NFKC and in lower case, as SentencePiece and most tokenizers normalize.
    A piece that is not found there, an unknown word for example, has the text up to the next piece
    that is found.

    >>> spans_of_pieces("I do not", ["▁I", "▁do", "▁no", "t"])
    [(0, 1), (2, 4), (5, 7), (7, 8)]
    >>> spans_of_pieces("a ☺ b", ["▁a", "▁", "<unk>", "▁b"])
    [(0, 1), (1, 1), (2, 3), (4, 5)]
    """
    characters, places = _normalized(text)
    spans: list[Span | None] = []
    at = 0
    for piece in map(_bare, pieces):
        if not piece:
            spans.append((places[at - 1] + 1 if at else 0,) * 2)
            continue
        start = characters.find(piece, at)
        if start < 0:
            spans.append(None)
            continue
        end = start + len(piece)
        # A piece may skip what was unknown, never what later pieces are made of.
        if start > at and not (spans and spans[-1] is None):
            spans.append(None)
            continue
        spans.append((places[start], places[end - 1] + 1))
        at = end
    return _filled(spans, text)


def _normalized(text: str) -> tuple[str, list[int]]:
    """Return the characters to compare, without spaces, and the place of each in the text."""
    characters, places = "", []
    for place, character in enumerate(text):
        plain = "".join(unicodedata.normalize("NFKC", character).lower().split())
        characters += plain
        places += [place] * len(plain)
    return characters, places


def _bare(piece: str) -> str:
    """Return a piece without the signs of its tokenizer, ready to be compared."""
    piece = piece.removeprefix(CONTINUED).removesuffix(WORD_END)
    plain = unicodedata.normalize("NFKC", piece.strip(SPACES)).lower()
    return "".join(plain.split())


def _filled(spans: Sequence[Span | None], text: str) -> list[Span]:
    """Give pieces without a place the text between their neighbours."""
    filled: list[Span] = []
    for place, span in enumerate(spans):
        if span is not None:
            filled.append(span)
            continue
        start = filled[-1][1] if filled else 0
        ahead = (span[0] for span in spans[place + 1 :] if span is not None)
        end = max(next(ahead, len(text)), start)
        filled.append(_stripped(text, (start, end)))
    return filled


def _stripped(text: str, span: Span) -> Span:
    """Return a span without the spaces around it; one of spaces alone is empty."""
    piece = text[slice(*span)]
    start = span[0] + len(piece) - len(piece.lstrip())
    return start, max(start, span[0] + len(piece.rstrip()))


def decoded_spans(
    ids: Sequence[int], decode: Callable[[Sequence[int]], str]
) -> tuple[str, list[Span]]:
    """Decode tokens one after another; return the text, and the place of each token in it.

    A character of several tokens belongs to each of them.

    >>> decoded_spans([72, 105], bytes_decode := lambda ids: bytes(ids).decode(errors="replace"))
    ('Hi', [(0, 1), (1, 2)])
    >>> decoded_spans([195, 169], bytes_decode)
    ('é', [(0, 1), (0, 1)])
    """
    text = decode(ids)
    ends = [_shared(text, decode(ids[: count + 1])) for count in range(len(ids))]
    spans: list[Span] = []
    start = 0
    for place, end in enumerate(ends):
        if end <= start:  # a part of a character, which the next tokens complete
            whole = next((later for later in ends[place:] if later > start), start)
            spans.append((start, min(start + 1, whole)))
            continue
        spans.append(_stripped(text, (start, end)))
        start = end
    return text, spans


def _shared(text: str, beginning: str) -> int:
    """Count the characters that a text has in common with its decoded beginning."""
    count = 0
    for character, other in zip(text, beginning, strict=False):
        if character != other:
            break
        count += 1
    return count


def token_axis(
    text: str,
    ids: Sequence[int],
    spans: Sequence[Span],
    names: Sequence[str | None],
    merge: Merge,
    written: int | None = None,
) -> TokenAxis:
    """Make an axis; a token with a name is a mark, a word of its own that is not in the text."""
    words: list[Word] = []
    of_text = whole_words(text) or [Word(text, 0, len(text))]
    tokens: list[Token] = []
    place, taken = 0, -1  # the word of the text, and the last one that the axis has
    for id, (start, end), name in zip(ids, spans, names, strict=True):
        if name is not None:
            at = tokens[-1].end if tokens else 0
            words.append(Word(name, at, at, special=True))
            tokens.append(Token(id, name, at, at, len(words) - 1, special=True))
            continue
        start, end = _stripped(text, (start, end))
        while place < len(of_text) - 1 and of_text[place].end <= start:
            place += 1
        for skipped in range(taken + 1, place + 1):
            words.append(of_text[skipped])
            taken = skipped
        word = max(n for n, word in enumerate(words) if not word.special)
        tokens.append(Token(id, text[start:end], start, end, word))
    words += of_text[taken + 1 :] if text else []
    return TokenAxis(text, tuple(tokens), tuple(words), merge, written=written)


def named_axis(names: Sequence[str], merge: Merge = "sum") -> TokenAxis:
    """Make an axis of names, a token and a word for each.

    >>> named_axis(["cat", "dog"]).text
    'cat dog'
    """
    text = " ".join(names)
    words, at = [], 0
    for name in names:
        words.append(Word(name, at, at + len(name)))
        at += len(name) + 1
    tokens = [Token(n, *word[:3], n) for n, word in enumerate(words)]
    return TokenAxis(text, tuple(tokens), tuple(words), merge)


def position_axis(count: int) -> TokenAxis:
    """Make an axis of positions, counted from 1."""
    return named_axis([str(place) for place in range(1, count + 1)])


def sound_axis(count: int, seconds: float) -> TokenAxis:
    """Make an axis of frames of a sound, each of so many seconds.

    >>> [token.text for token in sound_axis(2, 0.02).tokens]
    ['0.00–0.02 s', '0.02–0.04 s']
    """
    digits = 2 if seconds >= SHORTEST_FRAME else 3
    names = [f"{n * seconds:.{digits}f}–{(n + 1) * seconds:.{digits}f} s" for n in range(count)]
    return replace(named_axis(names), frame_seconds=seconds)


def with_patches(axis: TokenAxis, patches: Patches) -> TokenAxis:
    """Return the axis with the tokens of a picture as one word."""
    first, count = patches.first, len(patches.grid)
    last = axis.tokens[first].word
    gone = {token.word for token in axis.tokens[first + 1 : first + count]}
    kept = [place for place in range(len(axis.words)) if place not in gone]
    now = {place: index for index, place in enumerate(kept)}
    words = [
        axis.words[place]._replace(text=PICTURE) if place == last else axis.words[place]
        for place in kept
    ]
    tokens = [
        token._replace(word=now[last if first <= place < first + count else token.word])
        for place, token in enumerate(axis.tokens)
    ]
    return replace(axis, tokens=tuple(tokens), words=tuple(words), patches=patches)
