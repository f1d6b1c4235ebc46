"""Pairs of sentences: Tatoeba, Multi30k, sentences in four languages, or the user's own files.

    DATA/tatoeba/en-fr.{train,dev}.tsv.gz         English ⇥ other
    DATA/multi30k/{train,val,test_2016_flickr}.{en,fr}.gz   line by line
    DATA/sentences/{words,visitors}.{train,dev}.tsv   English ⇥ French ⇥ German ⇥ Spanish
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
EVERYDAY = Path(__file__).parent / "word_lists" / "everyday.tsv"
SENTENCES = ("words", "visitors")  # sets of sentences in four languages
LANGUAGES = ("en", "fr", "de", "es")  # of their columns
KEPT_LARGE = ("OK",)
LONG_LINE_WORDS = 150  # most words of a long line: about 200 pieces
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
    long_lines: float = 0.0  # as many pairs in one line as fit into a random number of words
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
    described: int = 0  # how often through short phrases of a noun with an adjective
    words: int = 0  # how often through sentences around frequent words that corpora hardly have
    visitors: int = 0  # how often through sentences such as visitors type
    everyday: int = 0  # how often through this project's own sentences of both kinds

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
        for name in SENTENCES if split != "test" else ():
            if self.times(name):
                path = data / "sentences" / f"{name}.{split}.tsv"
                sets[name] = read_languages(path, LANGUAGES, self.pair)
        for name in {"train": self.train, "dev": self.dev}.get(split, ()):
            sets[Path(name).name.partition(".")[0]] = list(read_tsv(data / name))
        return sets

    def times(self, name: str) -> int:
        """Return how often an epoch goes through a set of training pairs."""
        numbers = {
            "tatoeba": self.tatoeba,
            "multi30k": self.multi30k,
            "words": self.words,
            "visitors": self.visitors,
        }
        return numbers.get(name, 1)

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
    pairs: list[SentencePair] = []
    for source, target in read_word_list(PHRASEBOOK, pair):
        pairs.append((source, target))
        if source[-1].isalpha():
            pairs.append((f"{source}.", f"{target}."))
        if source not in KEPT_LARGE:
            pairs.append(
                (_uncapitalized(source), _uncapitalized(target) if source[-1].isalpha() else target)
            )
    return pairs


def everyday(pair: tuple[str, str]) -> list[SentencePair]:
    """Return this project's own sentences: times of day, shops, money, travel, health, news."""
    return read_word_list(EVERYDAY, pair)


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


def read_word_list(path: Path, pair: tuple[str, str]) -> list[SentencePair]:
    """Read two columns of a list whose first line names the languages."""
    heading = next(_lines(path), "").split("\t")
    return read_languages(path, heading, pair)[1:]


def read_languages(
    path: Path, languages: Sequence[str], pair: tuple[str, str]
) -> list[SentencePair]:
    """Read the columns of two languages from a tab-separated file with one of each language."""
    if not {*pair} <= {*languages}:
        raise CorpusError(f"{path} has no column for {' and '.join({*pair} - {*languages})}")
    here, there = map(languages.index, pair)
    pairs: list[SentencePair] = []
    for number, line in enumerate(_lines(path), start=1):
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) != len(languages) or not all(columns):
            raise CorpusError(f"{path}, line {number}: not a text in each of {languages}")
        pairs.append((columns[here], columns[there]))
    return pairs


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

    Two to four pairs that are joined have at most `longest_join` words.
    """
    for chosen in joined_lines(pairs, source_noise, rng, longest_join):
        source, target = (" ".join(side) for side in zip(*chosen, strict=True))
        yield add_noise(source, source_noise, rng), target


def joined_lines(
    pairs: Sequence[SentencePair], source_noise: SourceNoise, rng: Random, longest_join: int
) -> Iterator[list[SentencePair]]:
    """Yield every pair once, in random order: alone, or as a list to join on one line."""
    order = list(range(len(pairs)))
    rng.shuffle(order)
    place = 0
    while place < len(order):
        count, longest = _join_size(source_noise, rng, longest_join)
        chosen = [pairs[order[place]]]
        words = _count_words(chosen[0])
        for following in order[place + 1 : place + count]:
            words += _count_words(pairs[following])
            if words > longest:
                break
            chosen.append(pairs[following])
        place += len(chosen)
        yield chosen


def _join_size(source_noise: SourceNoise, rng: Random, longest_join: int) -> tuple[int, int]:
    """Draw the largest number of pairs of a line, and of its words."""
    # No draw where the probability is zero: other recipes keep their random sequence.
    if source_noise.long_lines and rng.random() < source_noise.long_lines:
        longest = rng.randint(longest_join, max(longest_join, LONG_LINE_WORDS))
        return longest, longest
    return (rng.randint(2, 4) if rng.random() < source_noise.joined else 1), longest_join


def _count_words(pair: SentencePair) -> int:
    return len(pair[0].split())


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
