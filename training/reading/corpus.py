"""English sentences of all corpora, as ids of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Literal

from heed.models.text.words import (
    END,
    SPECIAL,
    START,
    UNKNOWN,
    WordVocabulary,
    build_vocabulary,
    lookup_form,
    split_words,
)
from training.caption.everyday import read_everyday
from training.caption.flickr8k import read_captions
from training.text.data.corpora import SENTENCES, english_captions, read_languages, read_tsv

Part = Literal["train", "dev"]

TATOEBA = ("fr", "de", "es")  # the pairs whose English side is read
LANGUAGES = ("en", "fr", "de", "es")
FOUND = 5  # times that a noun must stand after an article
LONGEST = 24  # words of a sentence in training and measurement


def english_sentences(data: Path, split: Part) -> list[str]:
    """Return the English sentences of a split, each once, in a fixed order."""
    return list(dict.fromkeys(text.strip() for text in _texts(data, split) if text.strip()))


def _texts(data: Path, split: Part) -> Iterator[str]:
    for language in TATOEBA:
        yield from (
            text for text, _ in read_tsv(data / "tatoeba" / f"en-{language}.{split}.tsv.gz")
        )
    for name in SENTENCES:
        path = data / "sentences" / f"{name}.{split}.tsv"
        yield from (text for text, _ in read_languages(path, LANGUAGES, ("en", "fr")))
    yield from english_captions(data, split)
    for captions in read_captions(data / "flickr8k" / f"{split}.captions.json.gz").values():
        yield from captions
    for annotation in read_everyday(data, split).values():
        yield from annotation.captions


def draw_vocabulary(sentences: list[str], size: int) -> WordVocabulary:
    """Return the commonest words, in the form that they commonly have within sentences."""
    counts: Counter[str] = Counter()
    forms: Counter[str] = Counter()
    for sentence in sentences:
        words = [word.text for word in split_words(sentence)]
        counts.update(map(lookup_form, words))
        forms.update(words[1:])
    return build_vocabulary(counts, forms, size)


def is_used(ids: Sequence[int]) -> bool:
    """Return false for a long sentence, and one of which more than a third is unknown."""
    known = sum(id != UNKNOWN for id in ids)
    return len(ids) <= LONGEST and 3 * known >= 2 * len(ids)


def read_sentences(
    vocabulary: WordVocabulary, sentences: list[str], *, without: frozenset[tuple[int, ...]]
) -> list[list[int]]:
    """Return the sentences that are used as ids with start and end, but those of `without`."""
    known = []
    for sentence in sentences:
        ids = vocabulary.read(sentence)
        if is_used(ids) and tuple(ids) not in without:
            known.append([START, *ids, END])
    return known


def nouns_of(
    vocabulary: WordVocabulary, sentences: list[list[int]], held_out: frozenset[str]
) -> tuple[tuple[str, str], ...]:
    """Return the words that stand after `a`, and with `-s` after `the`, each with its plural."""
    pairs = Counter(pair for ids in sentences for pair in pairwise(ids))
    articles, the = vocabulary.ids_of(["a", "an"]), vocabulary.ids_of(["the", "two"])
    nouns = []
    for word in vocabulary.words[len(SPECIAL) :]:
        singular, plural = vocabulary.ids_of([word, f"{word}s"])
        once = sum(pairs[article, singular] for article in articles)
        often = sum(pairs[before, plural] for before in the)
        lower = word.islower() and not {word, f"{word}s"} & held_out
        if lower and UNKNOWN not in (singular, plural) and once >= FOUND and often:
            nouns.append((word, f"{word}s"))
    return tuple(nouns)


def shuffled(sentences: list[list[int]], seed: str) -> list[list[int]]:
    """Return sentences in a random order that the seed decides."""
    order = list(sentences)
    Random(seed).shuffle(order)
    return order
