"""The preview of a picture in a trace from outside: shown to others, and therefore checked."""

from __future__ import annotations

import base64
import binascii

from heed.app.errors import FieldError
from heed.app.schemas import PictureOut
from heed.models.errors import PictureError
from heed.models.pictures.decode import PREVIEW_SIDE, decode_picture
from heed.output.serialize import JPEG_URI

MAX_PREVIEW_BYTES = 512 * 1024
FIELD = "picture.preview"


def check_preview(picture: PictureOut) -> None:
    """Raise a `FieldError` unless the preview is a small JPEG and nothing else."""
    if not picture.preview.startswith(JPEG_URI):
        raise _invalid(f"must begin with '{JPEG_URI}'")
    encoded = picture.preview[len(JPEG_URI) :]
    if len(encoded) > MAX_PREVIEW_BYTES * 4 // 3 + 4:
        raise _invalid(f"has more than {MAX_PREVIEW_BYTES} bytes")
    try:
        data = base64.b64decode(encoded, validate=True)
        decoded = decode_picture(data, max_pixels=PREVIEW_SIDE**2)
    except (binascii.Error, ValueError) as error:
        why = error.message if isinstance(error, PictureError) else "It is not base64."
        raise _invalid(f"cannot be shown. {why}".removesuffix(".")) from None
    if decoded.format != "JPEG":
        raise _invalid(f"is a {decoded.format}, not a JPEG")
    if max(decoded.width, decoded.height) > PREVIEW_SIDE:
        raise _invalid(f"has more than {PREVIEW_SIDE} pixels on a side")


def _invalid(why: str) -> FieldError:
    return FieldError("invalid_trace", f"The preview of the picture {why}.", FIELD)
