"""JSON as the server encodes it."""

from __future__ import annotations

import ctypes
import sys

import numpy as np
import pytest

from heed.app.http.encoding import to_json


@pytest.mark.skipif(sys.platform != "linux", reason="the allocator is that of glibc")
@pytest.mark.parametrize("numbers", [20_000, 60_000, 100_000])
def test_an_answer_takes_no_more_memory_than_its_bytes(numbers: int) -> None:
    answer = to_json({"weights": np.linspace(0, 1, numbers).round(4)})
    usable = ctypes.CDLL(None).malloc_usable_size
    usable.restype, usable.argtypes = ctypes.c_size_t, [ctypes.c_void_p]
    assert usable(id(answer)) < 1.1 * len(answer)
