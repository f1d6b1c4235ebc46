"""Recipe of a model that answers questions about images."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from heed.models.config import VQAConfig
from training.caption.augmentation import Augmentation
from training.caption.recipe import ImageEncoderRecipe, photos_of_sets, read_image_recipe
from training.common.errors import RecipeError
from training.common.recipe import RECIPES, read_section
from training.common.schedule import Schedule
from training.vqa.batches import QuestionNoise


@dataclass(frozen=True, slots=True)
class VQARecipe:
    """A question-answering model and its training."""

    id: str
    name: str
    task: str
    network: VQAConfig
    schedule: Schedule  # the batch counts photos, each with all its questions
    image_encoder: ImageEncoderRecipe = field(default_factory=ImageEncoderRecipe)
    augmentation: Augmentation = field(default_factory=Augmentation)
    question_noise: QuestionNoise = field(default_factory=QuestionNoise)
    sets: Mapping[str, int] = field(default_factory=dict)  # of photos, with parts of a batch
    score_penalty: float = 0.0  # weight of the variance of a row's scores over the cells
    least: int = 2  # captions that must agree on an answer in training
    examples: tuple[str, ...] = ()
    learned_from: str = ""  # the kind of examples, in a few words, for the page
    rank: int = 100
    characters: int = 200
    tokens: int = 60
    steps: int = 12  # the longest answer

    def photos_of_sets(self) -> dict[str, int]:
        """Return the number of photos of each set in a batch, at least one."""
        return photos_of_sets(self.sets, self.schedule.batch)

    @classmethod
    def read(cls, path: Path) -> VQARecipe:
        """Read a recipe; a missing or unknown key is refused."""
        values = read_image_recipe(path, question_noise=QuestionNoise)
        network = values["network"]
        if not isinstance(network, VQAConfig):
            raise RecipeError(f"{path}: network: {network.family} does not answer questions")
        if values["image_encoder"].trainable:
            raise RecipeError(
                f"{path}: image_encoder: it is trained with a captioner, not with questions"
            )
        values["examples"] = tuple(values.get("examples", ()))
        return read_section(path, "the recipe", cls, values)

    @classmethod
    def named(cls, name: str) -> VQARecipe:
        """Read the recipe of the shipped model by its id, or any recipe by its path."""
        return cls.read(Path(name) if name.endswith(".toml") else RECIPES / f"{name}.toml")
