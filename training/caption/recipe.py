"""Recipes of captioners: one TOML file for each shipped model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from heed.models.config import CaptionConfig, ImageConfig, read_network
from training.caption.augmentation import Augmentation
from training.caption.photo_sets import LOADERS
from training.common.errors import RecipeError
from training.common.recipe import RECIPES, read_section, read_toml
from training.common.schedule import Schedule
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


class ImageRecipe(Protocol):
    """The sections of a recipe that the image encoder and its features need."""

    @property
    def network(self) -> ImageConfig:
        """Shape of the network that reads the features."""

    @property
    def image_encoder(self) -> ImageEncoderRecipe:
        """Training of the image encoder."""

    @property
    def augmentation(self) -> Augmentation:
        """Views of a photo."""

    @property
    def sets(self) -> Mapping[str, int]:
        """Sets of photos, each with its parts of a batch."""


def read_image_recipe(path: Path, **more: type[Any]) -> dict[str, Any]:
    """Read the sections of a recipe for images; `more` names those of one task."""
    values = read_toml(path)
    kinds: dict[str, type[Any]] = {
        "schedule": Schedule,
        "image_encoder": ImageEncoderRecipe,
        "augmentation": Augmentation,
        **more,
    }
    for key, kind in kinds.items():
        values[key] = read_section(path, key, kind, values.get(key, {}))
    try:
        values["network"] = read_network(values.get("network", {}))
    except (TypeError, ValueError) as error:
        raise RecipeError(f"{path}: network: {error}") from error
    values["sets"] = _read_sets(path, values.get("sets", {"flickr8k": 1}))
    return values


def _read_sets(path: Path, sets: Mapping[str, int]) -> dict[str, int]:
    if unknown := sorted(set(sets) - set(LOADERS)):
        raise RecipeError(f"{path}: sets has unknown keys: {', '.join(unknown)}")
    if not sets or min(sets.values()) < 1:
        raise RecipeError(f"{path}: sets: each set has at least one part of a batch")
    return dict(sets)


def photos_of_sets(sets: Mapping[str, int], batch: int) -> dict[str, int]:
    """Return the number of photos of each set in a batch by its parts, at least one."""
    parts = sum(sets.values())
    return {name: max(batch * part // parts, 1) for name, part in sets.items()}


@dataclass(frozen=True, slots=True)
class HardAttention:
    """REINFORCE: training of the policy by which hard attention draws cells."""

    rate: float = 0.0  # weight of the policy loss
    entropy: float = 0.0  # weight of the entropy bonus
    discount: float = 0.7  # of later rewards
    softened: float = 0.5  # share of the captions that get the weighted mean instead of a draw


@dataclass(frozen=True, slots=True)
class CaptionRecipe:
    """A captioner and its training."""

    id: str
    name: str
    task: str
    network: CaptionConfig
    schedule: Schedule
    image_encoder: ImageEncoderRecipe = field(default_factory=ImageEncoderRecipe)
    augmentation: Augmentation = field(default_factory=Augmentation)
    hard_attention: HardAttention = field(default_factory=HardAttention)
    self_critical: SelfCritical = field(default_factory=SelfCritical)
    doubly_stochastic_penalty: float = 0.0  # weight
    entropy_penalty: float = 0.0  # weight of the entropy of the attention
    repetition_penalty: float = 0.0  # of the reward, for each pair of pieces that comes again
    sets: Mapping[str, int] = field(default_factory=dict)  # of photos, with parts of a batch
    own_captions: bool = False  # whether it learns this project's captions as well
    start: str | None = None  # a model whose weights it starts from, where they fit
    learned_from: str = ""  # the kind of examples, in a few words, for the page
    rank: int = 100
    steps: int = 40  # the longest caption
    characters: int = 400

    def photos_of_sets(self) -> dict[str, int]:
        """Return the number of photos of each set in a batch, at least one."""
        return photos_of_sets(self.sets, self.schedule.batch)

    @classmethod
    def read(cls, path: Path) -> CaptionRecipe:
        """Read a recipe; missing and unknown keys raise `RecipeError`."""
        values = read_image_recipe(path, hard_attention=HardAttention, self_critical=SelfCritical)
        network = values["network"]
        if not isinstance(network, CaptionConfig):
            raise RecipeError(f"{path}: network: {network.family} writes no captions")
        return read_section(path, "the recipe", cls, values)

    @classmethod
    def named(cls, name: str) -> CaptionRecipe:
        """Read the recipe of a shipped model by its id, or any recipe by its path."""
        return cls.read(Path(name) if name.endswith(".toml") else RECIPES / f"{name}.toml")
