"""The program of a child process: runs functions on bytes, one after the other, until it is killed.

It imports nothing of the server. It has its own limits of memory and processor time, no socket, no
setting, and no more of the environment than Python needs. Messages are lists of bytes: only what
the parent sends is unpickled, never what a child sends.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO, Final

Parts = Sequence[bytes | memoryview]
Function = Callable[..., Parts]
"""Takes bytes and options. It is a function of a module, found there by its name."""

DONE, LAST, DEFECT = b"done", b"last", b"defect"
"""The first part of a reply: a result, one after which the process ends, a traceback."""
MAX_RUNS: Final = 250
"""Functions that one process runs: what the libraries leave behind ends with it."""
MAX_PARTS: Final = 16
MAX_MESSAGE_BYTES: Final = 256 * 1024 * 1024


def send_parts(stream: IO[bytes], parts: Parts) -> None:
    """Write a message."""
    sizes = [memoryview(part).nbytes for part in parts]
    stream.write(struct.pack(f"!I{len(parts)}Q", len(parts), *sizes))
    for part in parts:
        stream.write(part)
    stream.flush()


def receive_parts(stream: IO[bytes]) -> list[bytes]:
    """Read a message, or raise `EOFError`."""
    (count,) = struct.unpack("!I", _exactly(stream, 4))
    if count > MAX_PARTS:
        raise EOFError
    sizes = struct.unpack(f"!{count}Q", _exactly(stream, 8 * count))
    if sum(sizes) > MAX_MESSAGE_BYTES:
        raise EOFError
    return [_exactly(stream, size) for size in sizes]


def _exactly(stream: IO[bytes], size: int) -> bytes:
    content = stream.read(size)
    if len(content) < size:
        raise EOFError
    return content


def main(memory_bytes: int, cpu_seconds: int) -> None:
    """Run what arrives on the standard input; end with it, even in the middle of a function."""
    for number in (signal.SIGINT, signal.SIGTERM):  # the parent answers first, then it kills
        signal.signal(number, signal.SIG_IGN)
    replies = os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("wb") as nothing:
        os.dup2(nothing.fileno(), 1)  # a library that prints must not break a message
    _limit_memory(memory_bytes)
    messages: SimpleQueue[list[bytes]] = SimpleQueue()
    Thread(target=_receive, args=(messages,), daemon=True).start()
    for run in range(1, MAX_RUNS + 1):
        call, data = messages.get()
        _limit_cpu(cpu_seconds)
        try:
            function, options = pickle.loads(call)  # noqa: S301 - the parent wrote it
            result = [LAST if run == MAX_RUNS else DONE, *function(data, *options)]
        except Exception:  # noqa: BLE001 - the parent logs it
            result = [DEFECT, traceback.format_exc().encode("utf-8", "replace")]
        send_parts(replies, result)
        del call, data, result


def _receive(messages: SimpleQueue[list[bytes]]) -> None:
    with suppress(EOFError):
        while True:
            messages.put(receive_parts(sys.stdin.buffer))
    os._exit(0)  # the parent has gone


def _limit_memory(more: int) -> None:
    """Limit the address space to what is taken now and so many bytes more."""
    statm = Path("/proc/self/statm")
    if not statm.exists():  # macOS does not enforce this limit, Windows has none
        return
    import resource

    taken = int(statm.read_text("ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + more, taken + more))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_cpu(seconds: int) -> None:
    """Have the system kill this process after so many more seconds of processor time."""
    if sys.platform == "win32":
        return
    import resource
    import time

    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    limit = int(time.process_time()) + 1 + seconds
    if hard == resource.RLIM_INFINITY or limit < hard:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, hard))
