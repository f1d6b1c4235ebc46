"""What is to be reached, as ratios within one run, and whether it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks import photos, start
from benchmarks.contenders import RNN, TRANSFORMER, Case
from benchmarks.crowd import Crowded
from benchmarks.figures import ratio, shown, table
from benchmarks.served import Served
from benchmarks.translators import Cell


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure, and the bound that it must keep."""

    what: str
    bound: float
    found: float
    at_least: bool = True
    unit: str = "×"

    @property
    def met(self) -> bool:
        """Whether it is kept."""
        return self.found >= self.bound if self.at_least else self.found <= self.bound

    @property
    def row(self) -> list[str]:
        """Of the table."""
        sign = "≥" if self.at_least else "≤"
        found = shown(self.found, self.unit)
        return [self.what, f"{sign} {self.bound:g}{self.unit}", found, "yes" if self.met else "no"]


def of_translators(cells: Sequence[Cell]) -> Iterator[Goal]:
    """Speed of the models alone, on one thread."""
    known = {(c.model, c.case): c for c in cells if c.threads == 1}
    for batch, bound in ((1, 3.5), (16, 3.5)):
        cell = known[RNN, Case(20, batch)]
        yield Goal(f"RNN over transformers, {batch} together", bound, cell.over("marian"))
    for batch, bound in ((1, 1.15), (16, 1.6)):
        cell = known[RNN, Case(20, batch)]
        yield Goal(f"RNN over CTranslate2, {batch} together", bound, cell.over("ctranslate2"))
    for batch in (1, 16):
        cell = known[TRANSFORMER, Case(20, batch)]
        what = f"Transformer, every head, over CTranslate2 with one, {batch} together"
        yield Goal(what, 1, cell.over("ctranslate2"))
    short, long = (known[RNN, Case(length, 1)] for length in (20, 200))
    yield Goal("distance to the limit, one sentence", 1.25, short.over_limit(), at_least=False)
    longer = long.microseconds("heed") / short.microseconds("heed")
    yield Goal("a token at length 200 over one at 20", 1.5, longer, at_least=False)


def of_crowds(crowds: Sequence[Crowded]) -> Iterator[Goal]:
    """Speed of the server."""
    known = {crowd.clients: crowd for crowd in crowds}
    for name, bound in (("eager", 12), ("marian", 100)):
        what = f"requests a second, 32 clients, over {name} in the pool"
        yield Goal(what, bound, known[32].faster_than(name))
    yield Goal("p50 over the model alone, 1 client", 1.15, known[1].overhead, at_least=False)
    p50, p99 = (known[32].median("heed", what) for what in ("p50", "p99"))
    yield Goal("p99 over p50, 32 clients", 2, p99 / p50, at_least=False)


def of_starts(starts: Mapping[str, Sequence[Served]]) -> Iterator[Goal]:
    """Time to be ready and memory, absolute."""
    seconds, megabytes = (start.median(starts["heed"], w) for w in ("ready_after", "megabytes"))
    yield Goal("ready to serve", 1, seconds, at_least=False, unit=" s")
    yield Goal("resident with one RNN", 180, megabytes, at_least=False, unit=" MB")


def of_photos(measured: Mapping[str, Sequence[float]]) -> Iterator[Goal]:
    """Speed of a captioner."""
    over = ratio(measured[photos.OURS], measured[photos.EAGER])
    yield Goal("12 MP to trace over eager PyTorch", 4, over)


def report(goals: Sequence[Goal]) -> str:
    """The table."""
    return table(["what", "to reach", "measured", "met"], [goal.row for goal in goals])
