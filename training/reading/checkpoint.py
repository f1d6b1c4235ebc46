"""Checkpoints of readers: config.json, the words by id, and 16-bit weights."""

from __future__ import annotations

from pathlib import Path

from heed.models.checkpoint import save_checkpoint
from heed.models.networks.lstmn import LSTMN
from heed.models.text.words import WordVocabulary
from training.reading.plain import PlainLSTM
from training.reading.recipe import ReadingRecipe

CHARACTERS = 2000  # of a sentence, at most
WORDS = 100


def save_reader(
    folder: Path, recipe: ReadingRecipe, model: LSTMN | PlainLSTM, vocabulary: WordVocabulary
) -> None:
    """Write the weights as 16-bit floats, the configuration, and the words by id."""
    about = {
        "id": recipe.id,
        "name": recipe.name,
        "task": recipe.task,
        "source": {"code": "en", "name": "English sentence"},
        "target": {"code": "en", "name": "English sentence"},
        "granularity": "subwords",
        "limits": {"characters": CHARACTERS, "tokens": WORDS, "steps": WORDS + 1},
        "examples": list(recipe.examples),
        "guided": "attention guided by the subjects of verbs in template sentences",
        "learned_from": recipe.learned_from,
        "rank": recipe.rank,
    }
    save_checkpoint(folder, about, recipe.network, dict(model.named_parameters()))
    vocabulary.save(folder)
