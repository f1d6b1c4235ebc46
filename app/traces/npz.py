"""NumPy's `.npz`: a trace written as arrays, and arrays of unknown origin read.

Of the formats that programs read, this one needs no more than NumPy. What a trace is written with
(`source`, `target`, `weights`) can be saved again as it is. Apache Arrow would add 50 MB of library
for tables of columns, which a stack of matrices is not.

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
from collections.abc import Iterator, Sequence
from tokenize import TokenError
from typing import NoReturn

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from heed.app.errors import RequestError, quoted
from heed.models.trace import (
    AttentionMap,
    ClassAxis,
    GlimpseAxis,
    GraphAxis,
    GridAxis,
    HopAxis,
    SentenceAxis,
    TokenAxis,
    Trace,
)

WORD_START = "▁"
PREFIXES = {
    "encoder-self": "encoder_self",
    "decoder-self": "decoder_self",
    "drawn": "drawn_shares",
    "rollout": "rollout",
}

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

# --- writing ----------------------------------------------------------------------------------


def write_npz(trace: Trace) -> bytes:
    """Write a trace as an archive of arrays, every number as the model gave it."""
    file = io.BytesIO()
    np.savez(file, **dict(_arrays(trace)))  # type: ignore[arg-type] # its stub allows no mapping
    return file.getvalue()


def _arrays(trace: Trace) -> Iterator[tuple[str, Array]]:
    yield from _input_arrays(trace)
    yield "target", _pieces(trace.output.target)
    yield "text", np.array(trace.output.text)
    yield "model", np.array(trace.model.id)
    yield from _map_arrays(trace.output.maps)
    steps = trace.output.steps
    if not steps:
        return
    yield "log_probabilities", np.array([step.log_probability for step in steps])
    alternatives = [step.alternatives for step in steps]
    most = min(map(len, alternatives))
    yield (
        "alternatives",
        np.array([[other.id for other in likeliest[:most]] for likeliest in alternatives]),
    )
    probabilities = [
        [other.probability for other in likeliest[:most]] for likeliest in alternatives
    ]
    yield "probabilities", np.array(probabilities, np.float32)
    for name in ("query", "context", "state"):
        yield name, np.stack([getattr(step, name) for step in steps])
    if all(step.gate is not None for step in steps):
        yield "gate", np.array([step.gate for step in steps], np.float32)
    if all(step.drawn is not None for step in steps):
        yield "drawn", np.array([step.drawn.cell for step in steps if step.drawn is not None])
    if isinstance(trace.output.target, GlimpseAxis):
        yield "boxes", np.array(trace.output.target.glimpses)
    for name in ("keys", "values", "seen", "cell", "cell_context", "gates"):
        vectors = [each for step in steps if (each := getattr(step, name)) is not None]
        if vectors:
            yield name, np.stack(vectors)


def _input_arrays(trace: Trace) -> Iterator[tuple[str, Array]]:
    """Yield the pieces, or the grid (its rows and columns, then left, top, width, height)."""
    source = trace.source
    if isinstance(source, GridAxis):
        size = (source.left, source.top, source.width, source.height)
        yield "grid", np.array([source.rows, source.columns, *size])
        if source.marks:
            yield "marks", np.array(source.marks)
    else:
        yield "source", _pieces(source)
    if isinstance(source, GraphAxis):
        yield "edges", np.array(source.edges, np.int64).reshape(-1, 2)
        yield "places", np.array([(node.x, node.y) for node in source.nodes])
    if trace.question is not None:
        yield "question", _pieces(trace.question)
    if trace.memory is not None:
        yield "memory", trace.memory
    if trace.positions is not None:
        yield "positions", trace.positions


def _map_arrays(maps: tuple[AttentionMap, ...]) -> Iterator[tuple[str, Array]]:
    """Yield weights and scores, (L, H, Q, K): of the source without a prefix, else with one."""
    groups: dict[str, list[AttentionMap]] = {}
    for attention in maps:
        prefix = "" if attention.kind == "cross" else f"{PREFIXES[attention.kind]}_"
        if attention.key == "question":
            prefix = "question_"
        groups.setdefault(prefix, []).append(attention)
    for prefix, group in groups.items():
        yield f"{prefix}weights", _stacked(group, [attention.weights for attention in group])
        yield f"{prefix}scores", _stacked(group, [attention.scores for attention in group])


def _stacked(group: Sequence[AttentionMap], matrices: Sequence[Array]) -> Array:
    layers = len({attention.layer for attention in group})
    stacked = np.stack(matrices)
    return stacked.reshape(layers, -1, *stacked.shape[1:]).astype(np.float32)


def _pieces(
    axis: TokenAxis | SentenceAxis | HopAxis | GlimpseAxis | GraphAxis | ClassAxis,
) -> Array:
    """Return the pieces, with a sign before each that begins a word; or what else the axis has."""
    if isinstance(axis, SentenceAxis):
        return np.array([sentence.text for sentence in axis.sentences])
    if isinstance(axis, HopAxis | GlimpseAxis):
        return np.array(axis.names)
    if isinstance(axis, GraphAxis):
        return np.array([node.text for node in axis.nodes])
    if isinstance(axis, ClassAxis):
        return np.array(axis.classes)
    words = [-1, *(token.word for token in axis.tokens)]
    return np.array(
        [
            token.text if token.special or token.word == before else f"{WORD_START}{token.text}"
            for token, before in zip(axis.tokens, words, strict=False)
        ]
    )


# --- reading ----------------------------------------------------------------------------------


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
