"""Uploaded sounds: decoded on a thread, which takes no longer than reading their bytes."""

from __future__ import annotations

import asyncio

from heed.app.errors import FieldError, RequestError
from heed.app.http.disconnect import OnDisconnect
from heed.models.errors import SoundError
from heed.models.sounds.read import Sound, read_sound


async def decoded_sound(file: bytes, _on_disconnect: OnDisconnect) -> Sound:
    """Decode the sound in a file, or raise a `HeedError`."""
    try:
        return await asyncio.to_thread(read_sound, file, max_bytes=len(file))
    except SoundError as error:
        kind = RequestError if error.code in RequestError.codes else FieldError
        raise kind(error.code, error.message, error.field) from None
