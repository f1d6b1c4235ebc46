"""`heed transcribe`: a sound on the command line."""

from __future__ import annotations

import argparse

from heed.app.commands.errors import DONE
from heed.app.commands.options import (
    load_model,
    read_sound_file,
    request_errors,
    search_options,
)
from heed.app.commands.output import print_trace
from heed.app.http.validation_errors import validated
from heed.app.inference.transcription import transcription_target
from heed.app.inference.translation import search_of
from heed.app.schemas import TranscribeIn
from heed.app.settings import Settings
from heed.models.generation.requests import SoundRequest
from heed.models.sounds.read import read_sound


def transcribe(options: argparse.Namespace) -> int:
    """Print what is heard in a sound, and the attention map; return the exit code."""
    settings = Settings.from_environment()
    body = {
        "model": options.model,
        "target": options.target,
        "search": search_options(options),
        "detail": options.detail,
        "vectors": options.vectors,
    }
    with request_errors():
        request = validated(body, TranscribeIn)
        file = read_sound_file(options.sound, settings)
        sound = read_sound(file, max_bytes=settings.max_sound_bytes)
        model = load_model(settings, request.model, "transcribe")
        target, search = transcription_target(request), search_of(request.search)
        asked = SoundRequest(sound, b"", target, search, request.vectors)
        model.check(asked)
        (trace,) = model.run([asked])
    print_trace(trace, request.detail, as_json=options.json, with_map=not options.quiet)
    return DONE
