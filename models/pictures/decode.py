"""Reading a user's file: a square for the network, and a preview for people.

A picture is never trusted. Its format is found by its content, not its name; its declared size
and the memory for decoding are checked before anything is decoded; its metadata is dropped, but
for the orientation. The whole picture is squashed to the square, whatever its shape,
as the training photos are: so a grid over the square is a grid over the picture.

Colour profiles are ignored: they would be one more parser of untrusted bytes, and the training
photos had none.

Shapes: `Y` rows, `X` columns.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from heed.models.errors import PictureError
from heed.models.pictures.limits import check_size, check_work
from heed.models.pictures.pixel_modes import over_white, white_level
from heed.models.pictures.structure import check_structure

Format = Literal["JPEG", "PNG", "WebP", "GIF", "BMP", "TIFF"]
Bytes = NDArray[np.uint8]
Box = tuple[float, float, float, float]

SIDE = 224
MAX_BYTES = 20_000_000
MAX_PIXELS = 50_000_000
MAX_MEMORY = 100_000_000  # bytes that decoding may take: 25 million pixels of four bytes

FORMATS: dict[str, Format] = {
    "JPEG": "JPEG",
    "PNG": "PNG",
    "WEBP": "WebP",
    "GIF": "GIF",
    "BMP": "BMP",
    "TIFF": "TIFF",
}
# Several in one file, as phones with two lenses write them; the first is what people see.
SAME: dict[str, Format] = {"MPO": "JPEG"}
NAMED = "JPEG, PNG, WebP, GIF, BMP or TIFF"
# Other files that people choose for a picture, by bytes near their beginning.
OTHERS = {
    "a HEIC photo": (b"ftyphe", b"ftypmif", b"ftypmsf"),
    "an AVIF picture": (b"ftypavi",),
    "an SVG drawing": (b"<svg",),
    "a web page": (b"<html", b"<!doctype html"),
    "a PDF": (b"%pdf-",),
}
BEGINNING = 1000

PREVIEW_SIDE = 640  # the longer one at most
PREVIEW_QUALITY = 85

# A JPEG is decoded at half or a quarter of its size while that leaves this much of its longer and
# of its shorter side, and at an eighth, which takes half as long, if that leaves a little less: of
# 12 megapixels 500×375, the size that Flickr's photos have.
DRAFT = PREVIEW_SIDE, 2 * SIDE
EIGHTH = 480, 3 * SIDE // 2
# Any picture is averaged down by whole numbers to sides of at least this, then to square and
# preview.
GAP_SIDE = 3 * SIDE
BAND_PIXELS = 250_000  # converted at a time

ORIENTATION = 274
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
ON_ITS_SIDE = {5, 6, 7, 8}

_one_at_a_time = Lock()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture for the network, with its preview and its original size."""

    pixels: Bytes  # (Y, X, 3), the whole picture squashed to 224×224
    width: int  # of the user's own, the way up that it is displayed
    height: int
    format: Format
    preview: bytes  # a JPEG of the whole picture in its own shape, at most 640 on its longer side


def decode_picture(
    data: bytes,
    *,
    max_bytes: int = MAX_BYTES,
    max_pixels: int = MAX_PIXELS,
    max_memory: int = MAX_MEMORY,
) -> Picture:
    """Read the picture in these bytes, or raise `PictureError`.

    One picture is read at a time, so that many large ones take no more memory than one. The server
    reads them in other processes (`heed.models.pictures.parts`).
    """
    if not data:
        raise PictureError("empty_picture", "The file is empty.")
    if len(data) > max_bytes:
        message = (
            f"The file has {len(data):,} bytes; up to {max_bytes:,} are read. Make it smaller."
        )
        raise PictureError("image_file_too_large", message)
    with _one_at_a_time, _parsing(data):
        return _decoded(data, max_pixels, max_memory)


def picture_bytes(given: Image.Image | Path | str | bytes) -> bytes:
    """Return the bytes of a picture: of a file, as they are, or of an image that is open."""
    match given:
        case bytes():
            return given
        case Image.Image():
            file = BytesIO()
            ImageOps.exif_transpose(given).convert("RGB").save(file, "PNG")
            return file.getvalue()
    try:
        return Path(given).read_bytes()
    except OSError as error:
        message = f"The picture {given} cannot be read: {error.strerror}."
        raise PictureError("broken_picture", message) from None


