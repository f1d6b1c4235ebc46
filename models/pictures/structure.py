"""Limits on the pieces of a picture's file, counted before Pillow reads them in Python.

Pillow opens a file piece by piece, a microsecond or more each: millions of empty pieces keep it
busy for many seconds. Every walk here is linear, copies nothing, and ends at its limit.
"""

from __future__ import annotations

import re
import struct
from typing import Final, NamedTuple

import numpy as np
from PIL import JpegImagePlugin

from heed.models.errors import PictureError

MAX_SEGMENTS: Final = 2000  # of a JPEG up to its end; a profile of 16 MB has 256
MAX_LOOSE_BYTES: Final = 100_000  # of a JPEG before its first scan, outside of segments
MAX_CHUNKS: Final = 100_000  # of a PNG; 2,500 of 8 kB are 20 MB
MAX_BLOCKS: Final = 100_000  # of a GIF before its first frame; 80,000 of 255 bytes are 20 MB
MAX_STRIPS: Final = 65_536  # of a TIFF: one for each row
MAX_TAGS: Final = 4096

# The bytes 0x00 and 0xFF after 0xFF are data and filling; restarts, 0xD0 to 0xD7, are in a scan.
MARKER: Final = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")
START_OF_SCAN, END_OF_IMAGE = 0xDA, 0xD9
STRIPS: Final = (273, 324)  # where strips and tiles begin
STRIP_BYTES: Final = (279, 325)
WIDTHS: Final = {3: "u2", 4: "u4", 16: "u8"}


class Scans(NamedTuple):
    """The scans of a JPEG, and how many components its first one has."""

    number: int
    parts: int


def check_structure(data: bytes) -> None:
    """Raise `PictureError` on a file in far more pieces than any program writes."""
    if data.startswith(b"\xff\xd8\xff"):
        jpeg_scans(data)
    elif data.startswith(b"\x89PNG\r\n\x1a\n"):
        _check_chunks(data)
    elif data.startswith((b"GIF87a", b"GIF89a")):
        _check_blocks(data)
    elif data.startswith((b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")):
        _check_strips(data)


def jpeg_scans(data: bytes) -> Scans:
    """Count the scans of a JPEG up to its end, or raise `PictureError` on too many segments.

    A segment may hold another, small JPEG, and other pictures may follow: they are not counted.
    """
    place, segments, loose = 2, 0, 0
    count, parts = 0, 0
    while match := MARKER.search(data, place):
        marker = match[0][1]
        segments += 1
        loose += 0 if count else match.start() - place
        if segments > MAX_SEGMENTS or loose > MAX_LOOSE_BYTES:
            raise _too_many("JPEG", "segments")
        place = match.end()
        if marker == END_OF_IMAGE and count:
            return Scans(count, parts)
        if marker == START_OF_SCAN:
            count += 1
            parts = parts or int.from_bytes(data[place + 2 : place + 3])
        if _has_length(marker):
            place += max(int.from_bytes(data[place : place + 2]), 2)
    if not count and len(data) - place > MAX_LOOSE_BYTES:
        raise _too_many("JPEG", "segments")
    return Scans(count, parts)


def _has_length(marker: int) -> bool:
    """Return whether Pillow and libjpeg skip a segment of this marker by its length."""
    return JpegImagePlugin.MARKER.get(0xFF00 | marker, (None,) * 3)[2] is not None


def _check_chunks(data: bytes) -> None:
    place = 8
    for _ in range(MAX_CHUNKS):
        if place + 8 > len(data) or data[place + 4 : place + 8] == b"IEND":
            return
        place += 12 + int.from_bytes(data[place : place + 4])
    raise _too_many("PNG", "chunks")


def _check_blocks(data: bytes) -> None:
    """Walk the extensions of a GIF, each of blocks of up to 255 bytes, up to its first frame."""
    flags = int.from_bytes(data[10:11])
    place = 13 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
    inside = False
    for _ in range(MAX_BLOCKS):
        if inside:
            size = int.from_bytes(data[place : place + 1])
            inside, place = size > 0, place + 1 + size
        elif data[place : place + 1] == b",":
            return
        else:
            inside = data[place : place + 1] == b"!"
            place += 2 if inside else 1
        if place >= len(data):
            return
    raise _too_many("GIF", "blocks")


def _check_strips(data: bytes) -> None:
    """Read the tags of a TIFF's first picture, which lists its strips or tiles."""
    order, big = ("<" if data[:2] == b"II" else ">"), 43 in data[2:4]
    entry, head = ("HHQ8s", "Q") if big else ("HHL4s", "H")
    start = struct.unpack_from(order + ("Q" if big else "L"), data, 8 if big else 4)[0]
    count = struct.unpack_from(order + head, data, start)[0]
    if count > MAX_TAGS:
        raise _too_many("TIFF", "tags")
    start += struct.calcsize(order + head)
    size = struct.calcsize(order + entry)
    for place in range(start, min(start + count * size, len(data) - size + 1), size):
        tag, kind, values, held = struct.unpack_from(order + entry, data, place)
        if tag in STRIPS and values > MAX_STRIPS:
            raise _too_many("TIFF", "strips or tiles")
        width = np.dtype(order + WIDTHS.get(kind, "u4"))
        if tag in STRIP_BYTES and values * width.itemsize > len(held):
            where = int.from_bytes(held, "little" if order == "<" else "big")
            if int(np.frombuffer(data, width, values, where).sum(dtype=float)) > 2 * len(data):
                raise _too_many("TIFF", "strips or tiles in one place")


def _too_many(format: str, pieces: str) -> PictureError:
    message = f"The {format} has far more {pieces} than usual. Save it anew."
    return PictureError("picture_too_large", message)
