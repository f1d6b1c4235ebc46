"""The models alone: time per output token, against others and against the limit."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO

from benchmarks.case import RNN, TRANSFORMER, Case
from benchmarks.figures import (
    Options,
    Report,
    Row,
    Target,
    dotted,
    most,
    ratio,
    shown,
    table,
    times,
)
from benchmarks.rounds import interleaved, workers

ROUNDS, SECONDS = 5, 0.06
LONG, ROUNDS_OF_LONG = 100, 3
BATCHES = (1, 16)
CASES = {  # by threads
    1: [Case(length, batch) for length in (10, 20, 50, 100, 200) for batch in BATCHES],
    2: [Case(length, batch) for length in (20, 100) for batch in BATCHES],
}
QUICK = {1: [Case(20, 1), Case(20, 16), Case(200, 1)]}

NAMES = {
    "heed": "Heed",
    "heed-onnx": "Heed on ONNX Runtime",
    "heed-torch": "Heed on PyTorch",
    "marian": "transformers",
    "marian-shallow": "transformers, 2 layers",
    "ctranslate2": "CTranslate2",
    "ctranslate2-shallow": "CTranslate2, 2 layers",
    "eager": "tutorial",
    "eager-keys": "tutorial, keys kept",
    "limit": "limit, 32 bits",
    "limit-half": "limit, 16 bits",
}
LIMITS = ("limit", "limit-half")
OTHERS = ("heed-onnx", "heed-torch", "marian", "ctranslate2")
KINDS = {RNN: tuple(NAMES), TRANSFORMER: ("heed", *OTHERS, *LIMITS)}
DRAWN = [kind for kind in NAMES if not kind.endswith(("-shallow", "-onnx", "-torch"))]
BOUNDS = (  # of one sentence, and of a batch
    (RNN, "RNN over transformers", "marian", (3.5, 3.5)),
    (RNN, "RNN over CTranslate2", "ctranslate2", (1.15, 1.6)),
    (TRANSFORMER, "Transformer, every head, over CTranslate2 with one", "ctranslate2", (1, 1)),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """The times of one case of one model."""

    model: str
    threads: int
    case: Case
    seconds: Mapping[str, Sequence[float]]  # per output token, by kind, one for each round

    def over(self, kind: str) -> float:
        """The time of a contender over that of Heed."""
        return ratio(self.seconds["heed"], self.seconds[kind])

    def over_limit(self, kind: str) -> float:
        """The time of Heed over the limit."""
        return ratio(self.seconds[kind], self.seconds["heed"])

    def microseconds(self, kind: str) -> float:
        """Microseconds per output token."""
        return 1e6 * statistics.median(self.seconds[kind])


def measure(options: Options) -> Report:
    """Measure all cells, and draw them."""
    cells = list(dotted(_cells(quick=options.quick)))
    blocks = {"recurrent": report(cells, RNN), "transformer": report(cells, TRANSFORMER)}
    return Report(blocks, list(targets(cells)), drawing(cells))


def _cells(*, quick: bool) -> Iterator[Cell]:
    for threads, cases in (QUICK if quick else CASES).items():
        names = [f"{kind}:{model}" for model, kinds in KINDS.items() for kind in kinds]
        with workers(names, threads) as runners:
            for case in cases:
                rounds = 2 if quick else ROUNDS if case.length < LONG else ROUNDS_OF_LONG
                measured = interleaved(runners, case, rounds, SECONDS)
                yield from (_cell(model, threads, case, measured) for model in KINDS)


def _cell(model: str, threads: int, case: Case, measured: Mapping[str, list[float]]) -> Cell:
    written = case.length * case.batch
    seconds = {
        kind: [whole / written for whole in measured[f"{kind}:{model}"]] for kind in KINDS[model]
    }
    return Cell(model, threads, case, seconds)


def targets(cells: Sequence[Cell]) -> Iterator[Target]:
    """Yield the targets, of one thread."""
    known = {(c.model, c.case): c for c in cells if c.threads == 1}
    for model, what, kind, bounds in BOUNDS:
        for batch, bound in zip(BATCHES, bounds, strict=True):
            over = known[model, Case(20, batch)].over(kind)
            yield Target(f"{what}, {batch} together", bound, over)
    short, long = (known[RNN, Case(length, 1)] for length in (20, 200))
    yield most("distance to the limit, one sentence", 1.25, short.over_limit("limit"))
    longer = long.microseconds("heed") / short.microseconds("heed")
    yield most("a token at length 200 over one at 20", 1.5, longer)


def report(cells: Sequence[Cell], model: str) -> str:
    """The table of one model."""
    kinds = [kind for kind in KINDS[model] if kind not in ("heed", *LIMITS)]
    head = ["threads, sentences, tokens each", "Heed, µs a token", *(NAMES[kind] for kind in kinds)]
    head += [f"Heed / {NAMES[kind]}" for kind in LIMITS]
    return table(head, [_row(c, kinds) for c in cells if c.model == model])


def _row(cell: Cell, kinds: Sequence[str]) -> Row:
    threads = f"{cell.threads} thread{'s' * (cell.threads > 1)}"
    return [
        f"{threads}, {cell.case.batch} × {cell.case.length}",
        shown(cell.microseconds("heed")),
        *(times(cell.over(kind)) for kind in kinds),
        *(times(cell.over_limit(kind)) for kind in LIMITS),
    ]


def drawing(cells: Sequence[Cell]) -> str:
    """Time per token over length, for the recurrent model on one thread."""
    from matplotlib import pyplot  # nothing else of the benchmarks needs it

    figure, panels = pyplot.subplots(1, len(BATCHES), sharey=True, figsize=(10, 4))
    for panel, batch, title in zip(
        panels, BATCHES, ("one sentence", "sixteen together"), strict=True
    ):
        mine = [c for c in cells if (c.model, c.threads, c.case.batch) == (RNN, 1, batch)]
        lengths = [cell.case.length for cell in mine]
        for kind in DRAWN:
            panel.loglog(lengths, [c.microseconds(kind) for c in mine], label=NAMES[kind])
        panel.set(title=title, xlabel="input tokens, and as many output tokens")
        panel.set_xticks(lengths, [str(length) for length in lengths])
        panel.set_xticks([], minor=True)
        panel.grid(axis="y", which="both", alpha=0.3)
    panels[0].set_ylabel("µs per output token")
    panels[-1].legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    file = StringIO()
    figure.savefig(file, format="svg", bbox_inches="tight", metadata={"Date": None})
    return file.getvalue()
