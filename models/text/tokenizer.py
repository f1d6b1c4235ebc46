"""Byte-level BPE that keeps every token's place in the user's own string.

Any string is a sequence of bytes and every byte is in the vocabulary, so no token is ever unknown.
The three marks are plain entries of the vocabulary and not "added tokens": a user who types
`</s>` gets four characters, never a mark.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Self

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

from heed.models.text.normalize import STRAIGHT, TextNormalizer
from heed.models.trace import Merge, Token, TokenAxis, Word

PAD, START, END = 0, 1, 2
MARKS = ("<pad>", "<s>", "</s>")
END_TEXT = MARKS[END]

# Pieces never cross these: an optional space and a run of letters and figures, or one other sign.
CHUNK = r" ?[\p{L}\p{M}\p{N}]+'?| ?[^\s\p{L}\p{M}\p{N}]|\s"
APOSTROPHES = "'’"
ENDINGS = frozenset({"t", "s", "re", "ve", "ll", "d", "m"})
"""Endings behind the apostrophe within a word of English: don't, John's."""
ELIDED = re.compile(r"[a-z]{1,2}|[a-z]*qu|[a-z]*ll", re.IGNORECASE)
"""The letters before the apostrophe of a word of its own: l'homme, qu'il, dell'arte."""
JOINER = "\N{ZERO WIDTH JOINER}"
# No marks, modifiers or joiners, which cling to the word before: Latin letters, and curly quotes.
PLAIN = re.compile(r"[^^`\xa8\xad\xaf\xb4\xb8\u02b0-\u2017\u201e-\U0010ffff]*")
PLAIN_WORD = re.compile(r"[^\W_]+['’]?|\S")

BEFORE = "A "  # as if a text stood behind this, one piece and a space, which is then left out

Span = tuple[int, int]


