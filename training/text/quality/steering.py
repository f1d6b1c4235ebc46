"""The share of nouns that change when the attention at their step is set to another noun.

A translator writes a held-out sentence. Two of its nouns stand in it as in the reference; all
attention of the steps of one is set to the other, in all layers and heads, and the model writes on
from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from heed.models.edits.operations import SetWeight
from heed.models.generation.translator import TextRequest, Translator
from heed.models.trace import TokenAxis, Trace
from training.common.alignments import Linked, word_indices
from training.common.batches import chunks
from training.common.steering import Steering, word_at, words_of
from training.text.quality.attention import accepts, links_between

BATCH: Final = 16
SENTENCES: Final = 200
SEED: Final = 45
CAPITALS: Final = ("en", "de")
"""The languages by whose links nouns are known: German writes them with a capital."""


class Noun(NamedTuple):
    """A noun of a sentence that is linked to one word of its translation."""

    place: int  # of the sentence's words
    translation: str


def steering_quality(translator: Translator, links: Path, count: int) -> dict[str, float]:
    """Measure so many sentences at most; no figures without word links."""
    card = translator.card
    pair = card.source.code, card.target.code
    nouns = english_nouns(links_between(links, CAPITALS, "silver-dev", 10**6))
    linked = links_between(links, pair, "silver-dev", 10**6)
    steering = Steering()
    for batch in chunks(_accepted(translator, linked), BATCH):
        plain = translator.run([TextRequest(sentence.source_text) for sentence in batch])
        edits = [
            edit
            for place, (sentence, trace) in enumerate(zip(batch, plain, strict=True))
            if (edit := _edit(sentence, trace, nouns, pair, f"{steering.nouns}, {place}"))
        ][: count - steering.nouns]
        if edits:
            for edit, trace in zip(edits, translator.run([e.request for e in edits]), strict=True):
                after = word_at(trace.output, edit.step)
                steering.add(edit.before, after, frozenset({edit.aim}))
        if steering.nouns >= count:
            break
    return steering.figures() if steering.nouns else {}


class _Edit(NamedTuple):
    request: TextRequest
    step: int
    before: str
    aim: str


def _edit(
    sentence: Linked, trace: Trace, nouns: frozenset[str], pair: tuple[str, str], seed: str
) -> _Edit | None:
    """Choose two nouns of a sentence, and set the attention of the first to the second."""
    written = words_of(trace.output)
    known = [
        noun for noun in _nouns(sentence, nouns, pair) if written.get(noun.translation) is not None
    ]
    if len({noun.translation for noun in known}) < len(known) or len(known) < 2:
        return None
    here, there = Random(f"{SEED}, {seed}").sample(known, 2)
    steps = written[here.translation]
    source = trace.source
    if steps is None or not isinstance(source, TokenAxis):
        return None
    owners = word_indices(source, sentence.source)
    keys = tuple(key for key, owner in enumerate(owners) if owner == there.place)
    edit = SetWeight(kind="cross", weight=1.0, keys=keys, queries=steps)
    request = TextRequest(sentence.source_text, edits=(edit,), continue_from=steps.start)
    return _Edit(request, steps.start, here.translation, there.translation)


def _nouns(sentence: Linked, nouns: frozenset[str], pair: tuple[str, str]) -> Iterator[Noun]:
    """Yield the nouns of a sentence that have one link, and are its only one."""
    side = 0 if pair[0] == "en" else 1
    for link in sorted(sentence.links):
        if any(
            other != link and (other[0] == link[0] or other[1] == link[1])
            for other in sentence.links
        ):
            continue
        start, end = (sentence.source, sentence.target)[side][link[side]]
        text = (sentence.source_text, sentence.target_text)[side]
        if text[start:end].lower() in nouns:
            start, end = sentence.target[link[1]]
            yield Noun(link[0], sentence.target_text[start:end].lower())


def english_nouns(linked: Sequence[Linked]) -> frozenset[str]:
    """Return the English words whose German links all have a capital within the sentence."""
    capital: dict[str, list[bool]] = {}
    for sentence in linked:
        for read, written in sentence.links:
            start, end = sentence.source[read]
            word = sentence.source_text[start:end].lower()
            initial = sentence.target_text[sentence.target[written][0]]
            if written and word.isalpha():
                capital.setdefault(word, []).append(initial.isupper())
    return frozenset(word for word, seen in capital.items() if all(seen))


def _accepted(translator: Translator, linked: Sequence[Linked]) -> Iterator[Linked]:
    return (
        sentence for sentence in linked if accepts(translator, TextRequest(sentence.source_text))
    )
