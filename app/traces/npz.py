"""Arrays of unknown origin, read from NumPy's `.npz`.

Sizes are bounded before anything is unpacked. Arrays of numbers and of strings are read, never
objects: nothing is unpickled.
"""

from __future__ import annotations

import io
import math
import struct
import sys
import zipfile
import zlib
from tokenize import TokenError
from typing import NoReturn

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from heed.app.errors import RequestError, quoted

IMPORTED_ARRAYS = ("source", "target", "weights", "kind")
MAX_FILES = 64
BYTES_PER_NUMBER = 8
SHORTEST_NUMBER = 2
"""Characters of the shortest number in JSON, with its separator."""
LONGEST_PIECE = 4096
DTYPE_KINDS = "fiuU"
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 0x1

Array = NDArray[np.generic]


def read_npz(body: bytes, limit: int) -> dict[str, object]:
    """Return the arrays that describe attention, as lists.

    `limit` is the size that they may have as JSON; what cannot fit into it is not unpacked.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            entries = archive.infolist()
            if len(entries) > MAX_FILES:
                _refuse(f"The archive has {len(entries)} files; at most {MAX_FILES} are allowed")
            named = {entry.filename.removesuffix(".npy"): entry for entry in entries}
            return {
                name: _read_array(archive, named[name], limit)
                for name in IMPORTED_ARRAYS
                if name in named
            }
    except (
        zipfile.BadZipFile,
        zlib.error,
        struct.error,
        EOFError,
        OSError,
        RuntimeError,
        ValueError,
    ):
        _refuse("The body is not a complete .npz archive")


def _read_array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limit: int) -> object:
    name = quoted(entry.filename)
    if entry.flag_bits & ENCRYPTED or entry.compress_type not in METHODS:
        _refuse(f"{name} is encrypted, or compressed by a method that NumPy does not use")
    most = limit // SHORTEST_NUMBER * BYTES_PER_NUMBER
    if entry.file_size > most:
        _refuse(f"{name} is larger than {most} bytes")
    with archive.open(entry) as file:
        data = file.read(entry.file_size)  # with a size given, it unpacks no more than that
    stream = io.BytesIO(data)
    shape, fortran, dtype = _header(stream, name)
    count = math.prod(shape)
    if dtype.kind not in DTYPE_KINDS or dtype.itemsize > 4 * LONGEST_PIECE:
        _refuse(f"{name} has dtype kind {dtype.kind!r}: only numbers and strings are read")
    if min(shape, default=0) < 0 or _size_as_lists(shape) > limit // SHORTEST_NUMBER:
        _refuse(f"{name} is too large to be saved")
    start = stream.tell()
    if count * dtype.itemsize != len(data) - start:
        _refuse(f"{name} does not have the length that its header gives")
    if dtype.itemsize == 0:  # strings, all of them empty
        dtype, data, start = np.dtype("<U1"), bytes(4 * count), 0
    flat = np.frombuffer(data, dtype, count, start)
    if dtype.kind == "U" and flat.size:
        code_points = flat.view(np.dtype(np.uint32).newbyteorder(dtype.byteorder))
        if code_points.max() > sys.maxunicode:
            _refuse(f"{name} has a character outside Unicode")
    return flat.reshape(shape, order="F" if fortran else "C").tolist()


def _size_as_lists(shape: tuple[int, ...]) -> int:
    """Return how many lists and numbers the array becomes at most, an empty one included."""
    return math.prod(max(length, 1) for length in shape)


def _header(stream: io.BytesIO, name: str) -> tuple[tuple[int, ...], bool, np.dtype[np.generic]]:
    try:
        if npy.read_magic(stream) == (1, 0):
            return npy.read_array_header_1_0(stream)
        return npy.read_array_header_2_0(stream)  # version 3 differs in names of fields only
    except (ValueError, TypeError, SyntaxError, TokenError, RecursionError, MemoryError):
        _refuse(f"{name} is not a NumPy array")


def _refuse(reason: str) -> NoReturn:
    raise RequestError("bad_npz", f"{reason}.")
