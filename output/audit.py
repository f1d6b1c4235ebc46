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
from heed.models.audit.verdict import noun_of, verdict
from heed.output.serialize import JsonObject, trace_out

AUDIT_SCHEMA: Final = "heed.audit/1"
DIGITS: Final = 5


def audit_out(audit: Audit) -> JsonObject:
    """Return an audit as the API gives it. Costs are differences of natural logarithms."""
    forced = audit.trace.request.target is not None
    fields: JsonObject = {
        "schema": AUDIT_SCHEMA,
        "trace": trace_out(audit.trace, "weights"),
        "choices": _choices(audit),
        "words": list(in_words(audit.choices, audit.maps.layers, audit.maps.heads, forced=forced)),
        "verdict": list(verdict(audit)),
        "noun": noun_of(audit),
        "log_probabilities": _numbers(audit.log_probabilities),
        "attention": _numbers(audit.attention),
        "costs": _numbers(audit.costs),
        "controls": {
            "keys": audit.controls.keys,
            "cost": _numbers(audit.controls.cost),
            "random": _numbers(audit.controls.random),
        },
        "distances": {
            "uniform": _numbers(audit.distances.uniform),
            "permuted": _numbers(audit.distances.permuted),
        },
        "agreement": {
            "attention": _agreement(audit.agreements.attention),
            "place": _agreement(audit.agreements.place),
            "random_tau": _band(audit.agreements.random_tau),
            "random_first": _number(audit.agreements.random_first),
            **{
                name: _agreement(found)
                for name, found in (
                    ("weighted", audit.values.weighted_agreement),
                    ("zeroed", audit.values.zeroed_agreement),
                )
                if found is not None
            },
        },
        "rows": audit.rows,
    }
    fields |= {name: _numbers(map_) for name, map_ in audit.values.maps().items()}
    if audit.given_back is not None:
        fields["given_back"] = _numbers(audit.given_back)
    if (left := audit.left_out) is not None:
        fields["left_out"] = {
            "words": list(left.words),
            "cost": _numbers(left.cost),
            "attention": _numbers(left.attention),
            "strongest": list(left.strongest),
            "taken": _numbers(left.taken),
        }
    if audit.agreements.left_out is not None:
        fields["agreement"]["left_out"] = _agreement(  # type: ignore[index]
            audit.agreements.left_out
        )
    if audit.orders is not None:
        fields["orders"] = _orders(audit.orders)
    return fields


def write_audit_npz(audit: Audit) -> bytes:
    """Write the figures of an audit as an archive of arrays, every number as it was computed."""
    arrays: dict[str, Any] = {
        "source": np.array(_names(audit.trace.source)),
        "target": np.array(_names(audit.trace.output.target)),
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
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def _names(axis: object) -> list[str]:
    tokens = getattr(axis, "tokens", None)
    if tokens is not None:
        return [token.text for token in tokens]
    return [str(place) for place in range(len(axis))]  # type: ignore[arg-type]


def _choices(audit: Audit) -> JsonObject:
    choices = audit.choices
    return {
        "removal": choices.removal,
        "layer": choices.layer,
        "head": choices.head,
        "row": choices.row,
        "seeds": choices.seeds,
    }


def _orders(orders: RowOrders) -> JsonObject:
    fields: JsonObject = {
        "row": orders.row,
        "keys": list(orders.keys),
        "sets": orders.sets,
        "least": _number(orders.bounds.least),
        "greatest": _number(orders.bounds.greatest),
        "best": list(orders.bounds.best),
        "worst": list(orders.bounds.worst),
        "attention": _score(orders.attention),
        "effects": _score(orders.effects),
    }
    if orders.random is not None:
        fields["random"] = [_band(random) for random in orders.random]
    return fields


def _score(score: OrderScore) -> JsonObject:
    return {
        "comprehensiveness": _number(score.comprehensiveness),
        "sufficiency": _number(score.sufficiency),
        "taken": _numbers(np.array(score.taken)),
        "left": _numbers(np.array(score.left)),
    }


def _agreement(agreement: Agreement) -> Mapping[str, object]:
    return {
        "tau": _number(agreement.tau),
        "first": _number(agreement.first),
        "taus": [_number(tau) for tau in agreement.taus],
    }


def _band(band: Band) -> Mapping[str, object]:
    return {name: _number(value) for name, value in band._asdict().items()}


def _number(value: float | None) -> float | None:
    return None if value is None or not np.isfinite(value) else round(float(value), DIGITS)


def _numbers(values: NDArray[np.float64]) -> list[Any]:
    """Return an array as lists, with None in place of NaN; no number is -0."""
    rounded = np.round(values, DIGITS) + 0.0
    return np.where(np.isfinite(rounded), rounded, None).tolist()  # type: ignore[call-overload, no-any-return]
