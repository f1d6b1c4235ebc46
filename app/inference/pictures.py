"""Uploaded pictures: decoded one at a time, on a thread of their own."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from heed.app.errors import FieldError, RequestError, ServiceUnavailable
from heed.app.http.multipart import FILE
from heed.app.inference.allocator import MemoryTrimmer
from heed.models.errors import PictureError
from heed.models.images.read import Picture, read_picture

MAX_WAITING = 16


class PictureDecoder:
    """Decodes pictures within the limits of the settings."""

    def __init__(self, *, max_bytes: int, max_pixels: int) -> None:
        self._max_bytes = max_bytes
        self._max_pixels = max_pixels
        self._thread = ThreadPoolExecutor(1, "heed-pictures")
        self._trimmer = MemoryTrimmer()
        self._waiting = 0

    async def decoded(self, file: bytes) -> Picture:
        """Decode the picture in a file, or raise a `HeedError`."""
        if self._waiting >= MAX_WAITING:
            message = f"Already {self._waiting} pictures wait to be decoded. Try again in a moment."
            raise ServiceUnavailable(message)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, self._decode, file)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Wait for the picture that is being decoded."""
        self._thread.shutdown()

    def _decode(self, file: bytes) -> Picture:
        """Decode a file on the thread, and return the memory that it took."""
        try:
            return decoded(file, self._max_bytes, self._max_pixels)
        finally:
            self._trimmer.trim()


def decoded(file: bytes, max_bytes: int, max_pixels: int) -> Picture:
    """Decode the picture in a file, or raise a `HeedError`."""
    try:
        return read_picture(file, max_bytes=max_bytes, max_pixels=max_pixels)
    except PictureError as error:
        kind = RequestError if error.code in RequestError.codes else FieldError
        raise kind(error.code, error.message, error.field) from None


def file_of_form(file: bytes | None, field: str = FILE) -> bytes:
    """Return the file of a form, or raise a `FieldError` if it has none."""
    if file is None:
        what = "picture" if field == FILE else field
        message = f"The field '{field}' is missing. Add the file of a {what}."
        raise FieldError("missing_field", message, field)
    return file
