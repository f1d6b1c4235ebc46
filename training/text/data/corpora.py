"""Pairs of sentences: Tatoeba, Multi30k, or the user's own tab-separated files.

    DATA/tatoeba/en-fr.{train,dev}.tsv.gz         English ⇥ other
    DATA/multi30k/{train,val,test_2016_flickr}.{en,fr}.gz   line by line
    any.tsv or any.tsv.gz                         source ⇥ target

English stands first in the files; a model from the other language reads them the other way round.
"""

from __future__ import annotations

import gzip
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal

from heed.models.text.tokenizer import APOSTROPHES
from training.common.errors import CorpusError

Split = Literal["train", "dev", "test"]
SentencePair = tuple[str, str]

PHRASEBOOK = Path(__file__).parent / "word_lists" / "phrasebook.tsv"
KEPT_LARGE = ("OK",)
MULTI30K = {"train": "train", "dev": "val", "test": "test_2016_flickr"}


@dataclass(frozen=True, slots=True)
class SourceNoise:
    """Probabilities of the typing habits that are added to training sources."""

    unstopped: float = 0.0  # the mark at the end of the source left out
    lowercased: float = 0.0  # the source all in lower case
    uppercased: float = 0.0  # the source all in capitals
    unaccented: float = 0.0  # the source without its accents
    unapostrophed: float = 0.0  # the source without its apostrophes: "dont"
    joined: float = 0.0  # two to four pairs in one line
    split: float = 0.0  # a piece of either side as the two it was merged from, again and again


@dataclass(frozen=True, slots=True)
class Corpus:
    """Training data of a translator; numbers say how often an epoch goes through each part."""

    pair: tuple[str, str]  # codes of the languages, source first
    tatoeba: int = 0  # how often an epoch of training goes through it
    multi30k: int = 0
    train: tuple[str, ...] = ()  # the user's own files, below the data folder or anywhere
    dev: tuple[str, ...] = ()
    short: int = 0  # how often more an epoch goes through sentences of three words and fewer
    phrase_pairs: int = 0  # how often through the words and phrases that they are made of
    phrasebook: int = 0  # how often through what people say first
    named: int = 0  # how often through sentences with a name, each time with another one
    lexicon: int = 0  # how often through plain sentences of words that corpora hardly have

    def sets(self, data: Path, split: Split) -> dict[str, list[SentencePair]]:
        """Read the pairs of a split, by the name of their set."""
        sets: dict[str, list[SentencePair]] = {}
        other = self.other
        if self.tatoeba and split != "test":
            pairs = read_tsv(data / "tatoeba" / f"en-{other}.{split}.tsv.gz")
            sets["tatoeba"] = self.turned(pairs)
        if self.multi30k:
            sides = (data / "multi30k" / f"{MULTI30K[split]}.{code}.gz" for code in ("en", other))
            sets["multi30k"] = self.turned(zip(*map(_lines, sides), strict=True))
        for name in {"train": self.train, "dev": self.dev}.get(split, ()):
            sets[Path(name).name.partition(".")[0]] = list(read_tsv(data / name))
        return sets

    @property
    def other(self) -> str:
        """The other language than English."""
        return next((code for code in self.pair if code != "en"), "en")

    def turned(self, pairs: Iterable[SentencePair]) -> list[SentencePair]:
        """Return pairs that have English first with the source first."""
        if self.pair[0] == "en":
            return list(pairs)
        return [(target, source) for source, target in pairs]


def phrasebook(pair: tuple[str, str]) -> list[SentencePair]:
    """Return the phrasebook: greetings and other first inputs, which corpora hardly contain.

    A line without a final mark also comes with one, and with a lower-case start.
    """
    languages, *lines = (line.split("\t") for line in _lines(PHRASEBOOK))
    here, there = map(languages.index, pair)
    found: list[SentencePair] = []
    for line in lines:
        source, target = line[here], line[there]
        found.append((source, target))
        if source[-1].isalpha():
            found.append((f"{source}.", f"{target}."))
        if source not in KEPT_LARGE:
            found.append(
                (_uncapitalized(source), _uncapitalized(target) if source[-1].isalpha() else target)
            )
    return found


def _uncapitalized(text: str) -> str:
    return text[:1].lower() + text[1:]


def capitalized(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class Distillation:
    """English sentences that teachers translate into training pairs."""

    teachers: tuple[
        str, ...
    ] = ()  # models from English; several, of the same pieces, write together
    known: bool = False  # sentences with a translation
    tatoeba: bool = True  # sentences of Tatoeba without one
    captions: bool = False


def read_tsv(path: Path) -> Iterator[SentencePair]:
    """Read the pairs of a tab-separated file; further columns are ignored."""
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        columns = line.split("\t")
        if len(columns) < 2 or not columns[0].strip() or not columns[1].strip():
            raise CorpusError(f"{path}, line {number}: not a source, a tab and a target")
        yield columns[0].strip(), columns[1].strip()


def english_captions(data: Path, split: Split) -> Iterator[str]:
    """Read the English side of Multi30k."""
    return _lines(data / "multi30k" / f"{MULTI30K[split]}.en.gz")


def _lines(path: Path) -> Iterator[str]:
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as file:
            for line in file:
                yield line.rstrip("\r\n")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path} cannot be read: {error}") from error


def epoch(
    pairs: Sequence[SentencePair], source_noise: SourceNoise, rng: Random, longest_join: int
) -> Iterator[SentencePair]:
    """Yield every pair once, in random order, some with source noise or joined with others.

    A join has at most `longest_join` words, so that it fits the limits of a model.
    """
    for chosen in joined_lines(pairs, source_noise.joined, rng, longest_join):
        source, target = (" ".join(side) for side in zip(*chosen, strict=True))
        yield add_noise(source, source_noise, rng), target


def joined_lines(
    pairs: Sequence[SentencePair], joined: float, rng: Random, longest_join: int
) -> Iterator[list[SentencePair]]:
    """Yield every pair once, in random order: alone, or as a list to join on one line."""
    order = list(range(len(pairs)))
    rng.shuffle(order)
    place = 0
    while place < len(order):
        count = rng.randint(2, 4) if rng.random() < joined else 1
        chosen = [pairs[i] for i in order[place : place + count]]
        while len(chosen) > 1 and sum(len(source.split()) for source, _ in chosen) > longest_join:
            chosen.pop()
        place += len(chosen)
        yield chosen


def group_translations(pairs: Iterable[SentencePair]) -> dict[str, list[str]]:
    """Return all translations of each source."""
    known: dict[str, list[str]] = {}
    for source, target in pairs:
        known.setdefault(source, []).append(target)
    return known


def add_noise(text: str, source_noise: SourceNoise, rng: Random) -> str:
    """Return the sentence with random typing habits; its translation stays correct."""
    if rng.random() < source_noise.unstopped:
        text = text.rstrip(" .!?") or text
    if rng.random() < source_noise.lowercased:
        text = text.lower()
    elif rng.random() < source_noise.uppercased:
        text = text.upper()
    if rng.random() < source_noise.unaccented:
        text = without_accents(text)
    # No draw where the probability is zero: other recipes keep their random sequence.
    if source_noise.unapostrophed and rng.random() < source_noise.unapostrophed:
        text = re.sub(rf"(?<=\w)[{APOSTROPHES}](?=\w)", "", text)
    return text


def without_accents(text: str) -> str:
    """Return the text without diacritics."""
    parts = unicodedata.normalize("NFD", text)
    bare = "".join(character for character in parts if unicodedata.category(character) != "Mn")
    return unicodedata.normalize("NFC", bare)
