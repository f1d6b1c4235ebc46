"""Self-critical training of captioners: samples are rewarded with CIDEr-D and BLEU-4.

Both are over pieces and the stop token, so that a caption that breaks off gains nothing. A penalty
makes captions such as "a stove and a stove" less likely.

Shapes: `P` photos, `C` captions of each, `Q` steps, `K` cells, `D` width.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor

from heed.models.registry import CaptionNetwork
from heed.models.text.tokenizer import PAD
from training.caption.bleu_cider import consensus
from training.caption.caption_forward import TeacherForced, nll, teacher_force
from training.common.ngrams import Gram, ngrams, sentence_bleu
from training.common.self_critical import Ids, advantages, decoder_inputs, sample_texts

BLEU = 0.5  # weight of BLEU-4 beside CIDEr-D


class Reward:
    """Reward of a caption, compared with the references of its photo."""

    def __init__(self, captions: Sequence[Sequence[Ids]]) -> None:
        self._captions = captions
        self._photos: Counter[Gram] = Counter(
            gram for several in captions for gram in set().union(*(_grams(ids) for ids in several))
        )

    def __call__(self, place: int, caption: Ids) -> float:
        """Return the reward of a caption of the photo at this index."""
        mine = _grams(caption)
        theirs = [_grams(ids) for ids in self._captions[place]]
        lengths = [len(ids) for ids in self._captions[place]]
        score = consensus(mine, theirs, self._photos, len(self._captions))
        return score + BLEU * sentence_bleu(mine, len(caption), theirs, lengths)


@torch.no_grad()
def sample_captions(
    model: CaptionNetwork, cells: Tensor, count: int, longest: int, temperature: float = 0.0
) -> Tensor:
    """Sample captions (P, C, Q) of cells (P, K, D); temperature 0 is greedy."""
    photos = len(cells)
    seeds = torch.randint(2**31, (photos * count,))
    rows = torch.arange(photos).repeat_interleave(count)
    state = model.start(model.encode(cells[rows]), seeds)
    return sample_texts(model, state, len(rows), longest, temperature).view(photos, count, -1)


def compute_rewards(
    captions: Tensor, places: Tensor, reward: Reward, repetition_penalty: float = 0.0
) -> Tensor:
    """Return the reward (P, C) of each caption (P, C, Q), less a penalty for repeated pairs."""

    def score(place: int, padded: Ids) -> float:
        caption = [id for id in padded if id != PAD]
        return reward(place, caption) - repetition_penalty * repeated_pairs(caption)

    scores = [
        [score(place, ids) for ids in caption_ids]
        for place, caption_ids in zip(places.tolist(), captions.tolist(), strict=True)
    ]
    return torch.tensor(scores)


def self_critical_loss(
    model: CaptionNetwork, cells: Tensor, captions: Tensor, rewards: Tensor, temperature: float
) -> tuple[Tensor, TeacherForced, Tensor]:
    """Return the loss of sampled captions (P, C, Q), their forward pass, and the real steps."""
    order = (captions != PAD).sum(dim=-1).argsort(dim=1, descending=True)
    captions = captions.gather(1, order[..., None].expand_as(captions))
    gained = advantages(rewards.gather(1, order))
    output = teacher_force(model, cells, decoder_inputs(captions))
    real = captions != PAD
    losses = nll(model, output.readouts, captions, temperature)
    return (gained[..., None] * losses * real).sum() / real.sum(), output, real


def repeated_pairs(caption: Ids) -> int:
    """Return how often a pair of pieces comes again."""
    pairs = list(pairwise(caption))
    return len(pairs) - len(set(pairs))


def _grams(ids: Ids) -> Counter[Gram]:
    return ngrams([str(id) for id in ids])
