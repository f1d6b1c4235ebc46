"""Limits on the declared size of a picture, checked before it is decoded.

A few bytes can declare a picture that fills the memory, or keep a decoder busy for minutes. The
memory for decoding is known for each format: the pixels, and the buffers of its decoder.
"""

from __future__ import annotations

from PIL import TiffImagePlugin
from PIL.ImageFile import ImageFile

from heed.models.errors import PictureError, PictureMemoryError
from heed.models.pictures.structure import jpeg_scans

LONGEST_SIDE = 65_535  # the most a JPEG can have
MAX_SCANS = 200  # of a JPEG; about ten are usual
MAX_SCANNED_PIXELS = 1_000_000_000  # of all scans: twenty of 50 million pixels, about a second
MAX_RUN_BYTES = 2_000_000  # of a BMP in runs, which is decoded in Python

PIXEL_BYTES = {"1": 1, "L": 1, "P": 1, "I;16": 2, "I;16L": 2, "I;16B": 2, "I;16N": 2}  # others 4
# Canvas, previous canvas, and the frame twice, of four bytes a pixel each.
WEBP_PIXEL_BYTES = 16
JPEG_IN_TIFF = 6, 7


def check_size(size: tuple[int, int], max_pixels: int) -> None:
    """Raise `PictureError` on too many pixels or a side that is too long."""
    width, height = size
    declared = f"The picture is declared as {width:,} × {height:,} pixels"
    if width * height > max_pixels:
        message = f"{declared}; up to {max_pixels:,} in all are read. Make it smaller."
        raise PictureError("picture_too_large", message)
    if max(size) > LONGEST_SIDE:
        message = f"{declared}; up to {LONGEST_SIDE:,} a side are read. Make it smaller."
        raise PictureError("picture_too_large", message)


def check_work(image: ImageFile, data: bytes, declared: tuple[int, int], max_memory: int) -> None:
    """Raise `PictureError` if decoding takes too much memory or time; `image` is not yet loaded.

    The decoding scale of a JPEG is set already.
    """
    memory = image.width * image.height * PIXEL_BYTES.get(image.mode, 4)
    match image.format:
        case "JPEG" | "MPO":
            memory += _coefficients(image, data, declared)
        case "WEBP":
            memory = image.width * image.height * WEBP_PIXEL_BYTES
        case "TIFF" if isinstance(image, TiffImagePlugin.TiffImageFile):
            _check_scans_of_strips(image, data)
            memory += _strip(image, memory)
        case "BMP" if image.tile[0].codec_name == "bmp_rle" and len(data) > MAX_RUN_BYTES:
            message = f"A BMP in runs can have up to {MAX_RUN_BYTES:,} bytes. Save it as PNG."
            raise PictureError("image_file_too_large", message)
    if memory > max_memory:
        message = (
            f"Decoding the picture would take {memory // 1_000_000} million bytes of memory, more "
            f"than the {max_memory // 1_000_000} it is given. Make it smaller, or a plain JPEG."
        )
        raise PictureMemoryError("picture_too_large", message)


def _strip(image: TiffImagePlugin.TiffImageFile, pixels: int) -> int:
    """Count the bytes of one strip or tile in libtiff, and of a copy if the picture is rotated."""
    tags = image.tag_v2
    width, rows = _strip_size(image)
    bits = tags.get(TiffImagePlugin.BITSPERSAMPLE, (1,))
    samples = int(tags.get(TiffImagePlugin.SAMPLESPERPIXEL, 1))
    sample = -(-max(bits) // 8) if isinstance(bits, tuple) else 8
    held = width * rows * max(sample * samples, 4) if image.tile[0].codec_name == "libtiff" else 0
    return held + (pixels if tags.get(274, 1) != 1 else 0)


def _strip_size(image: TiffImagePlugin.TiffImageFile) -> tuple[int, int]:
    tags = image.tag_v2
    width = int(tags.get(TiffImagePlugin.TILEWIDTH, image.width))
    rows = int(tags.get(TiffImagePlugin.TILELENGTH, tags.get(TiffImagePlugin.ROWSPERSTRIP, 2**32)))
    return width, rows if TiffImagePlugin.TILELENGTH in tags else min(rows, max(image.size))


def _check_scans_of_strips(image: TiffImagePlugin.TiffImageFile, data: bytes) -> None:
    """Raise `PictureError` if the strips or tiles are JPEGs of many scans."""
    if image.tag_v2.get(TiffImagePlugin.COMPRESSION) not in JPEG_IN_TIFF:
        return
    width, rows = _strip_size(image)
    if data.count(b"\xff\xda") * width * rows > MAX_SCANNED_PIXELS:
        message = "The TIFF has JPEGs in too many scans for its size. Save it anew."
        raise PictureError("picture_too_large", message)


def _coefficients(image: ImageFile, data: bytes, declared: tuple[int, int]) -> int:
    """Count the bytes that libjpeg buffers of a picture in several scans."""
    layers: list[tuple[int, int, int, int]] = getattr(image, "layer", [])
    scans = jpeg_scans(data)
    if "progressive" not in image.info and scans.parts == len(layers):
        return 0  # libjpeg decodes the one scan as it comes, and reads no other
    if scans.number > MAX_SCANS or scans.number * declared[0] * declared[1] > MAX_SCANNED_PIXELS:
        message = f"The JPEG comes in {scans.number} scans, too many for its size. Save it anew."
        raise PictureError("picture_too_large", message)
    down, across = (max(layer[place] for layer in layers) for place in (1, 2))
    parts = sum(layer[1] * layer[2] / (down * across) for layer in layers)
    return int(2 * declared[0] * declared[1] * parts)
