"""A note on the words of a trace: ignored by the model, rare to it, made up by it, or a guess."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable

from heed.app.schemas import SentenceAxisOut, TokenAxisOut, TraceOut
from heed.models.card import PICTURE_TASKS, READ, TRANSLATE
from heed.models.trace import SentenceAxis, TokenAxis, Trace

UNKNOWN = "Unknown to this model, which reads all such words alike: "
MADE_UP = "Made up by the model (in no training text): "
GUESSING = "The model is guessing: it has seen few photos like this."
GUESSED = 0.2
"""Geometric mean of the probabilities of a caption, below which it is a guess: 1 photo in 40."""
NO_SENTENCE = "The model is guessing: it learned from sentences, not from {} alone."
MAX_NAMED = 3
"""Further words are only counted."""


def trace_note(trace: TraceOut | Trace) -> str:
    """Name the words of an input that the model ignored, or does not know, if any.

    Of a caption, that it is a guess; of a graph there is nothing to note.
    """
    if isinstance(trace.source, SentenceAxisOut | SentenceAxis):
        words = [word.text for word in trace.source.unknown_words]
        return _unknown_note(words + (_rare_words(trace.question) if trace.question else []))
    if trace.task in PICTURE_TASKS:
        return _guess_note(trace)
    if not isinstance(trace.source, TokenAxisOut | TokenAxis):
        return ""
    if trace.task == READ:
        return _unknown_note(_rare_words(trace.source))
    notes = (_no_sentence_note(trace), input_note(trace.source), _made_up_note(trace))
    return " ".join(filter(None, notes))


def input_note(axis: TokenAxisOut | TokenAxis) -> str:
    """Name the words without a token and the words that were rare in training, if any."""
    read = {token.word for token in axis.tokens}
    words = [word.text for word in axis.words]
    unread = (word for place, word in enumerate(words) if place not in read)
    ignored = _listed(word for word in unread if _visible(word))
    rare = _listed(_rare_words(axis))
    notes = (
        ignored and f"Ignored (unknown to this model): {ignored}.",
        rare and f"Rare in training, so the model may guess: {rare}.",
    )
    return " ".join(note for note in notes if note)


def _rare_words(axis: TokenAxisOut | TokenAxis) -> list[str]:
    return [axis.words[place].text for place in axis.rare_words or ()]


def _guess_note(trace: TraceOut | Trace) -> str:
    """Say that a caption is a guess, by the probabilities of its tokens."""
    output = trace.output if isinstance(trace, Trace) else trace
    if not isinstance(output.target, TokenAxisOut | TokenAxis) or output.finish == "forced":
        return ""
    mean = output.log_probability / max(len(output.steps), 1)
    return GUESSING if output.steps and mean < math.log(GUESSED) else ""


def _no_sentence_note(trace: TraceOut | Trace) -> str:
    """Say that a translation of numbers, addresses or symbols without a word is a guess."""
    source = trace.source
    finish = (trace.output if isinstance(trace, Trace) else trace).finish
    if not isinstance(source, TokenAxisOut | TokenAxis):
        return ""
    if trace.task != TRANSLATE or finish == "forced":
        return ""
    parts = source.text.split()
    addresses = [part for part in parts if _is_address(part)]
    if any(part not in addresses and any(map(str.isalpha, part)) for part in parts):
        return ""
    numbers = any(map(str.isnumeric, source.text))
    return NO_SENTENCE.format("addresses" if addresses else "numbers" if numbers else "symbols")


def _is_address(part: str) -> bool:
    """True for an address of the web or of mail."""
    return "://" in part or part.startswith("www.") or "@" in part[1:-1]


def _made_up_note(trace: TraceOut | Trace) -> str:
    """Name the words of the output that are in no training text, and so made up of pieces."""
    target = (trace.output if isinstance(trace, Trace) else trace).target
    if not isinstance(target, TokenAxisOut | TokenAxis):
        return ""
    made_up = _listed(target.words[place].text for place in target.unknown_words or ())
    return made_up and f"{MADE_UP}{made_up}."


def _unknown_note(words: Iterable[str]) -> str:
    unknown = _listed(words)
    return unknown and f"{UNKNOWN}{unknown}."


def _listed(words: Iterable[str]) -> str:
    """The first of the distinct words, and the number of the others."""
    distinct = list(dict.fromkeys(words))
    named = [f"“{_isolated(text)}”" for text in distinct[:MAX_NAMED]]
    if len(distinct) > MAX_NAMED:
        named.append(f"{len(distinct) - MAX_NAMED} more")
    return " and ".join(part for part in (", ".join(named[:-1]), *named[-1:]) if part)


def _isolated(text: str) -> str:
    """Isolate right-to-left text, or the quotation marks around it would change sides."""
    kinds = (unicodedata.bidirectional(character) for character in text)
    first = next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L")
    return text if first == "L" else f"\u2068{text}\u2069"


def _visible(text: str) -> bool:
    return any(unicodedata.category(character)[0] not in "MZC" for character in text)
