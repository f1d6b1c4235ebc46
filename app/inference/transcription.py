"""Sounds to transcribe: a request of the API to a trace."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import replace
from typing import ClassVar, Final

import numpy as np

from heed.app.errors import FieldError, RequestError
from heed.app.http.disconnect import OnDisconnect
from heed.app.http.multipart import SOUND, PictureForm
from heed.app.inference.catalogue import known_model
from heed.app.inference.checks import check_text
from heed.app.inference.linked import LinkedInference
from heed.app.inference.pictures import file_of_form
from heed.app.inference.translation import search_of
from heed.app.schemas import SoundFile, TranscribeIn
from heed.models.errors import SoundError
from heed.models.generation.requests import Request, SoundRequest
from heed.models.sounds.read import Sound, read_sound

NO_SOUND: Final = Sound(np.zeros(0, np.float32), 1)
"""Stands for a sound that is not decoded yet."""


class Transcription(LinkedInference[SoundFile]):
    """Transcribes sounds. They are kept nowhere, so no answer is shared with other servers."""

    shares: ClassVar[bool] = False

    async def _prepared(self, request: SoundFile) -> tuple[str, SoundRequest]:
        model = known_model(self._catalogue, request.model, self._defaults, "transcribe")
        target = transcription_target(request)
        digest = hashlib.sha256(request.file).digest()
        search = search_of(request.search)
        return model, SoundRequest(NO_SOUND, digest, target, search, request.vectors)

    async def _decoded(
        self, request: SoundFile, asked: Request, on_disconnect: OnDisconnect
    ) -> Request:
        del on_disconnect  # decoding takes no longer than reading the bytes
        assert isinstance(asked, SoundRequest)  # noqa: S101 - as prepared
        return replace(asked, sound=await asyncio.to_thread(decoded, request.file))


def sound_file(form: PictureForm[TranscribeIn]) -> SoundFile:
    """Return the file of a form with its options, or raise a `FieldError`."""
    return SoundFile(file=file_of_form(form.file, SOUND), **dict(form.options))


def transcription_target(request: TranscribeIn) -> str | None:
    """Return the target of a request, or raise a `FieldError`."""
    return None if request.target is None else check_text(request.target, "target", "target")


def decoded(file: bytes) -> Sound:
    """Decode the sound in a file, or raise a `HeedError`."""
    try:
        return read_sound(file, max_bytes=len(file))
    except SoundError as error:
        kind = RequestError if error.code in RequestError.codes else FieldError
        raise kind(error.code, error.message, error.field) from None
