"""The command line where its output cannot be written, was closed, or is no longer read."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from heed.app.cli import main

ROOT = Path(__file__).parents[2]
DATE = ["translate", "the 3rd of may 1979", "--model", "dates-additive"]
SHEEP = str(ROOT / "static/samples/sheep.jpg")
COMMANDS = [
    ["models"],
    ["models", "--json"],
    DATE,
    [*DATE, "--json"],
    ["graph", "Karate club"],
    ["story", "Mary took the ball.", "Where is the ball?"],
    ["read", "The keys are here."],
    ["caption", SHEEP],
    ["ask", SHEEP, "What is this?"],
    ["see", SHEEP],
]
"""Each writes to its output in a way of its own: print, rich, or both."""


@contextmanager
def output_at(descriptor: int) -> Iterator[None]:
    """Write the standard output to an open file."""
    own, stream = os.dup(1), sys.stdout
    os.dup2(descriptor, 1)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    try:
        yield
    finally:
        os.dup2(own, 1)
        os.close(own)
        sys.stdout = stream


def full() -> int:
    return os.open("/dev/full", os.O_WRONLY)


def unread() -> int:
    reading, writing = os.pipe()
    os.close(reading)
    return writing


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(
    ("opened", "code", "message"),
    [(full, 1, "heed: The output cannot be written: No space left on device.\n"), (unread, 0, "")],
)
def test_output_that_cannot_be_written_is_an_error_and_one_that_is_not_read_is_none(
    arguments: list[str],
    opened: Callable[[], int],
    code: int,
    message: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    descriptor = opened()
    with output_at(descriptor):
        assert main(arguments) == code
    os.close(descriptor)
    assert capfd.readouterr().err == message


def heed(redirection: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = f'exec "$0" -m heed.app "$@" {redirection}'
    return subprocess.run(
        ["sh", "-c", command, sys.executable, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
    )


@pytest.mark.parametrize("redirection", [">/dev/full", ">&-", ">/dev/full 2>/dev/full", ">&- 2>&-"])
def test_a_process_ends_without_a_traceback(redirection: str) -> None:
    done = heed(redirection, "models")
    assert done.returncode == 1
    assert done.stderr.count("\n") == ("2>" not in redirection)
    assert "Traceback" not in done.stderr


def test_a_file_does_not_take_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    done = heed("<&- >&- 2>&-", *DATE, "--json")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    assert heed("<&-", "translate", "-").stderr == "heed: Write a sentence first.\n"
