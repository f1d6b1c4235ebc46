"""Guided alignment: targets from teachers and from a word aligner beside the references.

`words`: the mean prediction of the teachers (Hinton et al. 2015; for translators: Kim and Rush
2016, section 3.1). `maps`: their attention, as a target for one head of a Transformer (Garg et al.
2019, section 4). `links`: word alignments, as a target for one head or for the only attention of a
recurrent network (Chen et al. 2016; Liu et al. 2016). Teachers and aligner were trained on the same
pairs and stay fixed.

Shapes: `B` rows, `Q` steps, `K` source tokens, `D` width.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from heed.models.config import TextConfig
from heed.models.networks.seq2seq import Seq2Seq
from heed.models.registry import TextNetwork
from heed.models.text.tokenizer import APOSTROPHES, PAD, BytePieces
from heed.models.trace import Floats
from training.common.batches import Batch, Pair
from training.text.data.aligner import Aligner, Places
from training.text.manual_bptt import is_supported, readouts_and_weights


@dataclass(frozen=True, slots=True)
class GuidedAlignment:
    """Teachers and the weights of the losses that they and the aligner add."""

    teachers: tuple[str, ...] = ()
    words: float = 0.0  # share of the target distribution that comes from the teachers
    maps: float = 0.0  # weight of the loss to the teachers' attention
    links: float = 0.0  # weight of the loss to the word alignments
    layer: int = 0  # of the guided head
    head: int = 0


def describe_guidance(guide: GuidedAlignment, network: TextConfig) -> str:
    """Return which attention is guided, as a card says it; empty if none is."""
    if not (guide.maps or guide.links):
        return ""
    head = f"head {guide.head + 1} of layer {guide.layer + 1} "
    which = head if network.family == "transformer" else "attention "
    return f"{which}guided by word alignments in training"


class TeacherOutput(NamedTuple):
    """Predictions and attention of a teacher for a batch."""

    readouts: Tensor  # (B, Q, D)
    output: nn.Linear
    weights: Tensor | None  # (B, Q, K), if it has one head


@torch.no_grad()
def teacher_output(teacher: TextNetwork, batch: Batch) -> TeacherOutput:
    """Run a teacher on a batch with teacher forcing."""
    if isinstance(teacher, Seq2Seq) and not is_supported(teacher.config):
        return _step_by_step(teacher, batch)
    states, weights = readouts_and_weights(teacher, batch.source, batch.lengths, batch.fed)
    alone = len(weights) == 1 and weights[0].shape[1] == 1
    return TeacherOutput(states, teacher.output, weights[0][:, 0] if alone else None)


def _step_by_step(teacher: Seq2Seq, batch: Batch) -> TeacherOutput:
    """Run a teacher that `manual_bptt` does not support, step by step."""
    state = teacher.start(teacher.encode(batch.source, batch.lengths))
    readouts, rows = [], []
    for token in batch.fed.unbind(1):
        advanced, state = teacher.advance(token, state)
        readouts.append(advanced.readout)
        rows.append(advanced.attended[0].weights[:, 0])
    return TeacherOutput(torch.stack(readouts, dim=1), teacher.output, torch.stack(rows, dim=1))


def teacher_alignment_loss(
    weights: Tensor, teacher_outputs: Sequence[TeacherOutput], real: Tensor
) -> Tensor:
    """Cross-entropy, in nats a step, of a head (B, Q, K) to the mean attention of the teachers."""
    maps = [output.weights.float() for output in teacher_outputs if output.weights is not None]
    wanted = torch.stack(maps).mean(dim=0)
    return _cross_entropy(weights, wanted)[real].mean()


class PieceAligner:
    """Word aligner whose links are spread over the pieces of the words."""

    def __init__(self, tokenizer: BytePieces, pairs: Iterable[Pair]) -> None:
        self._tokenizer = tokenizer
        self._aligner = Aligner.learned(
            (self._text(source).words, self._text(target).words) for source, target in pairs
        )

    def targets(self, batch: Batch) -> Tensor:
        """Return the target weight of each source token at each step (B, Q, K).

        A row sums to the confidence of the aligner, to zero for the stop token.
        """
        wanted = np.zeros((*batch.target.shape, batch.source.shape[1]), dtype=np.float32)
        both = zip(_content(batch.source), _content(batch.target), strict=True)
        for row, (source, target) in zip(wanted, both, strict=True):
            row[: len(target), : len(source)] = self.links(source, target)
        return torch.from_numpy(wanted).to(batch.source.device)

    def links(self, source: Sequence[int], target: Sequence[int]) -> Floats:
        """Return the targets of one pair: the pieces of a word share its links equally.

        In a copied word, each piece is linked to the piece that it copies.
        """
        read, written = self._text(source), self._text(target)
        targets = np.zeros((len(target), len(source)), dtype=np.float32)
        if read.words and written.words:
            links = self._aligner.links(read.words, written.words)
            shares = links / np.bincount(read.places, minlength=len(read.words))
            targets[: len(written.places), : len(read.places)] = shares[written.places][
                :, read.places
            ]
            for word, place in np.argwhere(np.array(written.words)[:, None] == read.words):
                rows, columns = written.pieces(word), read.pieces(place)
                copied = _overlap(written.spans[rows], read.spans[columns])
                targets[np.ix_(rows, columns)] = links[word, place] * copied
        return targets

    def _text(self, ids: Sequence[int]) -> AlignedText:
        axis = self._tokenizer.written(ids)
        words = [word for word in axis.words if not word.special]
        tokens = [token for token in axis.tokens if not token.special]
        within = [(token.start, token.end, words[token.word].start) for token in tokens]
        return AlignedText(
            [word.text.rstrip(APOSTROPHES).lower() or word.text for word in words],
            np.array([token.word for token in tokens], dtype=np.int64),
            np.array([(max(a - at, 0), b - at) for a, b, at in within]).reshape(-1, 2),
        )


class AlignedText(NamedTuple):
    """Words of a text in lower case, and its pieces."""

    words: list[str]
    places: Places  # of the word that each piece belongs to
    spans: Places  # of each piece in its word, in characters; nothing of a space before it

    def pieces(self, word: int) -> Places:
        """Return the pieces of a word."""
        return np.flatnonzero(self.places == word)


def _overlap(written: Places, read: Places) -> Floats:
    """Return the share of each target piece of a copied word that each source piece covers.

    The space before a word belongs to its first piece.
    """
    low = np.maximum(written[:, None, 0], read[:, 0])
    high = np.minimum(written[:, None, 1], read[:, 1])
    shared = np.maximum(high - low, 0).astype(np.float32)
    shared[~shared.any(axis=1), 0] = 1
    return shared / shared.sum(axis=1, keepdims=True)


def _content(ids: Tensor) -> list[list[int]]:
    """Return the rows without their padding."""
    return [[id for id in row if id != PAD] for row in ids.tolist()]


def alignment_loss(weights: Tensor, wanted: Tensor) -> Tensor:
    """Cross-entropy, in nats a link, of a head (B, Q, K) to the targets."""
    return _cross_entropy(weights, wanted).sum() / wanted.sum().clamp_min(1e-6)


def _cross_entropy(weights: Tensor, wanted: Tensor) -> Tensor:
    """Cross-entropy in nats of each row (B, Q)."""
    return -(wanted * weights.float().clamp_min(1e-6).log()).sum(dim=-1)
