"""Self-critical training of translators: samples are rewarded with BLEU-4.

BLEU is over lower-cased words and the stop token, so that a text that breaks off gains nothing,
against every known translation of the source.

Shapes: `B` sources, `C` texts of each, `Q` steps, `K` source tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import sacrebleu
import torch
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from torch import Tensor
from torch.nn import functional as F

from heed.models.registry import TextNetwork
from heed.models.text.tokenizer import END, END_TEXT, PAD, BytePieces
from training.common.batches import STEPS, Batch, ReferencedSource, buckets, chunks, collate
from training.common.loss import projected_cross_entropy
from training.common.ngrams import ngrams, sentence_bleu
from training.common.self_critical import Ids, advantages, decoder_inputs, sample_texts
from training.text.manual_bptt import readouts, repeat_rows
from training.text.teachers import Ensemble

TOKENS = 1300  # of a batch on one side: about a hundred short sentences
SOURCES = 64  # translated at once in evaluation
SPARE = 8  # steps past the longest translation of a batch


class SourceBatch(NamedTuple):
    """Sources of similar length with their references."""

    sources: Sequence[ReferencedSource]
    batch: Batch  # with the first reference

    @property
    def longest(self) -> int:
        """Length of the longest reference."""
        return max(len(ids) for source in self.sources for ids in source.references)


def collate_sources(sources: Sequence[ReferencedSource], device: torch.device) -> SourceBatch:
    """Collate these sources."""
    pairs = [(source.source, source.references[0]) for source in sources]
    return SourceBatch(sources, collate(pairs, STEPS).to(device))


def source_batches(
    sources: Iterable[ReferencedSource], seed: int, device: torch.device
) -> Iterator[SourceBatch]:
    """Yield batches of sources of similar length, in random order."""
    for batch in buckets(sources, _lengths, TOKENS, seed, by_tokens=True):
        yield collate_sources(batch, device)


def _lengths(sources: ReferencedSource) -> tuple[int, int]:
    return max(len(sources.source), *map(len, sources.references)), len(sources.source)


class Reward:
    """Reward of a translation, compared with the references."""

    def __init__(self, tokenizer: BytePieces) -> None:
        self._tokenizer = tokenizer
        self._split = Tokenizer13a()  # type: ignore[no-untyped-call]

    def __call__(self, ids: Ids, known: Sequence[Ids]) -> float:
        """Return the reward of one translation."""
        mine, theirs = self._words(ids), [self._words(several) for several in known]
        counted = [ngrams(words) for words in theirs]
        return sentence_bleu(ngrams(mine), len(mine), counted, [len(words) for words in theirs])

    def _words(self, ids: Ids) -> list[str]:
        words: list[str] = self._split(self._tokenizer.text(ids).lower()).split()
        return [*words, END_TEXT] if END in ids else words


def compute_rewards(texts: Tensor, sources: Sequence[ReferencedSource], reward: Reward) -> Tensor:
    """Return the reward (B, C) of each text (B, C, Q)."""
    scores = [
        [reward([id for id in ids if id != PAD], source.references) for ids in reference]
        for source, reference in zip(sources, texts.tolist(), strict=True)
    ]
    return torch.tensor(scores)


def sample_translations(
    model: TextNetwork | Ensemble, batch: Batch, count: int, longest: int, temperature: float = 0.0
) -> Tensor:
    """Sample translations (B, C, Q) of each source; temperature 0 is greedy."""
    with torch.no_grad():
        memory: Any = model.encode(batch.source, batch.lengths)
        state = model.start(memory)
        rows = repeat_rows(batch.source, count)
        texts = sample_texts(model, state.select(rows), len(rows), longest, temperature)
    return texts.view(len(batch.source), count, -1)


def self_critical_loss(
    model: TextNetwork, batch: Batch, texts: Tensor, rewards: Tensor, temperature: float
) -> Tensor:
    """Return the loss of texts (B, C, Q) that were sampled at a temperature."""
    texts = F.pad(texts, (0, -texts.shape[-1] % STEPS), value=PAD)
    real = texts != PAD
    gained = advantages(rewards).to(texts.device)[..., None].expand_as(texts)[real]
    rows = decoder_inputs(texts).flatten(0, 1)
    written = readouts(model, batch.source, batch.lengths, rows, repeats=texts.shape[1])
    cool = written.view(*texts.shape, -1)[real] / temperature
    table, shift = model.output.weight, model.output.bias / temperature
    return projected_cross_entropy(cool, table, shift, texts[real], 0.0, gained)


def greedy_bleu(
    model: TextNetwork,
    sources: Sequence[ReferencedSource],
    tokenizer: BytePieces,
    longest: int,
    device: torch.device,
) -> float:
    """Return BLEU (13a, lower-cased, 0 to 100) of greedy translations."""
    hypotheses: list[str] = []
    known: list[list[str]] = []
    for chunk in chunks(sorted(sources, key=lambda source: len(source.source)), SOURCES):
        batch = collate_sources(chunk, device).batch
        texts = sample_translations(model, batch, 1, longest)[:, 0]
        hypotheses += [tokenizer.text(ids) for ids in texts.tolist()]
        known += [[tokenizer.text(ids) for ids in source.references] for source in chunk]
    most = max(map(len, known))
    columns = [[several[n] if n < len(several) else "" for several in known] for n in range(most)]
    return float(sacrebleu.corpus_bleu(hypotheses, columns, lowercase=True).score)