class BytePieces:
    """Text to token ids and back, with the character span and the word of every token."""

    def __init__(self, tokenizer: Tokenizer, *, spaced: bool = False) -> None:
        self._tokenizer = tokenizer
        self.spaced = spaced
        """True if a text that begins in lower case is tokenized as if behind a space.

        Sentences begin with a capital, so "dog" at the beginning of a text is rare in training
        and splits into "do" and "g"; " dog" is a piece that every model of English knows. The
        space is left out of the output."""
        byte_of = _bytes_of_symbols()
        vocabulary = tokenizer.get_vocab(with_added_tokens=False)
        self._pieces = [b""] * len(vocabulary)
        self._display = _Display(self._pieces)
        for symbols, id in vocabulary.items():
            if id not in (PAD, START, END):
                self._pieces[id] = bytes(byte_of[symbol] for symbol in symbols)
        self._normalizer = TextNormalizer(
            partial(_word, tokenizer), partial(_characters, self._pieces)
        )

    @classmethod
    def load(cls, path: Path, *, spaced: bool = False) -> Self:
        """Read a tokenizer.json."""
        return cls(Tokenizer.from_file(str(path)), spaced=spaced)

    @classmethod
    def characters(cls, *, lowercase: bool = False) -> Self:
        """Make the tokenizer without merges: a token is a byte, which is a character of English."""
        vocabulary = [*MARKS, *sorted(pre_tokenizers.ByteLevel.alphabet())]
        return cls(_pipeline({piece: id for id, piece in enumerate(vocabulary)}, [], lowercase))

    @classmethod
    def train(cls, texts: Iterable[str], size: int, *, lowercase: bool = False) -> Self:
        """Learn merges from texts until the vocabulary has `size` pieces."""
        learner = _pipeline(None, None, lowercase)
        learner.train_from_iterator(
            texts,
            trainers.BpeTrainer(
                vocab_size=size,
                special_tokens=list(MARKS),
                initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
                show_progress=False,
            ),
        )
        # Built from the learned merges: the trainer's own would read typed marks as marks.
        learned = json.loads(learner.to_str())["model"]
        return cls(_pipeline(learned["vocab"], [tuple(m) for m in learned["merges"]], lowercase))

    def save(self, path: Path) -> None:
        """Write a tokenizer.json, without the spaces that would be a third of it."""
        self._tokenizer.save(str(path), pretty=False)

    def __len__(self) -> int:
        return len(self._pieces)

    def ids(self, text: str) -> list[int]:
        """Return the ids of a target text and the end mark: `encode` without the places."""
        return [*self._pieces_of(text)[0], END]

    def read(self, text: str) -> list[int]:
        """Return the ids of a source text and the end mark."""
        return self.ids(_joined_parts(self._normalizer.parts(text)))

    def encode(self, text: str, merge: Merge = "sum") -> TokenAxis:
        """Make the axis of a source text (`sum`), or of a forced target (`mean`).

        A character may be normalized to another, to several, or to none; a token has the place of
        the characters as typed.
        """
        parts = list(text) if merge == "mean" else self._normalizer.parts(text)
        normalized = _joined_parts(parts)
        ids, spans = self._pieces_of(normalized)
        if normalized != text:
            spans = _spans_as_typed(parts, [_bare(normalized, start, end) for start, end in spans])
        return _axis(text, ids, spans, merge, ended=True)

    def _pieces_of(self, text: str) -> tuple[list[int], list[Span]]:
        """Return the ids of a text, and the place of each."""
        if not (self.spaced and text.lstrip()[:1].islower()):
            plain = self._tokenizer.encode(text, add_special_tokens=False)
            return plain.ids, plain.offsets
        behind = self._tokenizer.encode(BEFORE + text, add_special_tokens=False)
        first = next(place for place, (_, end) in enumerate(behind.offsets) if end > len(BEFORE))
        spans = behind.offsets[first:]
        return behind.ids[first:], [(max(s - len(BEFORE), 0), e - len(BEFORE)) for s, e in spans]

    def written(self, ids: Sequence[int]) -> TokenAxis:
        """Make the axis of a model's output, with the end mark if there is one."""
        ended = bool(ids) and ids[-1] == END
        content = list(ids[:-1] if ended else ids)
        text, spans = _decode([self._pieces[id] for id in content])
        if self.spaced and text.startswith(" "):
            text, spans = text[1:], [(max(start - 1, 0), max(end - 1, 0)) for start, end in spans]
        return _axis(text, content, spans, "mean", ended=ended)

    def text(self, ids: Iterable[int]) -> str:
        """Join these pieces, without marks: the text of `written` without the places."""
        text = b"".join(self._pieces[id] for id in ids).decode(errors="replace")
        return text.removeprefix(" ") if self.spaced else text

    def halves(self) -> dict[int, tuple[int, int]]:
        """Return the two parts of every merged piece."""
        model = json.loads(self._tokenizer.to_str())["model"]
        ids = model["vocab"]
        return {ids[a + b]: (ids[a], ids[b]) for a, b in model["merges"]}

    def places_of(self, other: Self) -> dict[int, int]:
        """Map the ids of shared pieces to those of the other tokenizer; marks are always shared."""
        theirs = {piece: id for id, piece in enumerate(other._pieces) if piece}
        shared = {id: theirs[piece] for id, piece in enumerate(self._pieces) if piece in theirs}
        return {PAD: PAD, START: START, END: END} | shared

    def text_of(self, id: int) -> str:
        """Return one token for display; incomplete characters as bytes, ‹C3›."""
        return self._display[id]

    def texts_of(self, ids: Iterable[int]) -> Iterator[str]:
        """Return many tokens for display."""
        return map(self._display.__getitem__, ids)


def _pipeline(
    vocabulary: dict[str, int] | None, merges: list[tuple[str, str]] | None, lowercase: bool
) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(vocabulary, merges))
    steps: list[normalizers.Normalizer] = [normalizers.NFC(), normalizers.Strip()]
    steps.append(normalizers.Replace(Regex(r"\s+"), " "))
    steps += [normalizers.Replace(curly, straight) for curly, straight in STRAIGHT.items()]
    if lowercase:
        steps.append(normalizers.Lowercase())
    tokenizer.normalizer = normalizers.Sequence(steps)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(CHUNK), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    return tokenizer


