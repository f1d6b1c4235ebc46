"""Recipe of a Vision Transformer that learns from a convolutional network."""

from __future__ import annotations

from dataclasses import dataclass

from heed.models.families.vision_transformer.config import VisionConfig
from training.common.recipe import Recipe


@dataclass(frozen=True, slots=True, kw_only=True)
class VisionRecipe(Recipe):
    """A Vision Transformer and its training."""

    network: VisionConfig
    start: str | None = None  # a model whose weights it starts from
    temperature: float = 1.0  # of the classes
    deep: float = 0.0  # weight of matching the patches with the teacher's map of 7×7
    middle: float = 0.0  # and after a lower layer with that of 14×14
    middle_layer: int = 2  # after how many layers
    guide: float = 0.0  # weight of the cross-entropy between rollout and class activation
    guide_power: float = 2.0  # of the class activation above its mean; a higher one is sharper
    kept: float = 1.0  # share of the patches that are read, until `whole_from`
    whole_from: float = 1.0  # share of the updates after which all patches are read
    examples: tuple[str, ...] = ()
