"""The errors of inputs and of folders of weights.

ValueError
└── InputError          the user's text cannot be run by this model
    └── PictureError    the user's file is not a picture that can be read
        └── PictureMemoryError  decoding it takes more memory than it may
LookupError
└── UnknownModelError   no model of that id
Exception
├── CheckpointError       a folder of weights that cannot be read
├── NonFiniteOutputError  a network computed NaN or infinity
└── RecordingError        a model of one's own that cannot be loaded or recorded
"""

from __future__ import annotations

from typing import Final

CALLED: Final = {"text": "a sentence", "target": "an output", "question": "a question"}
"""The fields of a request as a person calls them; another is called by its name."""


def write_first(field: str) -> str:
    """Return the sentence that asks for the text of a field."""
    return f"Write {CALLED.get(field, f'a {field}')} first."


class InputError(ValueError):
    """A text that a model cannot run: a stable code, a sentence, and the field it came in."""

    def __init__(self, code: str, message: str, field: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field


class PictureError(InputError):
    """A file that cannot be read as a picture.

    `empty_picture`, `image_file_too_large` (bytes), `picture_too_large` (pixels, or the memory that
    decoding takes), `unsupported_picture` (by its content), `broken_picture`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message, "image")


class PictureMemoryError(PictureError):
    """A picture whose decoding takes more memory than it may."""


class SoundError(InputError):
    """A file that cannot be read as a sound.

    `empty_sound`, `sound_file_too_large` (bytes), `sound_too_long` (seconds), `unsupported_sound`
    (by its content), `broken_sound`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message, "sound")


class UnknownModelError(LookupError):
    """No model of that id is in the catalogue."""

    def __init__(self, model_id: str, hint: str = "") -> None:
        super().__init__(hint or f"There is no model {model_id!r}.")
        self.model_id = model_id


class NonFiniteOutputError(Exception):
    """A network computed NaN or infinity."""


class CheckpointError(Exception):
    """A folder of weights that cannot be read; the message names the file and the reason."""


class RecordingError(Exception):
    """A model that cannot be loaded or recorded; the sentence says what to do instead."""
