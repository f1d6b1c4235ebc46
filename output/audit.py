"""An audit as JSON and as NumPy's arrays: every figure, its baseline, and its choices in words."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heed.models.audit.agreement import Agreement
from heed.models.audit.audit import Audit, Band, RowOrders
from heed.models.audit.choices import in_words
from heed.models.audit.orders import OrderScore
from heed.models.audit.other_trainings import Compared, OtherTrainings
from heed.models.audit.verdict import Measured, noun_of, verdict
from heed.output.serialize import JsonObject, trace_out

AUDIT_SCHEMA: Final = "heed.audit/1"
DIGITS: Final = 5


def audit_out(audit: Audit, version: str) -> JsonObject:
    """Return an audit as the API gives it. Costs are differences of natural logarithms."""
    fields: JsonObject = {
        "schema": AUDIT_SCHEMA,
        **about(audit, version),
        "verdict": list(verdict(audit)),
        "log_probabilities": numbers(audit.log_probabilities),
        "attention": numbers(audit.attention),
        "costs": numbers(audit.costs),
        "controls": {
            "keys": audit.controls.keys,
            "cost": numbers(audit.controls.cost),
            "random": numbers(audit.controls.random),
        },
        "distances": {
            "uniform": numbers(audit.distances.uniform),
            "permuted": numbers(audit.distances.permuted),
        },
        "agreement": {
            "attention": _agreement(audit.agreements.attention),
            "place": _agreement(audit.agreements.place),
            "random_tau": band_out(audit.agreements.random_tau),
            "random_first": number(audit.agreements.random_first),
            **{
                name: _agreement(figures)
                for name, figures in (
                    ("weighted", audit.values.weighted_agreement),
                    ("zeroed", audit.values.zeroed_agreement),
                )
                if figures is not None
            },
        },
    }
    fields |= {name: numbers(map_) for name, map_ in audit.values.maps().items()}
    if audit.given_back is not None:
        fields["given_back"] = numbers(audit.given_back)
    if (left := audit.left_out) is not None:
        fields["left_out"] = {
            "words": list(left.words),
            "cost": numbers(left.cost),
            "attention": numbers(left.attention),
            "strongest": list(left.strongest),
            "taken": numbers(left.taken),
        }
    if audit.agreements.left_out is not None:
        fields["agreement"]["left_out"] = _agreement(  # type: ignore[index]
            audit.agreements.left_out
        )
    if audit.orders is not None:
        fields["orders"] = orders_out(audit.orders)
    if audit.trainings is not None:
        fields["trainings"] = _trainings(audit.trainings)
    return fields


def _trainings(trainings: OtherTrainings) -> JsonObject:
    fields: JsonObject = {
        "strongest": list(trainings.strongest),
        "agreeing": trainings.agreeing,
        "others": [
            {"seed": seed, **_compared(other)}
            for seed, other in zip(trainings.seeds, trainings.trainings, strict=True)
        ],
    }
    if trainings.baseline is not None:
        fields["mechanism"] = {"model": trainings.mechanism, **_compared(trainings.baseline)}
    return fields


def _compared(other: Compared) -> JsonObject:
    return {
        "attention": numbers(other.attention),
        "distances": numbers(other.distances),
        "strongest": list(other.strongest),
    }


def about(figure: Measured, version: str) -> JsonObject:
    """Return the run behind a figure, and its choices, also in words."""
    trace, choices, maps = figure.trace, figure.choices, figure.maps
    forced = trace.request.target is not None
    return {
        "trace": trace_out(trace, "weights"),
        "choices": {
            "removal": choices.removal,
            "layer": choices.layer,
            "head": choices.head,
            "row": choices.row,
            "seeds": choices.seeds,
            "unit": choices.unit,
        },
        "words": list(in_words(choices, maps.layers, maps.heads, forced=forced)),
        "noun": noun_of(figure),
        "rows": figure.rows,
        "version": version,
    }


def write_audit_npz(audit: Audit) -> bytes:
    """Write the figures of an audit as an archive of arrays, every number as it was computed."""
    arrays: dict[str, Any] = {
        "source": np.array(axis_names(audit.trace.source)),
        "target": np.array(axis_names(audit.trace.output.target)),
        "log_probabilities": audit.log_probabilities,
        "attention": audit.attention,
        "costs": audit.costs,
        "strongest": audit.controls.cost,
        "random": audit.controls.random,
        "uniform": audit.distances.uniform,
        "permuted": audit.distances.permuted,
        "verdict": np.array(verdict(audit)),
    }
    if audit.given_back is not None:
        arrays["given_back"] = audit.given_back
    arrays |= audit.values.maps()
    if audit.left_out is not None:
        arrays |= {
            "left_out": audit.left_out.cost,
            "left_out_words": np.array(audit.left_out.words),
        }
    if audit.orders is not None:
        arrays |= {
            "orders_row": np.array(audit.orders.row),
            "orders_keys": np.array(audit.orders.keys),
            "orders_attention": np.array(audit.orders.attention.taken),
        }
    if (trainings := audit.trainings) is not None:
        others = trainings.trainings
        arrays |= {
            "training_seeds": np.array(trainings.seeds),
            "training_attention": np.array([other.attention for other in others]),
            "training_distances": np.array([other.distances for other in others]),
        }
        if trainings.baseline is not None:
            arrays["mechanism_distances"] = trainings.baseline.distances
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def axis_names(axis: object) -> list[str]:
    """Return the names of the tokens of an axis, or the numbers of its cells."""
    tokens = getattr(axis, "tokens", None)
    if tokens is not None:
        return [token.text for token in tokens]
    return [str(place) for place in range(len(axis))]  # type: ignore[arg-type]


def orders_out(orders: RowOrders) -> JsonObject:
    """Return the orders of a row."""
    fields: JsonObject = {
        "row": orders.row,
        "keys": list(orders.keys),
        "sets": orders.sets,
        "least": number(orders.bounds.least),
        "greatest": number(orders.bounds.greatest),
        "best": list(orders.bounds.best),
        "worst": list(orders.bounds.worst),
        "attention": _score(orders.attention),
        "effects": _score(orders.effects),
    }
    if orders.random is not None:
        fields["random"] = [band_out(random) for random in orders.random]
    return fields


def _score(score: OrderScore) -> JsonObject:
    return {
        "comprehensiveness": number(score.comprehensiveness),
        "sufficiency": number(score.sufficiency),
        "taken": numbers(np.array(score.taken)),
        "left": numbers(np.array(score.left)),
    }


def _agreement(agreement: Agreement) -> Mapping[str, object]:
    return {
        "tau": number(agreement.tau),
        "first": number(agreement.first),
        "taus": [number(tau) for tau in agreement.taus],
    }


def band_out(band: Band) -> Mapping[str, object]:
    """Return a figure of several seeds."""
    return {name: number(value) for name, value in band._asdict().items()}


def number(value: float | None) -> float | None:
    """Return a number to five digits; None for NaN."""
    return None if value is None or not np.isfinite(value) else round(float(value), DIGITS)


def numbers(values: NDArray[np.float64]) -> list[Any]:
    """Return an array as lists, with None in place of NaN; no number is -0."""
    rounded = np.round(values, DIGITS) + 0.0
    return np.where(np.isfinite(rounded), rounded, None).tolist()  # type: ignore[call-overload, no-any-return]
