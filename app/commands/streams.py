"""The standard streams of a command, closed ones and those that cannot be written included."""

from __future__ import annotations

import errno
import os
import sys
from typing import TextIO

STDOUT = 1
UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF, errno.EIO, errno.ENXIO}


def open_closed_streams() -> None:
    """Open the standard streams that the caller closed: the next file would take their numbers.

    Input is empty then, output cannot be written, and errors go nowhere.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))


def discard(stream: TextIO) -> None:
    """Send what is written to the null device, the interpreter's last flush included."""
    opened = os.open(os.devnull, os.O_WRONLY)
    os.dup2(opened, stream.fileno())
    os.close(opened)


def discard_closed_stdout() -> None:
    """Let a command that needs no output run without one."""
    try:
        os.write(STDOUT, b"")
    except OSError:
        discard(sys.stdout)


def cannot_be_written(error: OSError) -> bool:
    """Return whether this is an error of writing to a stream, not one of a named file."""
    return error.filename is None and error.errno in UNWRITABLE


def complain(message: str) -> None:
    """Write a message to the standard error, if that can be written."""
    try:
        print(f"heed: {message}", file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)
