"""Measurement of networks in training: perplexity on dev sentences, and agreement."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from heed.models.families.lstmn.network import LSTMN
from heed.models.text.words import END, PADDING, START, WordVocabulary
from training.common.batches import chunks, pad
from training.reading.plain import PlainLSTM
from training.reading.quality import BATCH, Read, ReadTemplates, perplexity
from training.reading.templates import Agreement


def read_template(vocabulary: WordVocabulary, template: Agreement) -> list[int]:
    """Return the ids of a template, with start and end."""
    return [START, *vocabulary.ids_of(template.words), END]


@torch.inference_mode()
def dev_perplexity(model: LSTMN | PlainLSTM, sentences: Sequence[list[int]]) -> float:
    """Return the perplexity of every word and of the end of every sentence."""
    losses = []
    for part in chunks(sorted(sentences, key=len), BATCH):
        every = pad(part)
        words, target = every[:, :-1], every[:, 1:]
        real = target != PADDING
        logs = model.logits(model(words).readouts[real]).log_softmax(dim=-1)
        picked = logs.gather(1, target[real][:, None])
        losses.append((-float(picked.sum()), len(picked)))
    return perplexity(losses)


def reader_of(model: LSTMN | PlainLSTM, vocabulary: WordVocabulary) -> ReadTemplates:
    """Return a function that reads templates with a network."""

    @torch.inference_mode()
    def read(templates: Sequence[Agreement]) -> list[Read]:
        every = pad([read_template(vocabulary, template) for template in templates])
        computed = model(every[:, :-1])
        logs = model.logits(computed.readouts).log_softmax(dim=-1)
        results = []
        for row, template in enumerate(templates):
            length = len(template.words) + 1
            forms = vocabulary.ids_of([template.words[template.verb], template.wrong_verb])
            weights = None if computed.weights is None else computed.weights[row].numpy()
            said = logs[row, :length].gather(1, every[row, 1 : length + 1, None])[:, 0]
            results.append(Read(said.numpy(), weights, logs[row, template.verb, forms].numpy()))
        return results

    return read
