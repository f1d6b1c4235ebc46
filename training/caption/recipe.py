"""Recipes of captioners, and what they share with those of other tasks with photos."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from heed.models.config import CaptionConfig, PictureConfig
from training.caption.augmentation import Augmentation
from training.caption.photo_sets import LOADERS
from training.common.recipe import Recipe
from training.common.self_critical import SelfCritical


@dataclass(frozen=True, slots=True)
class ImageEncoderRecipe:
    """Training of the image encoder; without it, that of the runs, or the shipped one, is used."""

    trainable: bool = False
    start: str | None = None  # the image encoder it starts from; none: the published weights
    published: float = 0.0  # share of the published weights in the mean with those of `start`
    cached_blocks: int = 12  # blocks whose output is computed once for each view and kept on disk
    frozen: int = 12  # blocks that are not trained: the cached ones, or more
    rate: float = 0.1  # share of the decoder's learning rate
    after: int = 0  # updates of the decoder alone, before the encoder is trained
    views: int = 9  # of each photo; the first is the photo itself
    cached_views: int = 4  # views whose cells are kept on disk where the encoder is frozen


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureRecipe(Recipe):
    """The settings that the image encoder and its features need."""

    network: PictureConfig
    image_encoder: ImageEncoderRecipe = field(default_factory=ImageEncoderRecipe)
    augmentation: Augmentation = field(default_factory=Augmentation)
    sets: Mapping[str, int] = field(default_factory=lambda: {"flickr8k": 1})
    """Sets of photos, each with its parts of a batch."""
    examples: tuple[str, ...] = ()

    def problems(self) -> Iterator[str]:
        """Yield sets that are unknown or empty."""
        if unknown := sorted(set(self.sets) - set(LOADERS)):
            yield f"sets has unknown keys: {', '.join(unknown)}"
        if not self.sets or min(self.sets.values()) < 1:
            yield "sets: each set has at least one part of a batch"

    def photos_of_sets(self) -> dict[str, int]:
        """Return the number of photos of each set in a batch, at least one."""
        parts, batch = sum(self.sets.values()), self.schedule.batch
        return {name: max(batch * part // parts, 1) for name, part in self.sets.items()}


@dataclass(frozen=True, slots=True)
class HardAttention:
    """REINFORCE: training of the policy by which hard attention draws cells."""

    rate: float = 0.0  # weight of the policy loss
    entropy: float = 0.0  # weight of the entropy bonus
    discount: float = 0.7  # of later rewards
    softened: float = 0.5  # share of the captions that get the weighted mean instead of a draw


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptionRecipe(PictureRecipe):
    """A captioner and its training."""

    network: CaptionConfig
    hard_attention: HardAttention = field(default_factory=HardAttention)
    self_critical: SelfCritical = field(default_factory=SelfCritical)
    doubly_stochastic_penalty: float = 0.0  # weight
    entropy_penalty: float = 0.0  # weight of the entropy of the attention
    repetition_penalty: float = 0.0  # of the reward, for each pair of pieces that comes again
    own_captions: bool = False  # whether it learns this project's captions as well
    start: str | None = None  # a model whose weights it starts from, where they fit
    steps: int = 40  # the longest caption
    characters: int = 400
