"""The interface to the compiled kernels (kernels.c): their structures, loading and calls.

They are compiled when Heed is installed, if there is a C compiler (`compiled.py`). Without one, or
on another processor, ONNX Runtime computes the same, only slower.
"""

from __future__ import annotations

import ctypes
import math
import platform
from ctypes import POINTER, Structure, c_float, c_int32, c_void_p
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from heed.models.runtime.native.compiled import LEVELS, Level, library
from heed.models.trace import Floats

LINE: Final = 64  # bytes
PANEL: Final = 64  # outputs, as in kernels.c
PLAIN, RECTIFIED, SQUASHED = range(3)
NONE, ADDITIVE, DOT = range(3)

KEEPS = {-3: 2 << 20, -1: 4 << 20}  # M_MMAP_THRESHOLD, M_TRIM_THRESHOLD of malloc.h

Halves = NDArray[np.float16]
Ints = NDArray[np.int64]
Address = c_void_p

# The structures have `__slots__`, so that a field that does not exist is refused: without it,
# ctypes would set an attribute, and the kernel would read a zero.


class Linear(Structure):
    """A linear map, its weights packed."""

    __slots__ = ()
    _fields_ = (
        ("weights", Address),
        ("bias", Address),
        ("inputs", c_int32),
        ("outputs", c_int32),
    )


class Norm(Structure):
    """The gain and bias of a layer norm."""

    __slots__ = ()
    _fields_ = (("gain", Address), ("bias", Address))


class Layer(Structure):
    """A layer of a Transformer; in an encoder without cross-attention."""

    __slots__ = ()
    _fields_ = (
        *((name, Linear) for name in ("own", "own_out", "cross_query", "cross_out", "up", "down")),
        ("norms", Norm * 3),
    )


class Recurrent(Structure):
    """A recurrent decoder."""

    __slots__ = ()
    _fields_ = (
        *((name, Linear) for name in ("query", "join", "output")),
        *((name, POINTER(Linear)) for name in ("given", "hidden")),
        *((name, Address) for name in ("table", "energy", "gate")),
        *((name, c_int32) for name in ("embedding", "width", "memory", "scored", "layers")),
        ("vocabulary", c_int32),
        *((name, c_int32) for name in ("mechanism", "after", "query_feeding", "input_feeding")),
        ("threads", c_int32),
        *((name, c_float) for name in ("scale", "gate_bias")),
    )


class RecurrentEncoding(Structure):
    """The inputs and the output of a layer of a recurrent encoder."""

    __slots__ = ()
    _fields_ = (
        *((name, POINTER(Linear)) for name in ("given", "hidden")),
        *((name, Address) for name in ("states", "lengths", "memory", "log")),
        *((name, c_int32) for name in ("n", "k", "threads", "by_tiles")),
    )


class RecurrentStep(Structure):
    """The inputs and output buffers of a step of a recurrent decoder."""

    __slots__ = ()
    _fields_ = (
        *((name, Address) for name in ("tokens", "rows", "owners", "lengths", "keys", "values")),
        *((name, Address) for name in ("hidden", "feed", "gumbel", "edits", "given_gates", "log")),
        *((name, c_int32) for name in ("n", "k", "by_tiles")),
        *((name, Address) for name in ("logits", "scores", "weights", "projected", "query")),
        *((name, Address) for name in ("context", "fresh", "fed", "logs", "normalizers")),
        *((name, Address) for name in ("gates", "drawn_weights", "likeliest", "drawn")),
    )


class Transformer(Structure):
    """The encoder or the decoder of a Transformer."""

    __slots__ = ()
    _fields_ = (
        ("layers", POINTER(Layer)),
        ("output", Linear),
        ("norm", Norm),
        ("table", Address),
        *((name, c_int32) for name in ("count", "width", "heads", "vocabulary", "threads")),
    )


class TransformerEncoding(Structure):
    """The states of a Transformer's encoder, which become its memory, and its output buffers."""

    __slots__ = ()
    _fields_ = (
        ("net", POINTER(Transformer)),
        *((name, Address) for name in ("states", "lengths", "scores", "weights", "vectors")),
        *((name, Address) for name in ("edits", "log")),
        *((name, c_int32) for name in ("n", "k", "by_tiles")),
    )


class TransformerStep(Structure):
    """The inputs and output buffers of a step of a Transformer decoder."""

    __slots__ = ()
    _fields_ = (
        *((name, Address) for name in ("tokens", "rows", "owners", "lengths")),
        *((name, Address) for name in ("cross", "before", "written", "position", "edits", "log")),
        *((name, c_int32) for name in ("n", "k", "t", "room_before", "room", "by_tiles")),
        *((name, Address) for name in ("logits", "query", "context", "state", "logs")),
        *((name, Address) for name in ("normalizers", "scores", "weights", "queries")),
        *((name, Address) for name in ("own_scores", "own_weights", "own_projected", "likeliest")),
    )


class Stage(Structure):
    """A stage of the image encoder: expansion, convolution, projection."""

    __slots__ = ()
    _fields_ = (
        ("expand", Linear),
        *((name, Address) for name in ("tiles", "depthwise", "depthwise_bias")),
        ("project", Linear),
        *((name, c_int32) for name in ("read", "wide", "kernel", "stride", "residual")),
    )


