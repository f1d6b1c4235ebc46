"""A model as JSON, and its summary in one line, which the page shows below its name."""

from __future__ import annotations

from typing import Any

from heed.models.card import Card
from heed.models.mechanisms import mechanism_named

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
    return {**card_out(card), "default": False, "loaded": True, "summary": model_summary(card)}


def card_out(card: Card) -> dict[str, Any]:
    """Return what a card says of its model as JSON, without the text."""
    mechanism = mechanism_named(card.mechanism)
    return {
        "id": card.id,
        "name": card.name,
        "task": card.task,
        "source": {"code": card.source.code, "name": card.source.name},
        "target": {"code": card.target.code, "name": card.target.name},
        "family": card.family,
        "mechanism": card.mechanism,
        "formula": mechanism.formula,
        "paper": mechanism.paper,
        "order": card.order,
        "input_feeding": card.input_feeding,
        "heads": card.heads,
        "layers": card.layers,
        "parameters": card.parameters,
        "bytes": card.bytes,
        "weights": card.weights,
        "granularity": card.granularity,
        "quality": dict(card.quality),
        "limits": {
            "characters": card.limits.characters,
            "tokens": card.limits.tokens,
            "steps": card.limits.steps,
        },
        "examples": list(card.examples),
        "hints": dict(card.hints),
        "guided": card.guided,
        "unguided": card.unguided,
        "learned_from": card.learned_from,
    }


def model_summary(card: Card) -> str:
    """Mechanism, size, and quality on held-out data."""
    quality = card.quality
    none = card.mechanism == "none"
    mechanism = "no" if none else card.mechanism.replace("-", " ").replace("_", " ")
    others = [name for name in quality if name.endswith("_bleu")][:OTHER_SCORES]
    sets = {name: name.removesuffix("_bleu").replace("_", " ") for name in others}
    scores = {name: known for name, known in SCORED.items() if name in quality} or sets
    parts = [
        f"{mechanism} attention",
        f"{card.heads} heads" if card.heads > 1 else "",
        f"{card.layers} layers" if card.layers > 1 else "",
        f"{_compact(card.parameters)} parameters",
        card.guided,
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
