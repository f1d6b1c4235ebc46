"""Phrase pairs: words and phrases with their translations, cut out of translated sentences.

People type "hello" or "the cat" before they type a sentence. A translator trained on sentences
alone hardly sees so short a text and invents the rest. A phrase pair has words that an aligner
links to each other and to no word outside (Och and Ney 2004, section 3.1), occurs several times,
and mostly has the same translation.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from heed.models.text.tokenizer import APOSTROPHES, BytePieces
from heed.models.trace import Floats, Word
from training.text.data.aligner import Aligner
from training.text.data.corpora import SentencePair, capitalized, read_tsv

LONGEST = 4  # words on a side
LIKELY = 0.12  # least confidence of a link; articles have little
MET = 3  # least number of sentences with the pair
MOSTLY = 0.4  # least share of all translations of the phrase
ENDS = 0.015  # least share of a word's sentences that it ends, for a phrase to end in it
WORDS = 30  # longest sentence used; longer ones add little and take long


class Sentence(NamedTuple):
    """A text and its words, as written and in lower case."""

    text: str
    words: list[Word]
    lower: list[str]


def load_phrase_pairs(
    pairs: Sequence[SentencePair], tokenizer: BytePieces, kept: Path
) -> list[SentencePair]:
    """Load the phrases of these pairs, lower-case and capitalized.

    Single words come three times: a piece at the start of a text differs from one within it, and a
    single word has no context. They are made once and kept in a file.
    """
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(f".{os.getpid()}")  # another training may write it at the same time
        with part.open("w", encoding="utf-8", newline="\n") as file:
            for pair in phrases_of(pairs, tokenizer):
                print(*pair, sep="\t", file=file)
        part.replace(kept)
    once = list(read_tsv(kept))
    plain = once + [pair for pair in once if " " not in pair[0]] * 2
    large = [(capitalized(source), capitalized(target)) for source, target in plain]
    return plain + [pair for pair, same in zip(large, plain, strict=True) if pair != same]


def phrases_of(pairs: Sequence[SentencePair], tokenizer: BytePieces) -> Iterator[SentencePair]:
    """Yield each phrase with its most frequent translation."""
    read = ([_sentence(text, tokenizer) for text in pair] for pair in pairs)
    both = [pair for pair in read if max(len(side.words) for side in pair) <= WORDS]
    aligner = Aligner.learned((source.lower, target.lower) for source, target in both)
    sides = list(zip(*both, strict=True))
    (bound, bound_there), (cases, cases_there) = map(_bound, sides), map(_cases, sides)
    met: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for source, target in tqdm(both, unit="pair", desc="phrase_pairs"):
        for phrase, translation in cut(aligner.links(source.lower, target.lower), source, target):
            if not (_goes_on(phrase, bound) or _goes_on(translation, bound_there)):
                met[phrase.lower()][translation.lower()] += 1
    for phrase, translations in met.items():
        translation, times = translations.most_common(1)[0]
        if times >= MET and times >= MOSTLY * translations.total():
            yield _cased(phrase, cases), _cased(translation, cases_there)


def cut(links: Floats, source: Sentence, target: Sentence) -> Iterator[SentencePair]:
    """Yield the phrase pairs of one sentence pair, from its link probabilities (W, R)."""
    linked = links >= LIKELY
    here, there = source.words, target.words
    for start in range(len(here)):
        for end in range(start + 1, min(start + LONGEST, len(here)) + 1):
            rows = np.flatnonzero(linked[:, start:end].any(axis=1))
            if not len(rows):
                continue
            first, last = int(rows[0]), int(rows[-1]) + 1
            outside = linked[first:last].sum() - linked[first:last, start:end].sum()
            edges = linked[first:last, start].any() and linked[first:last, end - 1].any()
            if last - first > LONGEST or outside or not edges:
                continue
            both = (source, here[start:end]), (target, there[first:last])
            if all(_whole(sentence, words) for sentence, words in both):
                yield _written(*both[0]), _written(*both[1])


def _goes_on(text: str, bound: Set[str]) -> bool:
    """Return whether a phrase is cut off, as "group of" or "there is a"."""
    words = text.lower().split()
    return len(words) > 1 and words[-1] in bound


def _bound(sentences: Iterable[Sentence]) -> set[str]:
    """Return the words that hardly ever end a sentence."""
    all_of, last = Counter[str](), Counter[str]()
    for sentence in sentences:
        plain = [word for word in sentence.lower if word[0].isalpha()]
        all_of.update(plain)
        last.update(plain[-1:])
    return {word for word, times in all_of.items() if last[word] < ENDS * times}


def _whole(sentence: Sentence, words: Sequence[Word]) -> bool:
    """Return whether these are whole words, unlike "s true that" or "qu'"."""
    before, last = sentence.text[: words[0].start], words[-1].text
    open_ended = any(text.endswith(tuple(APOSTROPHES)) for text in (before, last))
    return all(word.text[0].isalpha() for word in words) and not open_ended


def _sentence(text: str, tokenizer: BytePieces) -> Sentence:
    axis = tokenizer.encode(text, "sum")
    words = [word for word in axis.words if not word.special]
    return Sentence(axis.text, words, [word.text.lower() for word in words])


def _written(sentence: Sentence, words: Sequence[Word]) -> str:
    return sentence.text[words[0].start : words[-1].end]


def _cases(sentences: Iterable[Sentence]) -> dict[str, str]:
    """Return the most frequent form of each lower-case word within sentences."""
    shown: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        for word in sentence.words[1:]:
            shown[word.text.lower()][word.text] += 1
    return {word: forms.most_common(1)[0][0] for word, forms in shown.items()}


def _cased(text: str, cases: Mapping[str, str]) -> str:
    """Return a lower-case phrase with the usual case of its words."""
    return re.sub(rf"\w+[{APOSTROPHES}]?", lambda match: cases.get(match[0], match[0]), text)
