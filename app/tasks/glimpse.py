"""Digits that are read in glimpses: a picture in a form, or in JSON."""

from __future__ import annotations

import base64
import binascii
from io import BytesIO
from typing import Final

import numpy as np
from PIL import Image

from heed.app.errors import FieldError
from heed.app.schemas import GlimpseAxisOut, GlimpseIn, RunOptions
from heed.app.tasks.pictures import NO_PICTURE
from heed.app.tasks.task import (
    PICTURE,
    PICTURE_FILE,
    Command,
    Encoded,
    GalleryCard,
    Operation,
    Page,
    Query,
    Task,
)
from heed.models.card import Card
from heed.models.generation.requests import GlimpseRequest

BRIGHTEST: Final = 255
URL_SAFE: Final = str.maketrans("-_", "+/")


def glimpse_request(_options: RunOptions, _card: Card) -> GlimpseRequest:
    """Return the request for a model."""
    return GlimpseRequest(NO_PICTURE)


def glimpse_file(request: GlimpseIn) -> bytes:
    """Return the file of the picture in a request, or raise a `FieldError`."""
    if (request.picture is None) == (request.pixels is None):
        message = "Send either 'picture', a file as base64, or 'pixels', rows of gray values."
        raise FieldError("missing_field", message, "picture")
    return _png(request.pixels or []) if request.picture is None else _decoded(request.picture)


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


GLIMPSE: Final = Task(
    id="glimpse",
    does="reads digits in glimpses",
    schema=RunOptions,
    prepared=glimpse_request,
    operation=Operation(
        summary="Read a digit in glimpses",
        description="Run a glimpse network on a picture of a digit, alone or in clutter, and "
        "return its trace.\n\n"
        "The rows of its one map are the glimpses, the columns are the cells of the picture: a "
        "weight is\nthe share of the glimpse's pixels in a cell. The alternatives of a step are "
        "the belief after\nthat glimpse. The places are the means of the policy, so the same "
        "picture gives the same trace.",
        tag="pictures",
        codes=(*PICTURE, "blank_picture"),
    ),
    command=Command(
        help="read a digit in glimpses",
        description="Print the digit in a picture on the first line, and below it the belief in "
        "each digit after each glimpse.",
        inputs={"picture": "file of the picture; - reads standard input"},
        answer="answer",
        default="the first for glimpses",
    ),
    page=Page(
        "glimpse",
        "js/views/path/view.js",
        GalleryCard(
            "A network reads a digit in glimpses",
            "A network sees a picture only through small windows. It learned by reinforcement "
            "where to look next, and believes in a digit more after each glimpse.",
            "Mnih et al. 2014, Recurrent Models of Visual Attention",
        ),
        shows=lambda trace: isinstance(trace.target, GlimpseAxisOut),
    ),
    query=Query(("picture",)),
    upload=PICTURE_FILE,
    input="a picture",
    encoded=Encoded(
        GlimpseIn,
        glimpse_file,
        {
            "a seven, light on dark": {
                "pixels": [
                    [0, 0, 0, 0, 0, 0, 0, 0],
                    [0, 1, 1, 1, 1, 1, 1, 0],
                    [0, 0, 0, 0, 0, 1, 1, 0],
                    [0, 0, 0, 0, 1, 1, 0, 0],
                    [0, 0, 0, 0, 1, 0, 0, 0],
                    [0, 0, 0, 1, 1, 0, 0, 0],
                    [0, 0, 0, 1, 1, 0, 0, 0],
                    [0, 0, 0, 0, 0, 0, 0, 0],
                ]
            },
        },
    ),
)
