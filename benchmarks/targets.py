"""The targets: mostly ratios within one run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from benchmarks import photos, start
from benchmarks.case import RNN, TRANSFORMER, Case
from benchmarks.figures import Target, ratio
from benchmarks.load import Loaded
from benchmarks.served import Served
from benchmarks.translators import Cell

SHORT_MS = 4.0
"""Below it, the fixed costs of a request weigh more beside the model."""
PAGE = {
    "first table": 400,
    "map of the opening example": 600,
    "map of a link with its own sentence": 900,
    "map of a saved trace": 700,
}
"""Milliseconds, on one core."""
LAYOUT_SHIFT = 0.01


def of_translators(cells: Sequence[Cell]) -> Iterator[Target]:
    """Speed of the models alone, on one thread."""
    known = {(c.model, c.case): c for c in cells if c.threads == 1}
    for batch, bound in ((1, 3.5), (16, 3.5)):
        cell = known[RNN, Case(20, batch)]
        yield Target(f"RNN over transformers, {batch} together", bound, cell.over("marian"))
    for batch, bound in ((1, 1.15), (16, 1.6)):
        cell = known[RNN, Case(20, batch)]
        yield Target(f"RNN over CTranslate2, {batch} together", bound, cell.over("ctranslate2"))
    for batch in (1, 16):
        cell = known[TRANSFORMER, Case(20, batch)]
        what = f"Transformer, every head, over CTranslate2 with one, {batch} together"
        yield Target(what, 1, cell.over("ctranslate2"))
    short, long = (known[RNN, Case(length, 1)] for length in (20, 200))
    yield Target("distance to the limit, one sentence", 1.25, short.over_limit(), at_least=False)
    longer = long.microseconds("heed") / short.microseconds("heed")
    yield Target("a token at length 200 over one at 20", 1.5, longer, at_least=False)


def of_load(loads: Sequence[Loaded]) -> Iterator[Target]:
    """Speed of the server."""
    known = {load.clients: load for load in loads}
    for name, bound in (("eager", 12), ("marian", 100)):
        what = f"requests a second, 32 clients, over {name} in the pool"
        yield Target(what, bound, known[32].faster_than(name))
    most = overhead_bound(known[1].model_ms)
    yield Target("p50 over the model alone, 1 client", most, known[1].overhead, at_least=False)
    p50, p99 = (known[32].median("heed", what) for what in ("p50", "p99"))
    yield Target("p99 over p50, 32 clients", 2, p99 / p50, at_least=False)


def of_starts(starts: Mapping[str, Sequence[Served]]) -> Iterator[Target]:
    """Time to be ready and memory, absolute."""
    seconds, megabytes = (start.median(starts["heed"], w) for w in ("ready_after", "megabytes"))
    yield Target("ready to serve", 1, seconds, at_least=False, unit=" s")
    yield Target("resident with one RNN", 180, megabytes, at_least=False, unit=" MB")


def of_photos(measured: Mapping[str, Sequence[float]]) -> Iterator[Target]:
    """Speed of a captioner."""
    over = ratio(measured[photos.HEED], measured[photos.EAGER])
    yield Target("12 MP to trace over eager PyTorch", 4, over)


def overhead_bound(model_ms: float) -> float:
    """The largest ratio of an answer's p50 to the time of the model alone, with one client."""
    return 1.35 if model_ms < SHORT_MS else 1.15


def of_page(opening: Mapping[str, float]) -> Iterator[Target]:
    """Time until a page shows something, and how much it moves."""
    for what, bound in PAGE.items():
        yield Target(what, bound, opening[what], at_least=False, unit=" ms")
    yield Target("layout shift", LAYOUT_SHIFT, opening["layout shift"], at_least=False, unit="")
