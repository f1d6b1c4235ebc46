"""Functions that the tests run in other processes."""

from __future__ import annotations

import hashlib
import os
import signal
from pathlib import Path


def echo(data: bytes, *options: object) -> list[bytes]:
    return [data, repr(options).encode(), str(os.getpid()).encode()]


def hang(data: bytes, *_options: object) -> list[bytes]:
    """Write the process's id to a file, and compute in C for hours."""
    place = Path(data.decode())
    place.with_suffix(".new").write_text(str(os.getpid()))
    place.with_suffix(".new").rename(place)
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)
    return []


def crash(data: bytes, *_options: object) -> list[bytes]:
    os.kill(os.getpid(), signal.SIGSEGV)
    return [data]


def fail(data: bytes, *_options: object) -> list[bytes]:
    raise LookupError(data.decode())


def surroundings(_data: bytes, *_options: object) -> list[bytes]:
    """Return the names in the environment, and what the open files are."""
    files = [
        str(Path(f"/proc/self/fd/{number}").readlink()) for number in range(40) if _open(number)
    ]
    return [" ".join(os.environ).encode(), " ".join(files).encode()]


def allocate(data: bytes, *_options: object) -> list[bytes]:
    return [bytes(int(data))[:1]]


def _open(number: int) -> bool:
    return Path(f"/proc/self/fd/{number}").is_symlink()
