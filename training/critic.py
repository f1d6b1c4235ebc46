"""Learning from what is written rather than from what should be: self-critical training.

The model draws several captions of a photo, each is scored against what people said of it, and
what did better than the others is made likelier (Rennie et al. 2017; the mean of the other draws
as the baseline: Luo 2020). Scores are CIDEr-D and BLEU-4 over pieces, the end mark among them, so
that a caption that breaks off gains nothing.

Shapes: `P` photos, `C` captions of each, `Q` steps, `K` cells, `D` width.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from models.networks import CaptionNetwork
from models.runtime import NEVER_WRITTEN
from models.tokenizer import END, PAD, START
from training.caption_quality import ORDERS, Gram, consensus, grams
from training.gazing import Written, surprise, written

Ids = Sequence[int]


@dataclass(frozen=True, slots=True)
class Critic:
    """How long, and by what, a captioner learns from its own captions."""

    updates: int = 0  # the last ones of the schedule; 0: none
    rate: float = 5e-5  # the learning rate, which then falls to zero along a line
    captions: int = 5  # drawn of each photo
    bleu: float = 0.5  # of a caption's BLEU-4, beside its CIDEr-D


class Reward:
    """How good a caption is, held against those that people gave the same photo."""

    def __init__(self, captions: Sequence[Sequence[Ids]], bleu: float) -> None:
        self._captions = captions
        self._bleu = bleu
        self._photos: Counter[Gram] = Counter(
            gram for each in captions for gram in set().union(*(_grams(ids) for ids in each))
        )

    def __call__(self, place: int, caption: Ids) -> float:
        """The reward of a caption of the photo at this place."""
        mine = _grams(caption)
        theirs = [_grams(ids) for ids in self._captions[place]]
        lengths = [len(ids) for ids in self._captions[place]]
        score = consensus(mine, theirs, self._photos, len(self._captions))
        return score + self._bleu * bleu_of(mine, len(caption), theirs, lengths)


def bleu_of(
    mine: Counter[Gram], length: int, theirs: Sequence[Counter[Gram]], lengths: Sequence[int]
) -> float:
    """BLEU-4 of one caption, 0 to 1, one added to what is counted of more than single words."""
    most: Counter[Gram] = Counter()
    for each in theirs:
        most |= each
    found, there = [0] * ORDERS, [0] * ORDERS
    for gram, times in mine.items():
        there[len(gram) - 1] += times
        found[len(gram) - 1] += min(times, most[gram])
    logs = [
        math.log((right + (order > 0)) / (all_of_them + (order > 0))) if right or order else -9.0
        for order, (right, all_of_them) in enumerate(zip(found, there, strict=True))
    ]
    nearest = min(lengths, key=lambda other: (abs(other - length), other))
    return math.exp(min(0.0, 1 - nearest / max(length, 1)) + sum(logs) / ORDERS)


@torch.no_grad()
def drawn_captions(
    model: CaptionNetwork, cells: Tensor, count: int, longest: int, *, greedy: bool = False
) -> Tensor:
    """Captions (P, C, Q) of cells (P, K, D), each drawn by itself, or the likeliest words."""
    photos = len(cells)
    seeds = torch.randint(2**31, (photos * count,))
    rows = torch.arange(photos).repeat_interleave(count)
    state = model.start(model.encode(cells[rows]), seeds)
    token = torch.full((photos * count,), START)
    over = torch.zeros(photos * count, dtype=torch.bool)
    tokens = []
    for step in range(longest):
        advanced, state = model.advance(token, state)  # type: ignore[arg-type]
        scores = model.predict(advanced.readout).float()
        scores[:, :NEVER_WRITTEN] = -math.inf
        if step == 0:
            scores[:, END] = -math.inf
        chosen = scores.argmax(dim=-1)
        if not greedy:
            chosen = torch.multinomial(scores.softmax(dim=-1), 1)[:, 0]
        token = torch.where(over, PAD, chosen)
        tokens.append(token)
        over = over | (token == END)
        if bool(over.all()):
            break
    return torch.stack(tokens, dim=1).view(photos, count, -1)


def rewarded(captions: Tensor, places: Tensor, reward: Reward) -> Tensor:
    """The reward (P, C) of each of these captions (P, C, Q)."""
    scores = [
        [reward(place, [id for id in ids if id != PAD]) for ids in each]
        for place, each in zip(places.tolist(), captions.tolist(), strict=True)
    ]
    return torch.tensor(scores)


def criticised(
    model: CaptionNetwork, cells: Tensor, captions: Tensor, rewards: Tensor
) -> tuple[Tensor, Written, Tensor]:
    """The loss of drawn captions (P, C, Q), how they were written, and which steps are real."""
    order = (captions != PAD).sum(dim=-1).argsort(dim=1, descending=True)
    captions = captions.gather(1, order[..., None].expand_as(captions))
    rewards = rewards.gather(1, order)
    count = rewards.shape[1]
    others = (rewards.sum(dim=1, keepdim=True) - rewards) / (count - 1)
    better = rewards - others
    better = better / better.std().clamp_min(1e-3)
    starts = torch.full_like(captions[..., :1], START)
    fed = torch.cat([starts, captions[..., :-1]], dim=-1)
    fed = torch.where(captions == PAD, PAD, fed)
    told = written(model, cells, fed)
    real = captions != PAD
    surprised = surprise(model, told.readouts, captions)
    return (better[..., None] * surprised * real).sum() / real.sum(), told, real


def _grams(ids: Ids) -> Counter[Gram]:
    return grams([str(id) for id in ids])
