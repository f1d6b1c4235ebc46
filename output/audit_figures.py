"""The figures of an audit on demand, as JSON and as NumPy's arrays."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from heed.models.audit.audit import Audit
from heed.models.audit.contrast import Contrast
from heed.models.audit.curves import Curves
from heed.models.audit.figure_verdicts import Figure, verdict_of
from heed.models.audit.order_search import WIDTH, SearchedOrders
from heed.models.audit.rewritten import Rewritten
from heed.output.audit import (
    about,
    audit_out,
    axis_names,
    band_out,
    number,
    numbers,
    orders_out,
    write_audit_npz,
)
from heed.output.serialize import JsonObject


def figure_out(figure: Figure, version: str) -> JsonObject:
    """Return a figure as the API gives it, with the version of Heed."""
    match figure:
        case Audit():
            return audit_out(figure, version)
        case Contrast():
            own = _contrast(figure)
        case Rewritten():
            own = _rewritten(figure)
        case SearchedOrders():
            own = {
                "schema": "heed.audit.orders/1",
                "orders": orders_out(figure.orders),
                "exact": figure.exact,
                "beam": None if figure.exact else WIDTH,
            }
        case Curves():
            own = {"schema": "heed.audit.curves/1", **curves_out(figure)}
    return {**own, **about(figure, version), "verdict": list(verdict_of(figure))}


def write_figure_npz(figure: Figure) -> bytes:
    """Write a figure as an archive of arrays."""
    if isinstance(figure, Audit):
        return write_audit_npz(figure)
    arrays: dict[str, Any] = {
        "source": np.array(axis_names(figure.trace.source)),
        "target": np.array(axis_names(figure.trace.output.target)),
        "verdict": np.array(verdict_of(figure)),
    }
    match figure:
        case Contrast():
            arrays |= {
                "words": np.array([figure.word, figure.other]),
                "row": np.array(figure.row),
                "log_probabilities": np.array(figure.log_probabilities),
                "attention": figure.attention,
                "costs": figure.costs,
            }
        case Rewritten():
            arrays |= {
                "words": np.array([output.word for output in figure.outputs]),
                "texts": np.array([output.text for output in figure.outputs]),
                "changed": np.array([output.changed for output in figure.outputs]),
            }
        case SearchedOrders():
            scores = figure.orders.attention, figure.orders.effects
            arrays |= {
                "row": np.array(figure.orders.row),
                "keys": np.array(figure.orders.keys),
                "exact": np.array(figure.exact),
                "bounds": np.array([figure.orders.bounds.least, figure.orders.bounds.greatest]),
                "taken": np.array([score.taken for score in scores]),
                "left": np.array([score.left for score in scores]),
            }
        case Curves():
            arrays |= {
                "fractions": np.array(figure.fractions),
                "ways": np.array([curve.way for curve in figure.curves]),
                "orders": np.array([curve.order for curve in figure.curves]),
                "deletion": np.array([curve.deletion for curve in figure.curves]),
                "insertion": np.array([curve.insertion for curve in figure.curves]),
            }
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def curves_out(curves: Curves) -> JsonObject:
    """Return the curves that are complete, without the trace."""
    return {
        "word": curves.word,
        "row": curves.row,
        "another": curves.another,
        "fractions": [number(fraction) for fraction in curves.fractions],
        "curves": [
            {
                "way": curve.way,
                "order": curve.order,
                "deletion": numbers(np.array(curve.deletion)),
                "insertion": numbers(np.array(curve.insertion)),
            }
            for curve in curves.curves
        ],
        "areas": [
            {
                "way": areas.way,
                "orders": [
                    {
                        "order": order,
                        "deletion": number(areas.deletion[order]),
                        "insertion": number(areas.insertion[order]),
                    }
                    for order in areas.deletion
                ],
                "random_deletion": band_out(areas.random_deletion),
                "random_insertion": band_out(areas.random_insertion),
            }
            for areas in curves.areas
        ],
    }


def _contrast(contrast: Contrast) -> JsonObject:
    return {
        "schema": "heed.audit.contrast/1",
        "word": contrast.word,
        "other": contrast.other,
        "row": contrast.row,
        "parts_at": contrast.parts_at,
        "log_probabilities": [number(log) for log in contrast.log_probabilities],
        "attention": numbers(contrast.attention),
        "costs": numbers(contrast.costs),
        "total": numbers(contrast.total),
    }


def _rewritten(rewritten: Rewritten) -> JsonObject:
    return {
        "schema": "heed.audit.rewritten/1",
        "text": rewritten.text,
        "of": rewritten.words,
        "kept": rewritten.kept,
        "outputs": [output._asdict() for output in rewritten.outputs],
    }
