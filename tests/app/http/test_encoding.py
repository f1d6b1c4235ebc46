"""JSON as the server encodes it."""

from __future__ import annotations

import ctypes
import sys

import numpy as np
import pytest

from heed.app.http.encoding import to_json
from heed.app.inference.jobs import Job
from heed.models.generation.translator import TextRequest
from heed.output.encoding import encoded


def usable_size(address: int) -> int:
    """Return the bytes that the allocator gave for what is at an address."""
    usable = ctypes.CDLL(None).malloc_usable_size
    usable.restype, usable.argtypes = ctypes.c_size_t, [ctypes.c_void_p]
    size: int = usable(address)
    return size


@pytest.mark.skipif(sys.platform != "linux", reason="the allocator is that of glibc")
@pytest.mark.parametrize("numbers", [20_000, 60_000, 100_000])
def test_an_answer_takes_no_more_memory_than_its_bytes(numbers: int) -> None:
    value = {"weights": np.linspace(0, 1, numbers).round(4)}
    job = Job("a model", [TextRequest("A cat.")], lambda _trace: b"")
    job.settle(0, encoded(value))
    for answer in (to_json(value), *job.answers()):
        assert isinstance(answer, bytes)
        assert usable_size(id(answer)) < 1.1 * len(answer)