class ImageEncoder(Structure):
    """The image encoder of the captioners."""

    __slots__ = ()
    _fields_ = (
        *((name, Linear) for name in ("stem", "first", "last", "middle", "deep")),
        ("stages", POINTER(Stage)),
        ("norm", Norm),
        *((name, c_int32) for name in ("count", "widened", "side", "threads")),
    )


CALLS: Final = {
    "linear": (POINTER(Linear), Address, Address, *[c_int32] * 4),
    "encode_recurrent": (POINTER(RecurrentEncoding),),
    "step_recurrent": (POINTER(Recurrent), POINTER(RecurrentStep)),
    "encode_transformer": (POINTER(TransformerEncoding),),
    "step_transformer": (POINTER(Transformer), POINTER(TransformerStep)),
    "encode_image": (POINTER(ImageEncoder), Address, Address),
    "edit_row": (Address, Address, Address, c_int32),
}
"""The functions of kernels.c, without their prefix, and the types of their arguments."""


@cache
def available() -> ctypes.CDLL | None:
    """Return the kernels, or None if none were compiled that this processor can run."""
    level = best_level()
    if level is None:
        return None
    _keep_memory()
    return _opened(library(level))


def best_level() -> Level | None:
    """Return the best level of this processor for which kernels were compiled."""
    levels = LEVELS.get(platform.machine(), ())
    return next((level for level in levels if level.runs_here() and library(level).exists()), None)


def _keep_memory() -> None:
    """Keep freed memory in the process for the next batch, if the C library can (glibc).

    The steps of a batch write some megabytes. Memory that is returned to the system after each
    step is mapped and zeroed again page by page: a twelfth of the time of a Transformer on sixteen
    texts. Larger blocks, as those of bodies and weights, are few: kept, they break up the heap.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        for option, size in KEEPS.items():
            mallopt(option, size)


def _opened(path: Path) -> ctypes.CDLL:
    opened = ctypes.CDLL(str(path))
    for name, arguments in CALLS.items():
        call = getattr(opened, f"heed_{name}")
        call.argtypes, call.restype = arguments, None
    return opened


def address(array: NDArray[Any]) -> int:
    """Return the address of the numbers of an array."""
    place: int = array.__array_interface__["data"][0]
    return place


def aligned(shape: tuple[int, ...], kind: type[np.generic]) -> NDArray[Any]:
    """Allocate an array aligned to cache lines, so that no vector crosses one."""
    size = math.prod(shape) * np.dtype(kind).itemsize
    room = np.empty(size + LINE, np.uint8)
    start = -address(room) % LINE
    return room[start : start + size].view(kind).reshape(shape)


PACKED: Final = WeakValueDictionary[tuple[tuple[int, ...], bytes], NDArray[Any]]()
"""The packed weights in use, by shape and digest: models that borrow tensors share them."""


def _packed(weight: Halves) -> NDArray[Any]:
    """Return a weight (outputs, inputs) in panels of `PANEL` outputs."""
    (outputs, inputs), digest = weight.shape, blake2b(np.ascontiguousarray(weight).data).digest()
    if (known := PACKED.get((weight.shape, digest))) is not None:
        return known
    whole, rest = divmod(outputs, PANEL)
    packed = aligned((whole + bool(rest), inputs, PANEL), np.float16)
    packed[:whole] = weight[: whole * PANEL].reshape(whole, PANEL, inputs).transpose(0, 2, 1)
    if rest:
        packed[whole] = 0
        packed[whole, :, :rest] = weight[whole * PANEL :].T
    PACKED[weight.shape, digest] = packed
    return packed


class KeepAlive:
    """The owner of the arrays that structures point into, which must live as long as these."""

    def __init__(self) -> None:
        self._arrays: list[NDArray[Any]] = []

    def at(self, array: NDArray[Any]) -> int:
        """Keep an array and return its address."""
        self._arrays.append(array)
        return address(array)

    def linear(self, weight: Halves, bias: Halves | None = None) -> Linear:
        """Build a linear map of a weight (outputs, inputs) and a bias (outputs,)."""
        outputs, inputs = weight.shape
        added = None if bias is None else self.bias(bias)
        return Linear(self.at(_packed(weight)), added, inputs, outputs)

    def bias(self, bias: Halves) -> int:
        """Keep a bias, padded to whole panels, and return its address."""
        padded = np.zeros(-(-len(bias) // PANEL) * PANEL, np.float32)
        padded[: len(bias)] = bias
        return self.at(padded)

    def norm(self, gain: Halves, bias: Halves) -> Norm:
        """Build a layer norm."""
        return Norm(self.at(gain.astype(np.float32)), self.at(bias.astype(np.float32)))


def mapped(
    kernel: ctypes.CDLL,
    linear: Linear,
    x: Floats,
    finish: int = PLAIN,
    *,
    threads: int = 1,
    by_tiles: bool = True,
) -> Floats:
    """Apply a linear map to the last dimension of an array."""
    x = np.ascontiguousarray(x, np.float32)
    y = np.empty((*x.shape[:-1], linear.outputs), np.float32)
    rows = x.size // linear.inputs
    kernel.heed_linear(linear, address(x), address(y), rows, finish, threads, by_tiles)
    return y
