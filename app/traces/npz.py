"""NumPy's `.npz`, from somebody unknown: sizes are bounded before anything is unpacked.

Arrays of numbers and of texts are read, never objects: nothing is unpickled.
"""

from __future__ import annotations

import io
import math
import struct
import sys
import zipfile
import zlib
from tokenize import TokenError
from typing import Any, NoReturn

import numpy as np
from numpy.lib import format as npy

from heed.app.errors import RequestError, quoted

WANTED = ("source", "target", "weights", "kind")
MOST_FILES = 64
BYTES_PER_NUMBER = 8
SHORTEST_NUMBER = 2
"""Characters of the shortest number in JSON, with what separates it from the next."""
LONGEST_PIECE = 4096
KINDS = "fiuU"
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 0x1


def read_npz(body: bytes, limit: int) -> dict[str, Any]:
    """The arrays that say something of attention, as lists.

    `limit` is the size that they may have as JSON; what cannot fit into it is not unpacked.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_FILES:
                _refuse(f"The archive has {len(entries)} files; at most {MOST_FILES} are looked at")
            named = {entry.filename.removesuffix(".npy"): entry for entry in entries}
            return {name: _array(archive, named[name], limit) for name in WANTED if name in named}
    except (
        zipfile.BadZipFile,
        zlib.error,
        struct.error,
        EOFError,
        OSError,
        RuntimeError,
        ValueError,
    ):
        _refuse("The body is no whole .npz archive")


def _array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limit: int) -> Any:
    name = quoted(entry.filename)
    if entry.flag_bits & ENCRYPTED or entry.compress_type not in METHODS:
        _refuse(f"{name} is encrypted, or compressed in a way that NumPy does not use")
    most = limit // SHORTEST_NUMBER * BYTES_PER_NUMBER
    if entry.file_size > most:
        _refuse(f"{name} is larger than {most} bytes")
    with archive.open(entry) as file:
        data = file.read(entry.file_size)  # told how much, it unpacks no more than that
    stream = io.BytesIO(data)
    shape, fortran, dtype = _header(stream, name)
    count = math.prod(shape)
    if dtype.kind not in KINDS or dtype.itemsize > 4 * LONGEST_PIECE:
        _refuse(f"{name} holds {dtype.kind!r}: numbers or texts are wanted, no objects")
    if min(shape, default=0) < 0 or _lists(shape) > limit // SHORTEST_NUMBER:
        _refuse(f"{name} is larger than what can be saved")
    start = stream.tell()
    if count * dtype.itemsize != len(data) - start:
        _refuse(f"{name} is not as long as it says")
    if dtype.itemsize == 0:  # texts, all of them empty
        dtype, data, start = np.dtype("<U1"), bytes(4 * count), 0
    flat = np.frombuffer(data, dtype, count, start)
    if dtype.kind == "U" and flat.size:
        letters = flat.view(np.dtype(np.uint32).newbyteorder(dtype.byteorder))
        if letters.max() > sys.maxunicode:
            _refuse(f"{name} has a letter that is none")
    return flat.reshape(shape, order="F" if fortran else "C").tolist()


def _lists(shape: tuple[int, ...]) -> int:
    """How many lists and numbers the array becomes at most. An empty one may be many lists."""
    return math.prod(max(length, 1) for length in shape)


def _header(stream: io.BytesIO, name: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    try:
        if npy.read_magic(stream) == (1, 0):
            return npy.read_array_header_1_0(stream)
        return npy.read_array_header_2_0(stream)  # a third version differs in names of fields only
    except (ValueError, TypeError, SyntaxError, TokenError, RecursionError, MemoryError):
        _refuse(f"{name} is no array of NumPy's")


def _refuse(why: str) -> NoReturn:
    raise RequestError("bad_npz", f"{why}.")
