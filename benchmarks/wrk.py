"""Load from many clients: run `wrk` (github.com/wg/wrk) and parse its report."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

from benchmarks.figures import MissingError, median, shown

SCRIPT = Path(__file__).with_name("clients.lua")
Point = TypeVar("Point")
PATIENCE = 90  # seconds that a client waits for an answer
ADVICE = "wrk is missing: `apt-get install wrk`, `brew install wrk`, or see github.com/wg/wrk."


@dataclass(frozen=True, slots=True)
class Load:
    """Results of a load test."""

    requests_per_second: float
    p50: float  # milliseconds
    p99: float
    failed: int  # answers that were no 200, and clients that got none


Loads: TypeAlias = dict[str, dict[Point, list[Load]]]
"""All rounds, by the server and the number of clients."""


class NobodyError(ValueError):
    """No client was answered before the time was over."""


def find() -> None:
    """Raise an error if `wrk` is not installed."""
    if shutil.which("wrk") is None:
        raise MissingError(ADVICE)


def write(path: Path, texts: Iterable[str], **options: object) -> Path:
    """Write requests with the same options into a file, one on each line."""
    path.write_text(
        "".join(json.dumps({"text": text, **options}) + "\n" for text in texts), "utf-8"
    )
    return path


def cells(loads: Sequence[Load]) -> list[str]:
    """Return the cells of a table: the medians of the rate and the two times, and the failures."""
    medians = [shown(median(loads, what)) for what in ("requests_per_second", "p50", "p99")]
    return [*medians, str(sum(one.failed for one in loads))]


def load(url: str, bodies: Path, clients: int, seconds: float) -> Load:
    """Let clients post the lines of a file in turn, each as soon as its last one is answered.

    If no client was answered in that time, repeat with more time.
    """
    threads = 2 if clients > 64 else 1
    command = ["wrk", f"-t{threads}", f"-c{clients}", f"-d{max(round(seconds), 1)}s"]
    command += ["--timeout", f"{PATIENCE}s", "-s", str(SCRIPT), url, "--", str(bodies)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    try:
        return read(done.stdout)
    except NobodyError:
        if seconds > PATIENCE:
            raise
        return load(url, bodies, clients, 3 * seconds)


def read(output: str) -> Load:
    """The figures in what `wrk` printed: the script's own line, which is JSON."""
    found = re.search(r"^\{.*\}$", output, re.MULTILINE)
    if found is None:
        raise ValueError(f"wrk said nothing of what it measured: {output!r}")
    report = json.loads(found[0])
    if not report["requests"]:
        raise NobodyError("no request was answered in time")
    return Load(
        requests_per_second=1e6 * report["requests"] / report["microseconds"],
        p50=report["p50"] / 1e3,
        p99=report["p99"] / 1e3,
        failed=report["failed"],
    )
