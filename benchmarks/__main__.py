"""`make bench`, `python -m benchmarks [--quick] [PART …]`: measure, print, update the docs.

Compare ratios within one run, never times of different runs or machines.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time

from benchmarks import (
    audits,
    document,
    edits,
    encoding,
    load,
    one_file,
    page,
    photos,
    recording,
    start,
    translators,
)
from benchmarks.figures import MissingError, Target, machine, targets_table

PARTS = {
    "translators": translators.measure,
    "load": load.measure,
    "photos": photos.measure,
    "start": start.measure,
    "encoding": encoding.measure,
    "page": page.measure,
    "files": one_file.measure,
    "recording": recording.measure,
    "edits": edits.measure,
    "audits": audits.measure,
}


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
    blocks: dict[str, str] = {}
    targets: list[Target] = []
    plot: str | None = None
    for name in options.parts or PARTS:
        print(f"{name} …", file=sys.stderr, flush=True)
        try:
            report = PARTS[name](quick=options.quick)
        except MissingError as missing:
            print(missing, file=sys.stderr)
            continue
        for block in report.blocks.values():
            print(f"\n{block}\n", flush=True)
        blocks |= report.blocks
        targets += report.targets
        plot = plot or report.plot
    if targets:
        print(targets_table(targets))
    print(f"\n{machine()}; measured in {time.monotonic() - began:.0f} s")
    if not options.quick:
        if not options.parts:
            blocks |= {"targets": targets_table(targets), "machine": machine()}
        document.write(blocks, plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
