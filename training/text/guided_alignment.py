"""What a model is told beside what people wrote: by its siblings, and by an aligner of words.

Words: what siblings would write next, on average (Hinton et al. 2015; of translators: Kim and Rush
2016, section 3.1). Maps: where they look, which one head of a Transformer is told (guided
alignment, Garg et al. 2019, section 4). Links: what the aligner holds to belong together, which one
head is told, or the attention of a network that has but one (Chen et al. 2016; Liu et al. 2016).
Siblings and aligner learned from the same pairs and stay as they are.

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
    """Who is asked, and how much it matters what they say."""

    teachers: tuple[str, ...] = ()
    words: float = 0.0  # of what they would write, in the place of so much of what people wrote
    maps: float = 0.0  # of where they look, beside the loss of the words
    links: float = 0.0  # of the aligner, beside it as well
    layer: int = 0  # of the head that is told
    head: int = 0


def describe_guidance(guide: GuidedAlignment, network: TextConfig) -> str:
    """What of the attention is told where to look, as a card says it; empty if nothing is."""
    if not (guide.maps or guide.links):
        return ""
    head = f"head {guide.head + 1} of layer {guide.layer + 1} "
    which = head if network.family == "transformer" else ""
    return f"{which}told in training where to look"


class TeacherOutput(NamedTuple):
    """What a sibling says of a batch."""

    readouts: Tensor  # (B, Q, D)
    output: nn.Linear
    weights: Tensor | None  # (B, Q, K), if it has one head


@torch.no_grad()
def teacher_output(sibling: TextNetwork, batch: Batch) -> TeacherOutput:
    """What a sibling would write, and where it looks, led along what people wrote."""
    if isinstance(sibling, Seq2Seq) and not is_supported(sibling.config):
        return _step_by_step(sibling, batch)
    states, looked = readouts_and_weights(sibling, batch.source, batch.lengths, batch.fed)
    alone = len(looked) == 1 and looked[0].shape[1] == 1
    return TeacherOutput(states, sibling.output, looked[0][:, 0] if alone else None)


def _step_by_step(sibling: Seq2Seq, batch: Batch) -> TeacherOutput:
    """The same of one whose loop is not written out, which tells nothing of it by `looking`."""
    state = sibling.start(sibling.encode(batch.source, batch.lengths))
    readouts, rows = [], []
    for token in batch.fed.unbind(1):
        advanced, state = sibling.advance(token, state)
        readouts.append(advanced.readout)
        rows.append(advanced.attended[0].weights[:, 0])
    return TeacherOutput(torch.stack(readouts, dim=1), sibling.output, torch.stack(rows, dim=1))


def teacher_alignment_loss(
    weights: Tensor, teacher_outputs: Sequence[TeacherOutput], real: Tensor
) -> Tensor:
    """Cross-entropy in nats a step of where a head looks (B, Q, K) to where siblings do."""
    maps = [each.weights.float() for each in teacher_outputs if each.weights is not None]
    wanted = torch.stack(maps).mean(dim=0)
    return _cross_entropy(weights, wanted)[real].mean()


class PieceAligner:
    """An aligner that points from what is written to what was read, piece by piece."""

    def __init__(self, tokenizer: BytePieces, pairs: Iterable[Pair]) -> None:
        self._tokenizer = tokenizer
        self._aligner = Aligner.learned(
            (self._text(source).words, self._text(target).words) for source, target in pairs
        )

    def targets(self, batch: Batch) -> Tensor:
        """How much each step should look at each source token (B, Q, K), as far as it is sure.

        A row sums to what the aligner would bet on it, to nothing for the end mark.
        """
        wanted = np.zeros((*batch.target.shape, batch.source.shape[1]), dtype=np.float32)
        both = zip(_content(batch.source), _content(batch.target), strict=True)
        for row, (source, target) in zip(wanted, both, strict=True):
            row[: len(target), : len(source)] = self.links(source, target)
        return torch.from_numpy(wanted).to(batch.source.device)

    def links(self, source: Sequence[int], target: Sequence[int]) -> Floats:
        """The same of one pair: every piece of a word is linked as the word is, in equal shares.

        Of a word that is written as it was read, each piece is linked to what it copies.
        """
        read, written = self._text(source), self._text(target)
        told = np.zeros((len(target), len(source)), dtype=np.float32)
        if read.words and written.words:
            links = self._aligner.links(read.words, written.words)
            shares = links / np.bincount(read.places, minlength=len(read.words))
            told[: len(written.places), : len(read.places)] = shares[written.places][:, read.places]
            for word, place in np.argwhere(np.array(written.words)[:, None] == read.words):
                rows, columns = written.pieces(word), read.pieces(place)
                copied = _overlap(written.spans[rows], read.spans[columns])
                told[np.ix_(rows, columns)] = links[word, place] * copied
        return told

    def _text(self, ids: Sequence[int]) -> AlignedText:
        axis = self._tokenizer.written(ids)
        words = [word for word in axis.words if not word.special]
        tokens = [token for token in axis.tokens if not token.special]
        within = [(each.start, each.end, words[each.word].start) for each in tokens]
        return AlignedText(
            [word.text.rstrip(APOSTROPHES).lower() or word.text for word in words],
            np.array([token.word for token in tokens], dtype=np.int64),
            np.array([(max(a - at, 0), b - at) for a, b, at in within]).reshape(-1, 2),
        )


class AlignedText(NamedTuple):
    """The words of a text in lower case, and its pieces."""

    words: list[str]
    places: Places  # of the word that each piece belongs to
    spans: Places  # of each piece in its word, in characters; nothing of a space before it

    def pieces(self, word: int) -> Places:
        """Those of a word."""
        return np.flatnonzero(self.places == word)


def _overlap(written: Places, read: Places) -> Floats:
    """What share of each written piece of a word each piece has that was read of it.

    The space before a word is of the first.
    """
    low = np.maximum(written[:, None, 0], read[:, 0])
    high = np.minimum(written[:, None, 1], read[:, 1])
    shared = np.maximum(high - low, 0).astype(np.float32)
    shared[~shared.any(axis=1), 0] = 1
    return shared / shared.sum(axis=1, keepdims=True)


def _content(ids: Tensor) -> list[list[int]]:
    """The rows without their padding."""
    return [[id for id in row if id != PAD] for row in ids.tolist()]


def alignment_loss(weights: Tensor, wanted: Tensor) -> Tensor:
    """Cross-entropy in nats a link of where a head looks (B, Q, K) to where it should."""
    return _cross_entropy(weights, wanted).sum() / wanted.sum().clamp_min(1e-6)


def _cross_entropy(weights: Tensor, wanted: Tensor) -> Tensor:
    """Cross-entropy in nats of each row (B, Q)."""
    return -(wanted * weights.float().clamp_min(1e-6).log()).sum(dim=-1)
