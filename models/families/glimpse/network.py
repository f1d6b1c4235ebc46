"""Recurrent visual attention: a network that looks at a picture through glimpses, one at a time.

Mnih et al. 2014, "Recurrent Models of Visual Attention". Shapes: `B` pictures, `Y` rows and `X`
columns of a picture, `T` glimpses, `S` scales, `P` side of a patch, `D` width, `C` classes.

A place is a point (x, y) of the picture, from -1 at its left and upper side to 1 at its right and
lower side. The first glimpse is at the centre.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from heed.models.families.glimpse.config import GlimpseConfig

Choice = Callable[[Tensor], Tensor]
"""Chooses places (B, 2), given the means (B, 2) of the policy."""


class Glimpses(NamedTuple):
    """Every vector of a run, by glimpse."""

    means: Tensor  # (B, T, 2), of the policy
    drawn: Tensor  # (B, T, 2), what was chosen, which can be outside the picture
    places: Tensor  # (B, T, 2), the nearest places of the picture, where the network looked
    patches: Tensor  # (B, T, S, P, P)
    seen: Tensor  # (B, T, D), g
    states: Tensor  # (B, T, D), h
    logits: Tensor  # (B, T, C), of the classes after each glimpse
    baselines: Tensor  # (B, T), the expected reward of what follows the choice of a place


class GlimpseNetwork(nn.Module):
    """A sensor of several resolutions, a recurrent core, and a policy of places.

    For each glimpse: 1. choose a place, l = tanh(location(h))  2. see the patches ρ there
    3. encode, g = relu(W what(ρ) + U where(l))  4. update, h = relu(V h + g)  5. believe,
    softmax(classify(h)).
    """

    def __init__(self, config: GlimpseConfig) -> None:
        super().__init__()
        self.config = config
        width, pixels = config.width, config.scales * config.patch**2
        self.what = nn.Linear(pixels, config.what)
        self.where = nn.Linear(2, config.where)
        self.what_projection = nn.Linear(config.what, width)
        self.where_projection = nn.Linear(config.where, width, bias=False)
        self.transition = nn.Linear(width, width)
        self.location_hidden = nn.Linear(width, config.where)
        self.location = nn.Linear(config.where, 2)
        self.baseline = nn.Linear(width, 1)
        self.classify = nn.Linear(width, config.vocabulary)
        nn.init.eye_(self.transition.weight)
        nn.init.zeros_(self.transition.bias)
        nn.init.zeros_(self.location.bias)

    def forward(self, pictures: Tensor, choose: Choice | None = None) -> Glimpses:
        """Look at pictures (B, Y, X); `choose` chooses the places, by default the means."""
        margin = self.config.margin
        padded = F.pad(pictures, (margin, margin, margin, margin))
        state = pictures.new_zeros(len(pictures), self.config.width)
        glimpses: list[tuple[Tensor, ...]] = []
        for glimpse in range(self.config.glimpses):
            mean = self.policy(state) if glimpse else state.new_zeros(len(state), 2)
            drawn = choose(mean) if choose and glimpse else mean
            place = drawn.detach().clamp(-1, 1)
            baseline = self.baseline(state.detach()).squeeze(1)
            patches = self.sense(padded, place)
            seen = self.encode(patches, place)
            state = (self.transition(state) + seen).relu()
            believed = self.classify(state)
            glimpses.append((mean, drawn, place, patches, seen, state, believed, baseline))
        return Glimpses(*(torch.stack(parts, dim=1) for parts in zip(*glimpses, strict=True)))

    def policy(self, state: Tensor) -> Tensor:
        """Return the means of the places to look at next (B, 2)."""
        hidden: Tensor = self.location_hidden(state).relu()
        return self.location(hidden).tanh()

    def encode(self, patches: Tensor, place: Tensor) -> Tensor:
        """Join what is seen and where into one vector g (B, D)."""
        what = self.what(patches.flatten(1)).relu()
        where = self.where(place).relu()
        seen: Tensor = self.what_projection(what) + self.where_projection(where)
        return seen.relu()

    def sense(self, padded: Tensor, place: Tensor) -> Tensor:
        """Cut patches around places (B, 2), each twice as wide as the one before: (B, S, P, P).

        All have the same number of pixels, the means of squares. `padded` is the picture with a
        margin of half the widest patch.
        """
        count, side, wide = len(padded), padded.shape[-1], 2 * self.config.margin
        corner = ((place + 1) * (self.config.picture / 2) + 0.5).floor().long()  # (B, 2)
        steps = torch.arange(wide, device=padded.device)
        rows, columns = corner[:, 1:] + steps, corner[:, :1] + steps
        index = (rows * side)[:, :, None] + columns[:, None]
        widest = padded.flatten(1).gather(1, index.flatten(1)).view(count, wide, wide)
        patches = []
        for scale in range(self.config.scales):
            square = 2**scale
            cut = (wide - square * self.config.patch) // 2
            part = widest[:, cut : wide - cut, cut : wide - cut]
            patches.append(F.avg_pool2d(part[:, None], square).squeeze(1))
        return torch.stack(patches, dim=1)