def _decoded(data: bytes, max_pixels: int, max_memory: int) -> Picture:
    check_structure(data)
    with Image.open(BytesIO(data), formats=list(FORMATS)) as image:
        size = image.size
        check_size(size, max_pixels)
        image.draft(None, _draft(size))
        check_work(image, data, size, max_memory)
        image.load()
        format = (FORMATS | SAME)[str(image.format)]
        orientation = _orientation(image)
        # Adobe turns the inks of a JPEG upside down, and Pillow takes every JPEG for one of theirs.
        inverted = format == "JPEG" and "adobe" not in image.info
        small, box = _averaged(image, inverted=inverted)
    square = small.resize((SIDE, SIDE), Image.Resampling.BICUBIC, box)
    preview = small.resize(_preview_size(size, box), Image.Resampling.HAMMING, box)
    if orientation in TURNS:
        square, preview = (image.transpose(TURNS[orientation]) for image in (square, preview))
    if orientation in ON_ITS_SIDE:
        size = size[::-1]
    return Picture(np.asarray(square), *size, format, _jpeg(preview))


def _draft(size: tuple[int, int]) -> tuple[int, int]:
    width, height = size
    large = max(size) >= 8 * EIGHTH[0] and min(size) >= 8 * EIGHTH[1]
    longer, shorter = EIGHTH if large else DRAFT
    return (longer, shorter) if width >= height else (shorter, longer)


def _preview_size(size: tuple[int, int], box: Box) -> tuple[int, int]:
    """Compute the size of the preview: the shape of the picture, and no larger than decoded."""
    there = (side / whole for side, whole in zip(box[2:], size, strict=True))
    scale = min(PREVIEW_SIDE / max(size), *there)
    width, height = (max(round(scale * side), 1) for side in size)
    return width, height


def _jpeg(image: Image.Image) -> bytes:
    file = BytesIO()
    image.save(file, "JPEG", quality=PREVIEW_QUALITY)
    return file.getvalue()


def _averaged(image: Image.Image, *, inverted: bool) -> tuple[Image.Image, Box]:
    """Average the picture down by whole numbers; also returns the box without padding."""
    across, down = (max(side // GAP_SIDE, 1) for side in image.size)
    small = Image.new("RGB", (-(-image.width // across), -(-image.height // down)))
    white = white_level(image)
    rows = down * max(BAND_PIXELS // (image.width * down), 1)
    for top in range(0, image.height, rows):
        band = image.crop((0, top, image.width, min(top + rows, image.height)))
        flat = over_white(band, white, inverted=inverted)
        small.paste(flat.reduce((across, down)), (0, top // down))
    return small, (0.0, 0.0, image.width / across, image.height / down)


def _orientation(image: Image.Image) -> int:
    """Read the EXIF orientation; 1 if the metadata is broken.

    A TIFF is rotated by its decoder already.
    """
    try:
        return int(image.getexif().get(ORIENTATION, 1))
    except Exception:  # noqa: BLE001 - the picture itself is whole
        return 1


@contextmanager
def _parsing(data: bytes) -> Iterator[None]:
    """Convert every exception of a parser to a `PictureError`.

    Its warnings are about metadata, and are ignored.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except PictureError:
        raise
    except UnidentifiedImageError:
        raise PictureError("unsupported_picture", _unsupported(data)) from None
    except Image.DecompressionBombError:
        message = (
            f"The picture is declared far larger than the {MAX_PIXELS:,} pixels that are read."
        )
        raise PictureError("picture_too_large", message) from None
    except Exception as error:
        message = "The file is cut short or damaged: it starts as a picture, but cannot be decoded."
        raise PictureError("broken_picture", message) from error


def _unsupported(data: bytes) -> str:
    beginning = data[:BEGINNING].lower()
    for name, marks in OTHERS.items():
        if any(mark in beginning for mark in marks):
            return f"The file is {name}, whatever its name; send {NAMED}."
    return f"The file is none of the pictures that can be read, by its content; send {NAMED}."
