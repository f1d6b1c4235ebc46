"""Digits that are read in glimpses: a request of the API to a trace."""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import replace
from io import BytesIO
from typing import ClassVar, Final

import numpy as np
from PIL import Image

from heed.app.errors import FieldError
from heed.app.http.disconnect import OnDisconnect
from heed.app.inference.cache import Cache
from heed.app.inference.catalogue import Defaults, known_model
from heed.app.inference.engine import Engine
from heed.app.inference.pictures import PictureDecoder
from heed.app.inference.single import SingleInference
from heed.app.schemas import GlimpseFile, GlimpseIn
from heed.models.catalogue import Catalogue
from heed.models.generation.requests import GlimpseRequest, Request
from heed.models.images.read import Picture

BRIGHTEST: Final = 255
NO_PICTURE: Final = Picture(np.zeros((0, 0, 3), np.uint8), 0, 0, "PNG", b"")
"""Stands for a picture that is not decoded yet."""
URL_SAFE: Final = str.maketrans("-_", "+/")


class Glimpses(SingleInference[GlimpseFile]):
    """Reads digits. A picture is kept nowhere, so its answer isn't shared with other servers."""

    shares: ClassVar[bool] = False

    def __init__(
        self,
        catalogue: Catalogue,
        engine: Engine,
        defaults: Defaults,
        cache: Cache,
        decoder: PictureDecoder,
    ) -> None:
        super().__init__(catalogue, engine, defaults, cache)
        self._decoder = decoder

    async def _prepared(self, request: GlimpseFile) -> tuple[str, Request]:
        model = known_model(self._catalogue, request.model, self._defaults, "glimpse")
        return model, GlimpseRequest(NO_PICTURE, hashlib.sha256(request.file).digest())

    async def _decoded(
        self, request: GlimpseFile, asked: Request, on_disconnect: OnDisconnect
    ) -> Request:
        assert isinstance(asked, GlimpseRequest)  # noqa: S101 - as prepared
        return replace(asked, picture=await self._decoder.decoded(request.file, on_disconnect))


def glimpse_file(request: GlimpseIn) -> GlimpseFile:
    """Return the file of the picture in a request, or raise a `FieldError`."""
    if (request.picture is None) == (request.pixels is None):
        message = "Send either 'picture', a file as base64, or 'pixels', rows of gray values."
        raise FieldError("missing_field", message, "picture")
    file = _png(request.pixels or []) if request.picture is None else _decoded(request.picture)
    return GlimpseFile(model=request.model, detail=request.detail, file=file)


def _decoded(text: str) -> bytes:
    """Decode base64, of either alphabet, with or without padding and the head of a URI."""
    encoded = text.partition(",")[2] if text.startswith("data:") else text
    if not encoded.isascii():
        raise _not_base64()
    padded = encoded.rstrip("=").translate(URL_SAFE)
    padded += "=" * (-len(padded) % 4)
    try:
        return base64.b64decode(padded, validate=True)
    except (binascii.Error, ValueError):
        raise _not_base64() from None


def _not_base64() -> FieldError:
    message = "The field 'picture' is not base64: send the bytes of a picture, encoded."
    return FieldError("broken_picture", message, "picture")


def _png(rows: list[list[float]]) -> bytes:
    """Return pixels as a file, or raise a `FieldError`."""
    widths = {len(row) for row in rows}
    if not widths or widths == {0}:
        raise FieldError("empty_picture", "The field 'pixels' has no pixels.", "pixels")
    if len(widths) > 1:
        message = "The rows of 'pixels' have different lengths. Make them equal."
        raise FieldError("out_of_range", message, "pixels")
    values = np.array(rows)
    scaled = values * BRIGHTEST if values.max() <= 1 else values
    file = BytesIO()
    Image.fromarray(scaled.round().astype(np.uint8)).save(file, "PNG")
    return file.getvalue()
