"""`make bench`, `python -m benchmarks [--quick] [PART …]`: measure, print, update the docs.

Compare ratios within one run, never times of different runs or machines.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from benchmarks import (
    document,
    encoding,
    load,
    one_file,
    page,
    photos,
    recording,
    start,
    targets,
    translators,
    wrk,
)
from benchmarks.case import RNN, TRANSFORMER
from benchmarks.figures import Target, machine, targets_table

Measured = TypeVar("Measured")


@dataclass
class Run:
    """The results of the parts so far."""

    quick: bool
    blocks: dict[str, str] = field(default_factory=dict)
    targets: list[Target] = field(default_factory=list)
    plot: str | None = None

    def translators(self) -> None:
        """Time per token of the models alone."""
        cells = list(_dotted(translators.measure(quick=self.quick)))
        for name, model in (("recurrent", RNN), ("transformer", TRANSFORMER)):
            self.blocks[name] = translators.report(cells, model)
        self.targets += targets.of_translators(cells)
        self.plot = translators.drawing(cells)

    def load(self) -> None:
        """The server, with one client and with many."""
        if wrk.missing():
            sys.exit(wrk.ADVICE)
        loads = list(_dotted(load.measure(quick=self.quick)))
        self.blocks["load"] = load.report(loads)
        self.targets += targets.of_load(loads)

    def start(self) -> None:
        """Time to be ready, memory."""
        starts = start.measure(quick=self.quick)
        self.blocks["start"] = start.report(starts)
        self.targets += targets.of_starts(starts)

    def encoding(self) -> None:
        """JSON and its compression."""
        self.blocks["encoding"] = encoding.report(encoding.measure(quick=self.quick))

    def photos(self) -> None:
        """A photo to its trace."""
        measured = photos.measure(quick=self.quick)
        self.blocks["photos"] = photos.report(measured)
        self.targets += targets.of_photos(measured)

    def page(self) -> None:
        """Size and speed of the page, if there is a browser."""
        if measured := page.measure(quick=self.quick):
            self.blocks["page"] = page.report(measured)
            self.targets += targets.of_page(measured.opening)

    def files(self) -> None:
        """A sentence to a page in one file, beside bertviz and inseq."""
        compared = list(_dotted(one_file.measure(quick=self.quick)))
        self.blocks["files"] = one_file.report(compared)
        self.targets += one_file.of_files(compared)

    def recording(self) -> None:
        """The cost of recording, over transformers' `eager`."""
        measured = list(_dotted(recording.measure(quick=self.quick)))
        self.blocks["recording"] = recording.report(measured)
        self.targets += recording.of_recording(measured)


PARTS: dict[str, Callable[[Run], None]] = {
    "translators": Run.translators,
    "load": Run.load,
    "photos": Run.photos,
    "start": Run.start,
    "encoding": Run.encoding,
    "page": Run.page,
    "files": Run.files,
    "recording": Run.recording,
}


def _dotted(measured: Iterator[Measured]) -> Iterator[Measured]:
    """The same, with a dot of progress for each."""
    for one in measured:
        print(".", end="", file=sys.stderr, flush=True)
        yield one
    print(file=sys.stderr)


def main() -> int:
    """Measure the given parts, or all; unless quick, write the figures into the document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument(
        "--quick", action="store_true", help="few rounds; the document is left alone"
    )
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # servers and workers end with it
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"unknown part {', '.join(sorted(unknown))}")
    began = time.monotonic()
    run = Run(options.quick)
    for name in options.parts or PARTS:
        print(f"{name} …", file=sys.stderr, flush=True)
        before = set(run.blocks)
        PARTS[name](run)
        for block in (name for name in run.blocks if name not in before):
            print(f"\n{run.blocks[block]}\n", flush=True)
    if run.targets:
        print(targets_table(run.targets))
    print(f"\n{machine()}; measured in {time.monotonic() - began:.0f} s")
    if not options.quick:
        if not options.parts:
            run.blocks |= {"targets": targets_table(run.targets), "machine": machine()}
        document.write(run.blocks, run.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
