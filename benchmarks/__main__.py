"""`make bench`, `python -m benchmarks [--quick] [PART …]`: measure, print, write it down.

Ratios within one run can be compared; times of different runs and machines cannot.
"""

from __future__ import annotations

import argparse
import os
import platform
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from benchmarks import crowd, encoding, page, pages, photos, reach, start, translators, wrk
from benchmarks.contenders import RNN, TRANSFORMER

Measured = TypeVar("Measured")


@dataclass
class Run:
    """What came of the parts so far."""

    quick: bool
    blocks: dict[str, str] = field(default_factory=dict)
    goals: list[reach.Goal] = field(default_factory=list)
    plot: str | None = None

    def translators(self) -> None:
        """Time per token of the models alone."""
        cells = list(_told(translators.measure(quick=self.quick)))
        for name, model in (("recurrent", RNN), ("transformer", TRANSFORMER)):
            self.blocks[name] = translators.report(cells, model)
        self.goals += reach.of_translators(cells)
        self.plot = translators.drawing(cells)

    def crowd(self) -> None:
        """The server, with one client and with many."""
        if wrk.missing():
            sys.exit(wrk.ADVICE)
        crowds = list(_told(crowd.measure(quick=self.quick)))
        self.blocks["crowd"] = crowd.report(crowds)
        self.goals += reach.of_crowds(crowds)

    def start(self) -> None:
        """Time to be ready, memory."""
        starts = start.measure(quick=self.quick)
        self.blocks["start"] = start.report(starts)
        self.goals += reach.of_starts(starts)

    def encoding(self) -> None:
        """JSON, and its compression."""
        self.blocks["encoding"] = encoding.report(encoding.measure(quick=self.quick))

    def photos(self) -> None:
        """A photo to its trace."""
        measured = photos.measure(quick=self.quick)
        self.blocks["photos"] = photos.report(measured)
        self.goals += reach.of_photos(measured)

    def page(self) -> None:
        """What the page weighs and costs, if there is a browser."""
        if measured := page.measure(quick=self.quick):
            self.blocks["page"] = page.report(measured)


PARTS: dict[str, Callable[[Run], None]] = {
    "translators": Run.translators,
    "crowd": Run.crowd,
    "photos": Run.photos,
    "start": Run.start,
    "encoding": Run.encoding,
    "page": Run.page,
}


def _told(measured: Iterator[Measured]) -> Iterator[Measured]:
    """The same; dots show that it goes on."""
    for one in measured:
        print(".", end="", file=sys.stderr, flush=True)
        yield one
    print(file=sys.stderr)


def machine() -> str:
    """Where it was measured."""
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"


def main() -> int:
    """Measure the parts asked for; all of them, unless it is to be quick, are written down."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="few rounds; nothing is written")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # servers and workers end with it
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    began = time.monotonic()
    run = Run(given.quick)
    for name in given.parts or PARTS:
        print(f"{name} …", file=sys.stderr, flush=True)
        before = set(run.blocks)
        PARTS[name](run)
        for block in (name for name in run.blocks if name not in before):
            print(f"\n{run.blocks[block]}\n", flush=True)
    if run.goals:
        print(reach.report(run.goals))
    print(f"\n{machine()}; measured in {time.monotonic() - began:.0f} s")
    if not given.quick:
        if not given.parts:
            run.blocks |= {"reach": reach.report(run.goals), "machine": machine()}
        pages.write(run.blocks, run.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
