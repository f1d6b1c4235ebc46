"""Pictures drawn for the tests, as files."""

import struct
import zlib
from io import BytesIO

import numpy as np
from PIL import Image

RED, GREEN, BLUE, YELLOW = (200, 30, 30), (30, 160, 40), (40, 60, 200), (240, 220, 60)
FORMATS = {"JPEG": "JPEG", "PNG": "PNG", "WEBP": "WebP", "GIF": "GIF", "BMP": "BMP", "TIFF": "TIFF"}


def quarters(width: int = 64, height: int = 48) -> Image.Image:
    """Red and green above, blue and yellow below."""
    values = np.zeros((height, width, 3), np.uint8)
    top, left = height // 2, width // 2
    values[:top, :left], values[:top, left:] = RED, GREEN
    values[top:, :left], values[top:, left:] = BLUE, YELLOW
    return Image.fromarray(values)


def saved(image: Image.Image, format: str, **options: object) -> bytes:
    file = BytesIO()
    image.save(file, format, **options)
    return file.getvalue()


def chunk(kind: bytes, content: bytes) -> bytes:
    """One chunk of a PNG."""
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)


def png(
    width: int, height: int, *, depth: int, colour: int, rows: bytes, extra: bytes = b""
) -> bytes:
    """A PNG from its rows, filter bytes and all; Pillow writes only some kinds."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    parts = (
        chunk(b"IHDR", header),
        extra,
        chunk(b"IDAT", zlib.compress(rows, 1)),
        chunk(b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def png_with(extra: bytes) -> bytes:
    """A small PNG with one more chunk before its pixels."""
    return png(2, 2, depth=8, colour=0, rows=bytes(6), extra=extra)


def tiff(
    width: int, height: int, entries: dict[int, tuple[int, int, int]], tail: bytes = b""
) -> bytes:
    """A TIFF of these entries: type, count and value (or where it lies) by tag."""
    entries = {256: (4, 1, width), 257: (4, 1, height)} | entries
    rows = b"".join(struct.pack("<HHII", tag, *entry) for tag, entry in sorted(entries.items()))
    return b"II*\0\x08\0\0\0" + struct.pack("<H", len(entries)) + rows + bytes(4) + tail
