"""The summary of a model in one line, which the page shows below its name."""

from __future__ import annotations

from heed.app.inference.catalogue import model_out
from heed.app.schemas import ModelOut
from heed.models.card import Card

SEPARATOR = " · "
QUALITY = {
    "exact_match": "{} correct",
    "alignment_agreement": "looks at the right word {} of the time",
}
"""Measured shares that are shown at a glance; the card has the others."""
SCORED = {"multi30k_test_bleu": "captions", "tatoeba_bleu": "everyday sentences"}
"""BLEU on sets that have a plain name. A model measured on others shows the first two of them."""
OTHER_SCORES = 2
ALMOST_ALL = 0.9995


def described(card: Card) -> dict[str, object]:
    """Describe a model for a page in one file."""
    model = model_out(card, default=False, loaded=True)
    return model.model_dump(exclude={"card"}) | {"summary": model_summary(model)}


def model_summary(model: ModelOut) -> str:
    """Mechanism, size, and quality on held-out data."""
    quality = model.quality
    none = model.mechanism == "none"
    mechanism = "no" if none else model.mechanism.replace("-", " ").replace("_", " ")
    others = [name for name in quality if name.endswith("_bleu")][:OTHER_SCORES]
    sets = {name: name.removesuffix("_bleu").replace("_", " ") for name in others}
    scores = {name: known for name, known in SCORED.items() if name in quality} or sets
    parts = [
        f"{mechanism} attention",
        f"{model.heads} heads" if model.heads > 1 else "",
        f"{model.layers} layers" if model.layers > 1 else "",
        f"{_compact(model.parameters)} parameters",
        model.guided,
        *(
            text.format(_percent(quality[name]))
            for name, text in QUALITY.items()
            if name in quality
        ),
        *(f"BLEU {quality[name]:.1f} on {known}" for name, known in scores.items()),
    ]
    return SEPARATOR.join(filter(None, parts))


def _compact(count: int) -> str:
    """A count in two digits: `240K`."""
    rounded = float(f"{count:.2g}")
    for size, letter in ((1e9, "B"), (1e6, "M"), (1e3, "K")):
        if rounded >= size:
            return f"{rounded / size:g}{letter}"
    return f"{rounded:g}"


def _percent(share: float) -> str:
    return f"{share * 100:.{0 if share >= ALMOST_ALL else 1}f}\N{NO-BREAK SPACE}%"
