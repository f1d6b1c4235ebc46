"""Requests made to be expensive: bodies and files far cheaper to send than to handle."""

from __future__ import annotations

import json
import struct
import zlib
from functools import cache

from PIL import Image

from tests.models.drawn import chunk, png, saved

END_OF_IMAGE = b"\xff\xd9"
START_OF_SCAN = b"\xff\xda"


def repeated(before: str, item: str, after: str, count: int) -> bytes:
    """Return JSON with an item many times in a list or an object."""
    return (before + ",".join([item] * count) + after).encode()


def unknown_keys(count: int) -> bytes:
    """Return an object of many keys that no request has."""
    return ("{" + ",".join(f'"k{n}":1' for n in range(count)) + "}").encode()


@cache
def many_scans(side: int, scans: int) -> bytes:
    """Return a progressive JPEG whose last scan is repeated: few bytes, and as much work."""
    data = saved(Image.new("RGB", (side, side)), "JPEG", progressive=True)
    last = data.rindex(START_OF_SCAN)
    more = scans - data.count(START_OF_SCAN)
    return data[: -len(END_OF_IMAGE)] + data[last : -len(END_OF_IMAGE)] * more + END_OF_IMAGE


def many_chunks(count: int) -> bytes:
    """Return a PNG with so many tiny texts."""
    return png(2, 2, depth=8, colour=0, rows=bytes(6), extra=chunk(b"tEXt", b"a\0b") * count)


def many_frames(count: int) -> bytes:
    """Return an animated GIF."""
    frame = Image.new("P", (64, 64))
    others = [Image.new("P", (64, 64), n % 2 + 1) for n in range(count - 1)]
    return saved(frame, "GIF", save_all=True, append_images=others)


def flat_png(width: int, height: int) -> bytes:
    """Return a PNG of so many pixels, all alike."""
    rows = zlib.compressobj(1)
    packed = b"".join(rows.compress(bytes(1 + 3 * width)) for _ in range(height)) + rows.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", header), chunk(b"IDAT", packed), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@cache
def large_trace(heads: int, side: int = 500) -> bytes:
    """Return plain weights of so many heads, which can be saved: 6 bytes of JSON a weight."""
    row = [round(1 / side, 4)] * side
    tokens = [f"t{n}" for n in range(side)]
    return json.dumps(
        {"source": tokens, "target": tokens, "weights": [[row] * side] * heads},
        separators=(",", ":"),
    ).encode()


def sentences(characters: int) -> str:
    """Return English text of so many characters."""
    sentence = "A man in a green shirt is standing in front of a large white building. "
    return (sentence * (characters // len(sentence) + 1))[:characters].strip()
