"""Transcriptions: sound to trace."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.multipart import SOUND, PictureForm
from heed.app.http.paths import TRANSCRIBE
from heed.app.http.trace_responses import trace_response
from heed.app.inference.limits import check_search
from heed.app.inference.transcription import sound_file
from heed.app.openapi.document import RUN, SOUND_FILE, TARGET, TRACE_RESPONSE, errors, form_body
from heed.app.routes.dependencies import TraceMediaType, picture_form
from heed.app.schemas import TraceOut, TranscribeIn

router = APIRouter(prefix=TRANSCRIBE, tags=["sounds"])


@router.post(
    "",
    summary="Transcribe a sound",
    response_model=TraceOut,
    responses={200: TRACE_RESPONSE, **errors(*RUN, *SOUND_FILE, *TARGET)},
    openapi_extra=form_body(TranscribeIn, SOUND),
)
async def transcribe(
    request: Request,
    service: ServiceDep,
    media: TraceMediaType,
    form: Annotated[PictureForm[TranscribeIn], Depends(picture_form(TranscribeIn, SOUND))],
) -> Response:
    """Run a model on the sound in a WAV file, and return its trace.

    The tokens of the `source` are frames of the sound, of `frame_seconds` each. The weight on what
    the model hears behind the end of the sound is in the `sinks` of a map.
    """
    check_search(form.options.search, service.settings)
    return await trace_response(request, media, service.transcription, sound_file(form))
