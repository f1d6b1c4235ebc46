"""The time from a photo of 12 megapixels to its trace, against eager PyTorch."""

from __future__ import annotations

from benchmarks.case import Case
from benchmarks.figures import Report, Target, compared, ratio
from benchmarks.rounds import interleaved, workers

NAMES = {"photo:caption-soft": "Heed", "photo-eager:caption-soft": "eager PyTorch, full decode"}
ROUNDS = 9


def measure(*, quick: bool) -> Report:
    """Measure a photo on one thread."""
    with workers(list(NAMES), 1) as runners:
        found = interleaved(runners, Case(1, 1), 3 if quick else ROUNDS, 0.0)
    measured = {NAMES[name]: seconds for name, seconds in found.items()}
    target = Target("12 MP to trace over eager PyTorch", 4, ratio(*measured.values()))
    head = ["12 MP to trace, one thread", "ms", "over Heed's"]
    return Report({"photos": compared(head, measured)}, [target])
