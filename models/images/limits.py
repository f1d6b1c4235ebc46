"""Limits on the declared size of a picture, checked before it is decoded.

A few bytes can declare a picture that fills the memory, or keep a decoder busy for minutes. The
memory for decoding is known for each format: the pixels, and the buffers of its decoder.
"""

from __future__ import annotations

import struct

from PIL import TiffImagePlugin
from PIL.ImageFile import ImageFile

from heed.models.errors import PictureError, PictureMemoryError

LONGEST_SIDE = 65_535  # the most a JPEG can have
MAX_SCANS = 200  # of a JPEG; about ten are usual
MAX_STRIPS = 200_000  # of a TIFF: 50 million pixels in tiles of 16×16
MAX_RUN_BYTES = 2_000_000  # of a BMP in runs, which is decoded in Python

PIXEL_BYTES = {"1": 1, "L": 1, "P": 1, "I;16": 2, "I;16L": 2, "I;16B": 2, "I;16N": 2}  # others 4
# Canvas, previous canvas, and the frame twice, of four bytes a pixel each.
WEBP_PIXEL_BYTES = 16
START_OF_SCAN, STRIP_OFFSETS, TILE_OFFSETS = 0xDA, 273, 324


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


def check_strips(data: bytes) -> None:
    """Raise `PictureError` on a TIFF of so many pieces that a list of them fills the memory."""
    if data[:4] not in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"):
        return
    order, big = ("<" if data[:2] == b"II" else ">"), 43 in data[2:4]
    entry, head = ("HHQ8s", "Q") if big else ("HHL4s", "H")
    (start,) = struct.unpack_from(order + ("Q" if big else "L"), data, 8 if big else 4)
    (count,) = struct.unpack_from(order + head, data, start)
    start += struct.calcsize(order + head)
    size = struct.calcsize(order + entry)
    for place in range(start, min(start + count * size, len(data) - size + 1), size):
        tag, _, values, _ = struct.unpack_from(order + entry, data, place)
        if tag in (STRIP_OFFSETS, TILE_OFFSETS) and values > MAX_STRIPS:
            message = f"The TIFF is in {values:,} pieces; up to {MAX_STRIPS:,} are read."
            raise PictureError("picture_too_large", message)


def _strip(image: TiffImagePlugin.TiffImageFile, pixels: int) -> int:
    """Count the bytes of one strip or tile in libtiff, and of a copy if the picture is rotated."""
    tags = image.tag_v2
    width = int(tags.get(TiffImagePlugin.TILEWIDTH, image.width))
    rows = int(tags.get(TiffImagePlugin.TILELENGTH, tags.get(TiffImagePlugin.ROWSPERSTRIP, 2**32)))
    if TiffImagePlugin.TILELENGTH not in tags:
        rows = min(rows, max(image.size))
    bits = tags.get(TiffImagePlugin.BITSPERSAMPLE, (1,))
    samples = int(tags.get(TiffImagePlugin.SAMPLESPERPIXEL, 1))
    sample = -(-max(bits) // 8) if isinstance(bits, tuple) else 8
    held = width * rows * max(sample * samples, 4) if image.tile[0].codec_name == "libtiff" else 0
    return held + (pixels if tags.get(274, 1) != 1 else 0)


def _coefficients(image: ImageFile, data: bytes, declared: tuple[int, int]) -> int:
    """Count the bytes that libjpeg buffers of a picture in several scans."""
    scan = _first_scan(data)
    layers: list[tuple[int, int, int, int]] = getattr(image, "layer", [])
    if "progressive" not in image.info and data[scan + 4] == len(layers):
        return 0  # libjpeg decodes the one scan as it comes, and reads no other
    if data.count(b"\xff\xda", scan) > MAX_SCANS:
        message = f"The JPEG comes in more than {MAX_SCANS} scans. Save it again as a plain one."
        raise PictureError("picture_too_large", message)
    down, across = (max(layer[place] for layer in layers) for place in (1, 2))
    parts = sum(layer[1] * layer[2] / (down * across) for layer in layers)
    return int(2 * declared[0] * declared[1] * parts)


def _first_scan(data: bytes) -> int:
    """Find the first scan of a JPEG; the header may hold another, small JPEG."""
    place = 2
    while data[place + 1] != START_OF_SCAN:
        if data[place + 1] == 0xFF or data[place] != 0xFF:  # filling
            place += 1
        else:
            place += 2 + int.from_bytes(data[place + 2 : place + 4])
    return place
