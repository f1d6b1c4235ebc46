"""Recipe of a network that looks at pictures of digits in glimpses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from heed.models.families.glimpse.config import GlimpseConfig
from training.common.recipe import Recipe


@dataclass(frozen=True, slots=True, kw_only=True)
class GlimpseRecipe(Recipe):
    """A glimpse network and its training."""

    network: GlimpseConfig
    digits: int = 60_000  # drawn for the training, of which pictures are put together
    handwritten: int = 0  # variations of handwritten digits of the data folder, beside these
    alone: float = 0.3  # share of pictures without clutter
    each_glimpse: float = 0.5  # weight of the beliefs before the last
    policy: float = 0.3  # weight of the rewards
    baseline: float = 0.5  # weight of the error of the expected reward
    examples: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Of the first dev pictures of each kind those that the page offers."""

    fixed_network: ClassVar[Mapping[str, Any]] = {"vocabulary": 10}

    def problems(self) -> Iterator[str]:
        """Yield a share that is none."""
        if not 0 <= self.alone <= 1:
            yield "alone is a share, from 0 to 1"
