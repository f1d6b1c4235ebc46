"""Sounds to transcribe."""

from __future__ import annotations

from typing import Final

import numpy as np

from heed.app.schemas import TranscribeIn
from heed.app.tasks.task import SOUND_FILE, TARGET, Command, Operation, Task
from heed.app.tasks.translate import TEXT_PAGE, search_of, target_of
from heed.models.card import Card
from heed.models.generation.requests import SoundRequest
from heed.models.sounds.read import Sound

NO_SOUND: Final = Sound(np.zeros(0, np.float32), 1)
"""Stands for a sound that is not decoded yet."""


def sound_request(request: TranscribeIn, _card: Card) -> SoundRequest:
    """Return the request for a model, or raise a `FieldError`."""
    target, search = target_of(request.target), search_of(request.search)
    return SoundRequest(NO_SOUND, b"", target, search, request.vectors)


TRANSCRIBE: Final = Task(
    id="transcribe",
    does="transcribes sounds",
    schema=TranscribeIn,
    prepared=sound_request,
    operation=Operation(
        summary="Transcribe a sound",
        description="Run a model on the sound in a WAV file, and return its trace.\n\n"
        "The tokens of the `source` are frames of the sound, of `frame_seconds` each. The weight "
        "on what\nthe model hears behind the end of the sound is in the `sinks` of a map.",
        tag="sounds",
        codes=(
            *("bad_form", "sound_file_too_large", "unsupported_sound", "empty_sound"),
            *("broken_sound", "sound_too_long", *TARGET),
        ),
    ),
    command=Command(
        help="transcribe a sound",
        description="Print what is heard in a sound on the first line, and below it the attention "
        "map over its frames. The models are those of HEED_HF_MODELS.",
        inputs={"sound": "WAV file of the sound; - reads standard input"},
        answer="output",
    ),
    page=TEXT_PAGE,
    engine="image",
    upload=SOUND_FILE,
    input="a sound",
)
