"""`make bench`, `python -m benchmarks [--quick] [PART …]`: measure, print, update the docs.

Compare ratios within one run, never times of different runs or machines. A part is a module, whose
`measure` returns a report.
"""

from __future__ import annotations

import argparse
import importlib
import signal
import sys
import time
from pathlib import Path

from benchmarks import document
from benchmarks.figures import MissingError, Options, Report, Target, machine, targets_table

PERFORMANCE = (
    "translators load photos start encoding page files recording edits audits"  # in their order
).split()
"""The parts of docs/performance.md, which are measured if none is named."""
OTHERS = "scaling simulation growing large_trace faults faithfulness".split()


def main() -> int:
    """Measure the given parts, or those of the page; unless quick, write the figures into it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PERFORMANCE + OTHERS))
    parser.add_argument("--quick", action="store_true", help="few rounds; no document is changed")
    parser.add_argument("--data", type=Path, help="the folder of the corpora, for the last two")
    parser.add_argument("--count", type=int, default=300, help="texts of each model, for the last")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # servers and workers end with it
    if unknown := set(options.parts) - {*PERFORMANCE, *OTHERS}:
        parser.error(f"unknown part {', '.join(sorted(unknown))}")
    began = time.monotonic()
    chosen = Options(options.quick, options.data, options.count)
    targets: list[Target] = []
    for name in options.parts or PERFORMANCE:
        print(f"{name} …", file=sys.stderr, flush=True)
        try:
            report: Report = importlib.import_module(f"benchmarks.{name}").measure(chosen)
        except MissingError as missing:
            print(missing, file=sys.stderr)
            continue
        for block in report.blocks.values():
            print(f"\n{block}\n", flush=True)
        if not options.quick:
            document.write(report.blocks, report.plot, report.document)
        targets += report.targets
    if targets:
        print(targets_table(targets))
    print(f"\n{machine()}; measured in {time.monotonic() - began:.0f} s")
    if not options.quick and not options.parts:
        document.write({"targets": targets_table(targets), "machine": machine()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
