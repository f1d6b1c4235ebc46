"""Recipe of a model that answers questions about images."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from heed.models.config import VQAConfig
from training.caption.recipe import PictureRecipe
from training.vqa.batches import QuestionNoise


@dataclass(frozen=True, slots=True, kw_only=True)
class VQARecipe(PictureRecipe):
    """A question-answering model and its training.

    The batch of its schedule counts photos, each with all its questions.
    """

    network: VQAConfig
    question_noise: QuestionNoise = field(default_factory=QuestionNoise)
    score_penalty: float = 0.0  # weight of the variance of a row's scores over the cells
    least: int = 2  # captions that must agree on an answer in training
    characters: int = 200
    tokens: int = 60
    steps: int = 12  # the longest answer

    def problems(self) -> Iterator[str]:
        """Yield an image encoder that would be trained."""
        yield from PictureRecipe.problems(self)
        if self.image_encoder.trainable:
            yield "image_encoder: it is trained with a captioner, not with questions"
