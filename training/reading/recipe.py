"""Recipe of a network that reads sentences word by word."""

from __future__ import annotations

from dataclasses import dataclass

from heed.models.families.lstmn.config import LSTMNConfig
from training.common.recipe import Recipe


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingRecipe(Recipe):
    """A network that reads sentences, and its training."""

    network: LSTMNConfig
    templates: int = 0  # one sentence of a template before so many others; 0: none
    guide: float = 0.0  # weight of the cross-entropy of the head's weight at the verb of a template
    examples: tuple[str, ...] = ()
