"""A sentence to an interactive page in one file, beside bertviz and inseq.

All three read the same encoder-decoder from the same folder: the Transformer of Heed as a
`PegasusForConditionalGeneration`. In each round, each runs once in a process of its own. The
process time is from its start until the file is on the disk; after that, the same process writes
the file again twice with the loaded model, and the last of these is timed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.case import TRANSFORMER, scratch
from benchmarks.document import ROOT
from benchmarks.figures import (
    MissingError,
    Options,
    Report,
    Target,
    dotted,
    in_turns,
    median,
    ratio,
    shown,
    table,
    times,
)
from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue

SENTENCES = {
    "9 words": "The white cat does not sleep on the bed.",
    "41 words": (
        "When the old man who lived in the small house by the river came home very late this "
        "evening, he saw that his neighbour had left a basket of apples and a letter on the table "
        "in front of the window."
    ),
}
HEED, OTHERS = "heed", ("bertviz", "inseq")
ROUNDS, QUICK_ROUNDS = 3, 1
LIBRARIES = {"bertviz": 237_682}
"""Bytes that a file loads from a CDN: d3 5.7.0, minified, the largest of its three libraries."""
THEIRS = ROOT / ".venv" / "visualizers" / "bin" / "python"
"""Their own environment: they depend on packages that Heed does not need."""
ADVICE = "bertviz and inseq are missing: `make .venv/.visualizers` installs them."


@dataclass(frozen=True, slots=True)
class Written:
    """Seconds until a file is on the disk, seconds with a loaded model, and its bytes."""

    process: float
    loaded: float
    size: int


@dataclass(frozen=True, slots=True)
class Compared:
    """The files of one sentence, by program, one for each round."""

    name: str
    files: Mapping[str, Sequence[Written]]

    def over(self, other: str, what: str) -> float:
        """Return another program's figure over that of Heed, the median of the rounds."""
        ours, theirs = ([getattr(each, what) for each in self.files[one]] for one in (HEED, other))
        return ratio(ours, theirs)


def measure(options: Options) -> Report:
    """Measure each sentence in rounds that go from one program to the next."""
    if not THEIRS.exists():
        raise MissingError(ADVICE)
    compared = list(dotted(_compared(QUICK_ROUNDS if options.quick else ROUNDS)))
    return Report({"files": report(compared)}, list(targets(compared)))


def _compared(rounds: int) -> Iterator[Compared]:
    with scratch() as folder:
        model, out = Path(folder) / "model", Path(folder) / "page.html"
        Catalogue(DEFAULT_DIRECTORY).convert(TRANSFORMER, model)
        for name, sentence in SENTENCES.items():
            ways = {
                program: partial(_write, program, str(model), sentence, out)
                for program in (HEED, *OTHERS)
            }
            # The first round fills the caches of the disk.
            yield Compared(name, in_turns(ways, rounds, warmup=1))


def _write(program: str, *given: str | Path) -> Written:
    """Run one program in its process."""
    script = Path(__file__).with_name("file_writers.py")
    interpreter, path = (sys.executable, str(ROOT)) if program == HEED else (THEIRS, "")
    quiet = {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "PYTHONPATH": path}
    began = time.time()
    done = subprocess.run(
        [interpreter, "-P", script, program, *given],
        env=os.environ | quiet,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{program} has ended with {done.returncode}: {done.stderr[-2000:]}")
    said = json.loads(done.stdout.splitlines()[-1])
    return Written(said["written"] - began, said["again"], Path(given[-1]).stat().st_size)


def report(compared: Sequence[Compared]) -> str:
    """Return the table: medians, and ratios within one round."""
    head = ["sentence, program", "process", "over Heed's", "with a loaded model", "over Heed's"]
    rows = [
        _row(each, program, files) for each in compared for program, files in each.files.items()
    ]
    return table([*head, "file", "file and libraries", "file over Heed's"], rows)


def _row(compared: Compared, program: str, files: Sequence[Written]) -> list[str]:
    size = median(files, "size")
    process, loaded, larger = (
        "" if program == HEED else times(compared.over(program, what))
        for what in ("process", "loaded", "size")
    )
    return [
        f"{compared.name}, {program}",
        *(shown(median(files, "process"), " s"), process),
        *(shown(1e3 * median(files, "loaded"), " ms"), loaded),
        *(shown(size / 1e3, " kB"), shown((size + LIBRARIES.get(program, 0)) / 1e3, " kB"), larger),
    ]


def targets(compared: Sequence[Compared]) -> Iterator[Target]:
    """Yield the targets: as quick as the quicker, half as large as the smaller."""
    for each in compared:
        for name, what, bound in (("time", "process", 1), ("size", "size", 2)):
            found = min(each.over(other, what) for other in OTHERS)
            yield Target(f"a page in one file, {each.name}: {name} over Heed's", bound, found)
