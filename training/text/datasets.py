"""Datasets of text models: a tokenizer, an endless stream of pairs, and dev pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Protocol

from heed.models.checkpoint import read_config, tokenizer_of
from heed.models.text.tokenizer import BytePieces
from heed.models.text.vocabulary import KnownWords
from training.common.batches import Pair, ReferencedSource
from training.common.checkpoints import find_checkpoint, has_same_tokenizer
from training.common.errors import RecipeError
from training.dates.generator import examples
from training.text.data.corpora import (
    Corpus,
    SentencePair,
    SourceNoise,
    add_noise,
    epoch,
    everyday,
    group_translations,
    joined_lines,
    phrasebook,
)
from training.text.data.phrase_pairs import load_phrase_pairs
from training.text.data.word_lists.described_nouns import described_nouns
from training.text.data.word_lists.lexicon import lexicon_pairs
from training.text.data.word_lists.names import contains_name, replace_names
from training.text.distillation import load_distilled
from training.text.known_words import known_words
from training.text.recipe import TextRecipe

JOINED_WORDS = 40  # most words of a joined line: about 60 pieces
SHORT_WORDS = 3  # most words of a short text
MAX_REFERENCES = 8  # most references of a source
DATES_SAMPLE = 20_000  # size of the sample of dates
DEV_PAIRS = 1500  # of each dev set, enough to follow the loss


class TextDataset(Protocol):
    """Data as the training loop sees it."""

    @property
    def tokenizer(self) -> BytePieces:
        """Tokenizer of both sides."""

    def stream(self, seed: int) -> Iterator[Pair]:
        """Endless pairs, the same for the same seed."""

    def clean(self) -> Iterator[Pair]:
        """Training pairs once, without noise; a sample of endless data."""

    def sources(self, seed: int) -> Iterator[ReferencedSource]:
        """Endless sources for self-critical training."""

    def dev(self) -> Sequence[Pair]:
        """Dev pairs for early stopping; none where training pairs never repeat."""

    def dev_sources(self) -> Sequence[ReferencedSource]:
        """Some dev sources, each once, with their references."""

    @property
    def known_words(self) -> KnownWords | None:
        """Words that the training data makes known, or None for characters."""


@dataclass(frozen=True, slots=True)
class DatesDataset:
    """Dates and numbers, generated on demand."""

    tokenizer: BytePieces

    @property
    def known_words(self) -> None:
        """None: the tokens are characters."""

    def stream(self, seed: int) -> Iterator[Pair]:
        """Endless dates."""
        for example in examples(seed):
            yield self.tokenizer.ids(example.source), self.tokenizer.ids(example.target)

    def clean(self) -> Iterator[Pair]:
        """A sample of dates."""
        return islice(self.stream(0), DATES_SAMPLE)

    def sources(self, seed: int) -> Iterator[ReferencedSource]:
        """Endless dates; each has one reference."""
        for source, target in self.stream(seed):
            yield ReferencedSource(source, [target])

    def dev_sources(self) -> Sequence[ReferencedSource]:
        """None, as `dev`."""
        return ()

    def dev(self) -> Sequence[Pair]:
        """None: no example repeats, so there is no overfitting to detect."""
        return ()


@dataclass(frozen=True, slots=True)
class SentenceDataset:
    """Pairs of sentences, epoch after epoch, each time with other noise."""

    tokenizer: BytePieces
    train: Sequence[SentencePair]
    held_out: Sequence[SentencePair]
    source_noise: SourceNoise
    longest: int  # tokens on a side; longer pairs are left out
    languages: tuple[str, str] = ("en", "en")
    named: Sequence[SentencePair] = ()  # also in each epoch, under other names each time
    halves: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    known_words: KnownWords | None = None

    def stream(self, seed: int) -> Iterator[Pair]:
        """Endless epochs."""
        rng = Random(seed)
        while True:
            pairs = [*self.train, *self._renamed(rng)]
            for pair in epoch(pairs, self.source_noise, rng, JOINED_WORDS):
                ids = self._ids(pair)
                if self.source_noise.split:
                    ids = self._split(ids[0], rng), self._split(ids[1], rng)
                if max(map(len, ids)) <= self.longest:
                    yield ids

    def clean(self) -> Iterator[Pair]:
        """Every pair once, without noise."""
        return map(self._ids, dict.fromkeys(self.train))

    def sources(self, seed: int) -> Iterator[ReferencedSource]:
        """Endless sources with all references of each; none is a long line."""
        rng = Random(seed)
        short_lines = replace(self.source_noise, long_lines=0.0)
        translated = group_translations(dict.fromkeys(self.train))
        while True:
            renamed = self._renamed(rng)
            known = translated | group_translations(renamed)
            pairs = [*self.train, *renamed]
            for chosen in joined_lines(pairs, short_lines, rng, JOINED_WORDS):
                source, target = (" ".join(side) for side in zip(*chosen, strict=True))
                others = [known[place] for place, _ in chosen]
                texts = [
                    " ".join(texts[place % len(texts)] for texts in others)
                    for place in range(min(max(map(len, others)), MAX_REFERENCES))
                ]
                ids = self.tokenizer.read(add_noise(source, self.source_noise, rng))
                referenced = ReferencedSource(
                    ids, [self.tokenizer.ids(text) for text in (target, *texts)]
                )
                if max(len(ids), *map(len, referenced.references)) <= self.longest:
                    yield referenced

    def dev_sources(self) -> Sequence[ReferencedSource]:
        """Every other source of the dev sets, without noise."""
        return [
            ReferencedSource(
                self.tokenizer.read(source), [self.tokenizer.ids(text) for text in texts]
            )
            for source, texts in islice(group_translations(self.held_out).items(), 0, None, 2)
        ]

    def dev(self) -> Sequence[Pair]:
        """The dev sets, without noise."""
        return [self._ids(pair) for pair in self.held_out]

    def _renamed(self, rng: Random) -> list[SentencePair]:
        return [replace_names(pair, self.languages, rng) for pair in self.named]

    def _split(self, ids: Sequence[int], rng: Random) -> list[int]:
        """Split random pieces into the two they were merged from, recursively."""
        made, waiting = [], list(reversed(ids))
        while waiting:
            id = waiting.pop()
            halves = self.halves.get(id)
            if halves and rng.random() < self.source_noise.split:
                waiting.extend(reversed(halves))
            else:
                made.append(id)
        return made

    def _ids(self, pair: SentencePair) -> Pair:
        return self.tokenizer.read(pair[0]), self.tokenizer.ids(pair[1])


def build_dataset(recipe: TextRecipe, data: Path, runs: Path) -> TextDataset:
    """Build the dataset of a recipe; its tokenizer is trained once and kept with the runs."""
    if recipe.corpus is None:
        return DatesDataset(BytePieces.characters(lowercase=True))
    sets = recipe.corpus.sets(data, "train")
    train = [pair for name, pairs in sets.items() for pair in pairs * recipe.corpus.times(name)]
    dev = recipe.corpus.sets(data, "dev").values()
    held_out = [pair for pairs in dev for pair in islice(pairs, DEV_PAIRS)]
    once = list(dict.fromkeys(train))
    tokenizer = shared_tokenizer(recipe, once, runs)  # from human text only
    train += short_texts(recipe.corpus, once, tokenizer, runs)
    if recipe.distillation.teachers:
        train += distilled_pairs(recipe, recipe.corpus, data, runs)
    return SentenceDataset(
        tokenizer=tokenizer,
        train=train,
        held_out=held_out,
        source_noise=recipe.source_noise,
        longest=recipe.limits.tokens,
        languages=recipe.corpus.pair,
        named=named_pairs(recipe.corpus, once),
        halves=tokenizer.halves() if recipe.source_noise.split else {},
        known_words=known_words(recipe.corpus, sets),
    )


def named_pairs(corpus: Corpus, pairs: Sequence[SentencePair]) -> list[SentencePair]:
    """Return the pairs and phrasebook lines with a name, as often as the recipe says."""
    if not corpus.named:
        return []
    named, said = (
        [pair for pair in part if contains_name(pair)] for part in (pairs, phrasebook(corpus.pair))
    )
    return named * corpus.named + said * corpus.phrasebook


def short_texts(
    corpus: Corpus, pairs: Sequence[SentencePair], tokenizer: BytePieces, runs: Path
) -> list[SentencePair]:
    """Return the short texts of a corpus: short sentences, word lists and phrase pairs."""
    more: list[SentencePair] = []
    if corpus.short:
        more += [pair for pair in pairs if len(pair[0].split()) <= SHORT_WORDS] * corpus.short
    if corpus.phrasebook:
        more += phrasebook(corpus.pair) * corpus.phrasebook
    if corpus.everyday:
        more += everyday(corpus.pair) * corpus.everyday
    if corpus.lexicon:
        more += lexicon_pairs(corpus.pair) * corpus.lexicon
    if corpus.described:
        more += described_nouns(corpus.pair) * corpus.described
    if corpus.phrase_pairs:
        kept = runs / "phrase_pairs" / f"{'-'.join(corpus.pair)}.tsv"
        more += load_phrase_pairs(pairs, tokenizer, kept) * corpus.phrase_pairs
    return more


def distilled_pairs(
    recipe: TextRecipe, corpus: Corpus, data: Path, runs: Path
) -> list[SentencePair]:
    """Return the pairs of which the teachers of a recipe wrote one side."""
    folders = [find_checkpoint(name, runs) for name in recipe.distillation.teachers]
    tokenizer = tokenizer_of(folders[0])
    for name, folder in zip(recipe.distillation.teachers, folders, strict=True):
        config = read_config(folder)
        if (config["source"]["code"], config["target"]["code"]) != ("en", corpus.other):
            raise RecipeError(f"distillation: {name} does not translate en to {corpus.other}")
        if not has_same_tokenizer(folder, tokenizer):
            raise RecipeError(f"distillation: {name} has another tokenizer than the first teacher")
    kept = runs / recipe.id / "distilled.tsv"
    return corpus.turned(load_distilled(recipe.distillation, corpus, data, folders, kept))


def shared_tokenizer(recipe: TextRecipe, train: Sequence[SentencePair], runs: Path) -> BytePieces:
    """Return the tokenizer that all models of these languages and this size share."""
    size = recipe.network.vocabulary
    name = "-".join(sorted((recipe.source.code, recipe.target.code)))
    path = runs / "tokenizers" / f"{name}-{size}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        BytePieces.train((side for pair in train for side in pair), size).save(path)
    return BytePieces.load(path, spaced=recipe.spaced)
