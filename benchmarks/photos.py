"""The time from a photo of 12 megapixels to its trace, against eager PyTorch."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from benchmarks.case import Case
from benchmarks.figures import ratio, shown, table, times
from benchmarks.rounds import interleaved, workers

MODEL = "caption-soft"
ROUNDS = 9
HEED, EAGER = f"photo:{MODEL}", f"photo-eager:{MODEL}"


def measure(*, quick: bool) -> dict[str, list[float]]:
    """Seconds per photo, on one thread."""
    with workers([HEED, EAGER], 1) as runners:
        return interleaved(runners, Case(1, 1), 3 if quick else ROUNDS, 0.0)


def report(measured: Mapping[str, Sequence[float]]) -> str:
    """The table."""
    names = {HEED: "Heed", EAGER: "eager PyTorch, full decode"}
    rows = [
        [names[kind], shown(1e3 * statistics.median(each)), times(ratio(measured[HEED], each))]
        for kind, each in measured.items()
    ]
    return table(["12 MP to trace, one thread", "ms", "over Heed's"], rows)