def _word(tokenizer: Tokenizer, word: str, *, spaced: bool) -> list[int]:
    """Return the ids of the pieces of a word, behind a space or not."""
    behind = BEFORE if spaced else ""
    ids: list[int] = tokenizer.encode(behind + word, add_special_tokens=False).ids
    return ids[spaced:]


def _characters(pieces: Iterable[bytes]) -> set[str]:
    """Collect the characters of pieces of several bytes."""
    characters: set[str] = set()
    for piece in pieces:
        if len(piece) > 1:
            with contextlib.suppress(UnicodeDecodeError):
                characters.update(piece.decode())
    return characters


def _bytes_of_symbols() -> dict[str, int]:
    """Return the printable symbol of byte-level BPE for each byte (GPT-2's table)."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in set(printable)]
    table = {chr(byte): byte for byte in printable}
    return table | {chr(256 + place): byte for place, byte in enumerate(others)}


def divided(axis: TokenAxis) -> TokenAxis:
    """Return an axis whose words end at an apostrophe, as word aligners take them."""
    written = [token for token in axis.tokens if not token.special]
    ids, spans = [token.id for token in written], [(token.start, token.end) for token in written]
    ended = len(written) < len(axis.tokens)
    return _axis(axis.text, ids, spans, axis.merge, ended=ended, words=words_of(axis.text))


def _axis(
    text: str,
    ids: Sequence[int],
    spans: Sequence[Span],
    merge: Merge,
    *,
    ended: bool,
    words: Iterable[Word] | None = None,
) -> TokenAxis:
    words = list(whole_words(text) if words is None else words)
    words = words or ([Word(text, 0, len(text))] if ids else [])
    tokens: list[tuple[int, str, int, int, int, bool]] = []
    word, last = 0, len(words) - 1
    for id, (start, end) in zip(ids, spans, strict=True):
        piece = text[start:end]
        if piece[:1].isspace() or piece[-1:].isspace():
            start, end = _bare(text, start, end)
            piece = text[start:end]
        # A space goes with the word behind it, so a token's word is the first that ends after it
        # starts; spaces at the very end go with the last word.
        while word < last and words[word].end <= start:
            word += 1
        tokens.append((id, piece, start, end, word, False))
    if ended:
        tokens.append((END, END_TEXT, len(text), len(text), len(words), True))
        words.append(Word(END_TEXT, len(text), len(text), special=True))
    return TokenAxis(text, tuple(map(_token, tokens)), tuple(words), merge)


def _bare(text: str, start: int, end: int) -> Span:
    """Strip a span of the spaces around it, unless it is only spaces."""
    piece = text[start:end]
    if bare := piece.strip():
        start += len(piece) - len(piece.lstrip())
        end = start + len(bare)
    return start, end


def _joined_parts(parts: Iterable[str | None]) -> str:
    """Join the replacements of all characters."""
    return "".join(part for part in parts if part is not None)


def _spans_as_typed(parts: Sequence[str | None], normalized: Iterable[Span]) -> list[Span]:
    """Map spans of the normalized text to the text as typed.

    A character replaced by an empty string belongs to the one before it, as an accent does; an
    ignored character belongs to none.
    """
    places: list[Span] = []
    start = 0
    while start < len(parts):
        end = start + 1
        while end < len(parts) and parts[end] == "":
            end += 1
        places += [(start, end)] * len(parts[start] or "")
        start = end
    return [(places[start][0], places[end - 1][1]) for start, end in normalized]


# As `Token(*fields)`, without a call in Python for each.
_token = partial(tuple.__new__, Token)


def words_of(text: str) -> Iterator[Word]:
    """Yield runs of letters, marks and digits, up to an apostrophe; other signs are words."""
    if PLAIN.fullmatch(text):
        return (Word(match[0], *match.span()) for match in PLAIN_WORD.finditer(text))
    return _any_words(text)


def whole_words(text: str) -> list[Word]:
    """Return the words of a text, those with an apostrophe within whole.

    >>> [word.text for word in whole_words("I didn't see l'homme aujourd'hui.")]
    ['I', "didn't", 'see', "l'", 'homme', "aujourd'hui", '.']
    """
    parts = list(words_of(text))
    starts = [
        place
        for place, (before, part) in enumerate(pairwise([Word("", 0, 0), *parts]))
        if before.end < part.start or not _continues(before.text, part.text)
    ]
    spans = (
        (parts[first].start, parts[next_first - 1].end)
        for first, next_first in pairwise([*starts, len(parts)])
    )
    return [Word(text[start:end], start, end) for start, end in spans]


def _continues(before: str, word: str) -> bool:
    """Return true if a word goes on behind the apostrophe of the one before."""
    stem = before.rstrip(APOSTROPHES)
    if stem in ("", before) or not word[0].isalpha():
        return False
    return word.rstrip(APOSTROPHES).lower() in ENDINGS or not ELIDED.fullmatch(stem)


def _any_words(text: str) -> Iterator[Word]:
    """Yield the words of a text with marks and signs that join the character before them."""
    start = 0
    joined = False  # true if a word continues after the character before
    for place, character in enumerate(text):
        kind = unicodedata.category(character)
        if character.isspace():
            joins = False
        else:
            clings = kind[0] == "M" or kind in ("Cf", "Sk")  # accents, joiners, skin tones
            clings = clings or (joined and character in APOSTROPHES)  # l'homme is l' and homme
            clings = clings or text[place - 1 : place] == JOINER  # of several signs one
            joins = place > start and (clings or (joined and kind[0] in "LN"))
        if not joins:
            if place > start:
                yield Word(text[start:place], start, place)
            start = place + 1 if character.isspace() else place
        joined = kind[0] in "LN" or (joins and joined and character not in APOSTROPHES)
    if start < len(text):
        yield Word(text[start:], start, len(text))


class _Display(dict[int, str]):
    """The tokens for display, cached."""

    def __init__(self, pieces: Sequence[bytes]) -> None:
        super().__init__(enumerate(MARKS))
        self._pieces = pieces

    def __missing__(self, id: int) -> str:
        piece = self._pieces[id]
        try:
            shown = piece.decode()
        except UnicodeDecodeError:
            shown = "".join(f"‹{byte:02X}›" for byte in piece)
        self[id] = shown
        return shown


def _decode(pieces: Sequence[bytes]) -> tuple[str, list[Span]]:
    """Decode these bytes, and find the place of each piece; broken bytes become �."""
    try:
        return _joined([piece.decode() for piece in pieces])
    except UnicodeDecodeError:  # a character in two pieces, or none at all
        return _decode_bytes(pieces)


def _joined(parts: Sequence[str]) -> tuple[str, list[Span]]:
    ends = list(accumulate(map(len, parts)))
    spans = [
        (end - len(part), end) if part else (0, 0) for part, end in zip(parts, ends, strict=True)
    ]
    return "".join(parts), spans


def _decode_bytes(pieces: Sequence[bytes]) -> tuple[str, list[Span]]:
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    text = ""
    character_of: list[int] = []  # of each byte
    for byte in b"".join(pieces):
        fresh = decoder.decode(bytes([byte]))
        # A byte that still waits for others belongs to the character to come, else to the last
        # one that came out; what had waited may have turned out to be broken, and come out too.
        waits = bool(decoder.getstate()[0])
        character_of.append(len(text) + len(fresh) - (0 if waits else 1))
        text += fresh
    text += decoder.decode(b"", final=True)
    spans, place = [], 0
    for piece in pieces:
        if not piece:
            spans.append((0, 0))
            continue
        first, last = character_of[place], character_of[place + len(piece) - 1]
        spans.append((min(first, len(text)), min(last + 1, len(text))))
        place += len(piece)
    return text, spans
