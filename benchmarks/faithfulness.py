"""The table of docs/faithfulness.md: audits of the translators over held-out captions.

    make audit-table DATA=folder [COUNT=300]

Each audit is a line of a file beside the weights' digest, so that a run that was stopped goes on.
Orders between their bounds take most of the time: only the first audits of short rows have them.
The texts are those of Multi30k's test set of 2016, which no training has seen; what is audited is
what each model writes by itself.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from benchmarks.document import DOCS, ROOT
from benchmarks.figures import Options, Report, table
from heed.models.audit.audit import Audit, AuditRun
from heed.models.audit.choices import AuditChoices
from heed.models.audit.verdict import BIT, edge_and_word, strongest_cost
from heed.models.catalogue import Catalogue
from heed.models.generation.pipeline import GenerationPipeline
from heed.models.generation.requests import TextRequest

KEPT = ROOT / ".cache" / "audits"
MODELS = (
    *("en-fr-additive", "en-fr-additive-free", "en-fr-concat", "en-fr-dot"),
    *("en-fr-general", "en-fr-scaled", "en-fr-transformer"),
)
BOUNDED, SEEDS, RESAMPLED = 30, 20, 1_000

Figures = Mapping[str, float | None]
COLUMNS: Sequence[tuple[str, Sequence[str], Callable[[float], str]]] = (
    ("three strongest blocked, bits", ("strongest", "strongest_random"), lambda x: f"{x:.1f}"),
    ("same first word", ("first", "first_diagonal"), lambda x: f"{100 * x:.0f} %"),
    ("τ with the effects", ("tau", "tau_diagonal"), lambda x: f"{x:.2f}"),
    ("τ with leaving out", ("tau_left_out",), lambda x: f"{x:.2f}"),
    ("edge, word, bits", ("edge", "word"), lambda x: f"{x:.1f}"),
    ("comprehensiveness", ("comprehensiveness", "comprehensiveness_effects"), lambda x: f"{x:.2f}"),
    ("sufficiency", ("sufficiency", "sufficiency_effects"), lambda x: f"{x:.2f}"),
    ("equal weights", ("uniform",), lambda x: f"{x:.2f}"),
)
"""Each column with its figure, and the baseline that stands behind it."""


def figures_of(audit: Audit) -> Figures:
    """Return the figures of one audit."""
    agreements, costs = audit.agreements, strongest_cost(audit)
    gap = None if audit.left_out is None else edge_and_word(audit.left_out)
    orders = audit.orders
    return {
        "strongest": costs and costs[0],
        "strongest_random": costs and costs[1].mean,
        "first": agreements.attention.first,
        "first_diagonal": agreements.place.first,
        "tau": agreements.attention.tau,
        "tau_diagonal": agreements.place.tau,
        "tau_left_out": agreements.left_out and agreements.left_out.tau,
        "edge": gap and gap[0],
        "word": gap and gap[1],
        "comprehensiveness": orders and orders.attention.comprehensiveness,
        "sufficiency": orders and orders.attention.sufficiency,
        "comprehensiveness_effects": orders and orders.effects.comprehensiveness,
        "sufficiency_effects": orders and orders.effects.sufficiency,
        "uniform": float(audit.distances.uniform.mean()),
        "largest": float(np.nanmax(audit.costs) / BIT),
    }


def interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean, and its interval of 95 % by bootstrap."""
    known = np.array(values)
    drawn = np.random.default_rng(0).integers(len(known), size=(RESAMPLED, len(known)))
    low, high = np.percentile(known[drawn].mean(axis=1), (2.5, 97.5))
    return float(known.mean()), float(low), float(high)


def measured(model: str, texts: Sequence[str]) -> Iterator[Figures]:
    """Audit each text, or read the figures that are kept of it."""
    catalogue = Catalogue()
    path = KEPT / f"{model}-{catalogue.cards[model].weights[:12]}.jsonl"
    kept: dict[str, Figures] = {}
    if path.exists():
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line)
            kept[record["text"]] = record["figures"]
    pipeline: Any = None
    bounded = 0
    for text in texts:
        if text not in kept:
            pipeline = pipeline or catalogue.load(model)
            kept[text] = _audited(pipeline, text, AuditRun if bounded < BOUNDED else _Unbounded)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"text": text, "figures": kept[text]}) + "\n")
        bounded += kept[text]["comprehensiveness"] is not None
        yield kept[text]


class _Unbounded(AuditRun[Any]):
    """An audit whose orders are not bounded."""

    def _value_sets(self, *_: object, **__: object) -> Iterator[None]:
        return iter(())


def _audited(pipeline: GenerationPipeline[Any], text: str, kind: type[AuditRun[Any]]) -> Figures:
    run = kind(pipeline, pipeline.prepare(TextRequest(text)), AuditChoices(seeds=SEEDS))
    return figures_of(run.finished())


def report(results: Mapping[str, Sequence[Figures]]) -> str:
    """Return the table: a row for each model, with intervals below the means."""
    rows = [
        [
            f"`{model}`",
            str(len(found)),
            *(
                " · ".join(_cell(found, name, write) for name in names)
                for _, names, write in COLUMNS
            ),
        ]
        for model, found in results.items()
    ]
    return table(["model", "n", *(name for name, _, _ in COLUMNS)], rows)


def _cell(all_figures: Sequence[Figures], name: str, write: Callable[[float], str]) -> str:
    values = [value for figures in all_figures if (value := figures[name]) is not None]
    if not values:
        return "–"
    mean, low, high = (write(number + 0.0) for number in interval(values))
    count = "" if len(values) == len(all_figures) else f", n = {len(values)}"
    return signed(f"{mean} ({low} to {high}{count})")


def signed(text: str) -> str:
    """Return a text with signs of minus, and none before zero."""
    return re.sub(r"-(?=0\.?0*(?![\d.]))", "", text).replace("-", "−")


def measure(options: Options) -> Report:
    """Audit all models."""
    captions = options.corpora / "multi30k" / "test_2016_flickr.en.gz"
    with gzip.open(captions, "rt", encoding="utf-8") as file:
        texts = [line.strip() for line in islice(file, options.count)]
    results = {model: list(measured(model, texts)) for model in MODELS}
    return Report({"faithfulness": report(results)}, document=DOCS / "faithfulness.md")
