"""Distillation: training pairs of which teachers wrote one side.

An ensemble of translators is better than each of them, and a student can learn from its output
(Kim and Rush 2016; for sentences without a translation: Zhang and Zong 2016). For a model into
English the output serves as sources (back-translation, Sennrich et al. 2016).

Tatoeba has English sentences without a translation into this language, and the photos of Multi30k's
training set have more captions than were translated. (Captions of other photos are left out: these
photos may be in a test set.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from tqdm import tqdm

from heed.models.checkpoint import load_text_network, tokenizer_of
from heed.models.text.tokenizer import END, PAD, BytePieces
from training.caption.flickr8k import read_captions
from training.common.batches import STEPS, chunks, collate
from training.common.mixed_precision import mixed_precision
from training.text.data.corpora import (
    Corpus,
    Distillation,
    SentencePair,
    english_captions,
    read_tsv,
)
from training.text.self_critical import sample_translations
from training.text.teachers import Ensemble

OTHERS = ("de", "es", "fr")  # languages of Tatoeba here, beside English
ROWS = 128  # sentences in a batch
SPARE = 8  # steps past twice the tokens of a source; a longer translation is useless


def load_distilled(
    distillation: Distillation, corpus: Corpus, data: Path, folders: Sequence[Path], kept: Path
) -> list[SentencePair]:
    """Load these pairs, English first; they are made once and kept in a file."""
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(".part")
        sentences = sorted(
            sentences_to_translate(distillation, corpus, data), key=lambda text: (len(text), text)
        )
        with part.open("a+b") as file:  # continue after an interruption
            file.seek(0)
            lines = file.read()
            file.truncate(lines.rfind(b"\n") + 1)  # drop an incomplete line
        done = lines.count(b"\n")
        with part.open("a", encoding="utf-8", newline="\n") as file:
            for pair in translate_all(sentences[done:], folders):
                print(*pair, sep="\t", file=file)
        part.replace(kept)
    with kept.open(encoding="utf-8") as file:
        pairs = [line.rstrip("\n").partition("\t") for line in file]
    return [(english, translation) for english, _, translation in pairs if translation]


def translate_all(sentences: Sequence[str], folders: Sequence[Path]) -> Iterator[SentencePair]:
    """Yield each sentence with the translation of the ensemble."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    writers = Ensemble([load_text_network(folder).to(device) for folder in folders])
    tokenizer = tokenizer_of(folders[0])
    with tqdm(total=len(sentences), unit="sentence", desc="distillation") as bar:
        for chunk in chunks(sentences, ROWS):
            yield from zip(
                chunk, ensemble_translations(chunk, writers, tokenizer, device), strict=True
            )
            bar.update(len(chunk))


def ensemble_translations(
    sentences: Sequence[str], writers: Ensemble, tokenizer: BytePieces, device: torch.device
) -> list[str]:
    """Translate a batch with the ensemble; an output without a stop token becomes empty."""
    ids = [tokenizer.read(text) for text in sentences]
    batch = collate([(sentence, sentence) for sentence in ids], STEPS).to(device)
    longest = 2 * max(map(len, ids)) + SPARE
    with mixed_precision(device):
        texts = sample_translations(writers, batch, 1, longest)[:, 0].tolist()
    return [
        " ".join(tokenizer.text(id for id in text if id != PAD).split()) if END in text else ""
        for text in texts
    ]


def sentences_to_translate(distillation: Distillation, corpus: Corpus, data: Path) -> set[str]:
    """Return the English sentences that the teachers translate."""
    sentences: set[str] = set()
    if distillation.known:
        here = corpus.pair.index("en")
        for pairs in corpus.sets(data, "train").values():
            sentences |= {pair[here] for pair in pairs}
    if distillation.tatoeba:
        sets = {
            code: {english for english, _ in read_tsv(data / "tatoeba" / f"en-{code}.train.tsv.gz")}
            for code in OTHERS
        }
        sentences |= set().union(*sets.values()) - sets.get(corpus.other, set())
    if distillation.captions:
        translated = {_bare(english) for english in english_captions(data, "train")}
        photos = read_captions(data / "flickr8k" / "train.captions.json.gz")
        for captions in photos.values():
            bare = {_bare(caption): detokenized(caption) for caption in captions}
            if bare.keys() & translated:
                sentences |= {text for key, text in bare.items() if key not in translated}
    return sentences


def detokenized(caption: str) -> str:
    """Return a caption without the spaces between words and punctuation."""
    return re.sub(r" +(?=[.,;:!?]|n't\b|'(?:s|re|ll|ve|m|d)\b)", "", " ".join(caption.split()))


def _bare(text: str) -> str:
    """Return the letters and digits of a text, for comparison."""
    return re.sub(r"[\W_]", "", text.lower())
