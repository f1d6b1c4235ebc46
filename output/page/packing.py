"""A value with arrays of numbers as compressed text, which `static/js/shell/unpack.js` reads.

Nothing is lost: decimals become whole numbers of their last digit, and what the page reads equals
the JSON of the value. The text is one line of printable ASCII, whatever encoding a file is given.

The compressed bytes are JSON, a line break, and the numbers. In the JSON, a list `[at, digits,
*shape]` under the key `#` stands for an array, and `[size, norms, summaries]` under the key `##`
for a list of vectors. The weights of a map are written as their difference from the softmax of its
scores, mostly 0, under the key `#softmax`. The numbers have 32 bits, with the sign in the last one:
first the lowest bytes of all of them, then the next ones.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

SYMBOLS = bytes(symbol for symbol in range(33, 127) if symbol not in b'<&"')
"""Two of these 91 characters hold 13 bits; none of them has a meaning in HTML."""
BITS = 13
GZIP = 16 + zlib.MAX_WBITS
"""The format with a header of gzip, as zlib numbers it."""
DIGITS = range(7)
LARGEST = 2**30
MISSING = 2**30
"""Stands for a number that is not finite, which is null in JSON."""
FEWEST = 8
"""An array of fewer numbers is smaller as JSON."""
VECTOR = {"size", "norm", "summary"}

Integers = NDArray[np.int64]


def packed(value: Mapping[str, object]) -> tuple[str, int]:
    """Return a value as text, and the number of bytes in it."""
    arrays = _Arrays()
    json = arrays.replaced(value)
    numbers = arrays.laid_out()
    text = orjson.dumps(json, option=orjson.OPT_SERIALIZE_NUMPY)
    compressor = zlib.compressobj(zlib.Z_BEST_COMPRESSION, wbits=GZIP)
    content = compressor.compress(text + b"\n" + _planes(numbers)) + compressor.flush()
    return _as_text(content), len(content)


def _planes(numbers: Integers) -> bytes:
    """Return the lowest bytes of all numbers, then the next ones."""
    signed = np.where(numbers < 0, -2 * numbers - 1, 2 * numbers).astype("<u4")
    return signed.view(np.uint8).reshape(-1, 4).T.tobytes()


def _as_text(content: bytes) -> str:
    bits = np.unpackbits(np.frombuffer(content, np.uint8))
    whole = np.concatenate([bits, np.zeros(-len(bits) % BITS, np.uint8)])
    values = whole.reshape(-1, BITS) @ (1 << np.arange(BITS - 1, -1, -1))
    symbols = np.frombuffer(SYMBOLS, np.uint8)
    pairs = np.stack([symbols[values // len(SYMBOLS)], symbols[values % len(SYMBOLS)]], axis=1)
    return pairs.tobytes().decode("ascii")


class _Arrays:
    """The arrays of a value, grouped by their digits, so that like numbers stand together."""

    def __init__(self) -> None:
        self._groups: dict[tuple[bool, int], list[tuple[Integers, list[int]]]] = defaultdict(list)

    def replaced(self, value: Any) -> Any:
        """Return a value with places instead of arrays."""
        if isinstance(value, Mapping):
            weights = self._as_softmax(value)
            return {
                name: weights if weights and name == "weights" else self.replaced(part)
                for name, part in value.items()
            }
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, list | tuple):
            return self._vectors(value) or [self.replaced(part) for part in value]
        return value

    def laid_out(self) -> Integers:
        """Return all numbers, and write the place of each array into the JSON."""
        at, pieces = 0, [np.zeros(0, np.int64)]
        for _, group in sorted(self._groups.items(), key=lambda item: item[0]):
            for numbers, place in group:
                place[0] = at
                at += numbers.size
                pieces.append(numbers.ravel())
        return np.concatenate(pieces)

    def _place(self, numbers: Integers, digits: int, *, softmax: bool = False) -> list[int]:
        place = [0, digits, *numbers.shape]
        self._groups[not softmax, digits].append((numbers, place))
        return place

    def _array(self, array: NDArray[Any]) -> object:
        whole = _whole(array) if array.size >= FEWEST else None
        return array if whole is None else {"#": self._place(*whole)}

    def _vectors(self, values: Any) -> object:
        """Return the place of a list of vectors, None for another one."""
        if len(values) < 2 or not all(isinstance(e, Mapping) and set(e) == VECTOR for e in values):
            return None
        sizes = {vector["size"] for vector in values}
        if len(sizes) > 1 or not all(
            isinstance(vector["summary"], np.ndarray) for vector in values
        ):
            return None
        norms = _whole(np.array([vector["norm"] for vector in values], np.float64))
        summaries = _whole(np.stack([vector["summary"] for vector in values]))
        if norms is None or summaries is None:
            return None
        return {"##": [sizes.pop(), self._place(*norms), self._place(*summaries)]}

    def _as_softmax(self, fields: Mapping[str, Any]) -> object:
        """Return the place of the weights of a map, written as differences; None for others."""
        weights, scores = fields.get("weights"), fields.get("scores")
        if not isinstance(weights, np.ndarray) or not isinstance(scores, np.ndarray):
            return None
        if weights.ndim != 2 or weights.shape != scores.shape or weights.size < FEWEST:
            return None
        whole = _whole(weights)
        if whole is None or (whole[0] == MISSING).any():
            return None
        numbers, digits = whole
        near = np.floor(_softmax(scores.astype(np.float64)) * 10.0**digits + 0.5).astype(np.int64)
        return {"#softmax": self._place(numbers - near, digits, softmax=True)}


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights of the finite scores of each row, zeros where there are none."""
    finite = np.isfinite(scores)
    largest = np.where(finite, scores, -np.inf).max(axis=1, keepdims=True, initial=-np.inf)
    shifted = np.where(finite, scores - np.where(np.isfinite(largest), largest, 0), -np.inf)
    shares = np.exp(shifted)
    total = shares.sum(axis=1, keepdims=True)
    weights: NDArray[np.float64] = np.zeros_like(shares)
    np.divide(shares, total, out=weights, where=total > 0)
    return weights


def _whole(array: NDArray[Any]) -> tuple[Integers, int] | None:
    """Return whole numbers and the digits behind the point that they stand for, if they are few."""
    if array.dtype.kind != "f":
        return None
    wide = array.astype(np.float64)
    finite = np.isfinite(wide)
    known = np.where(finite, wide, 0)
    for digits in DIGITS:
        scaled = np.round(known * 10.0**digits)
        if np.abs(scaled).max(initial=0) >= LARGEST:
            return None
        if np.array_equal((scaled / 10.0**digits).astype(array.dtype), known.astype(array.dtype)):
            return np.where(finite, scaled.astype(np.int64), MISSING), digits
    return None
