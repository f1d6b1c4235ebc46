"""Errors that a training command reports in one line.

ValueError
└── TrainingError       any of these
    ├── RecipeError     a recipe that cannot be followed
    ├── CorpusError     data that cannot be read
    └── BackboneError   pretrained weights that cannot be used
"""

from __future__ import annotations


class TrainingError(ValueError):
    """A reason why a model cannot be trained or measured."""


class RecipeError(TrainingError):
    """A recipe that cannot be followed; the message names the file and the key."""


class CorpusError(TrainingError):
    """Data that cannot be read; the message names the file and, where there is one, the line."""


class BackboneError(TrainingError):
    """Pretrained weights that are unreadable or do not fit; the message names the file."""
