"""From the core's `Trace` to what `TraceOut` says of it. Numbers are rounded here, once.

What is told is made of plain dictionaries and arrays, which orjson writes down as they are, and
all steps are rounded together: an object for each vector, checked and taken apart again, takes as
long as the model does. `app/schemas.py` is the contract still, and a test holds this to it.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heed.app.schemas import Detail
from heed.models import trace as core

Told = dict[str, Any]
"""An object of the wire contract, as JSON has it but for its arrays."""
Doubles = NDArray[np.float64]

WEIGHT_DIGITS = 5
PROBABILITY_DIGITS = 6
NUMBER_DIGITS = 4
PICTURE_CELLS = 32
HEAD_CELLS = 16  # of a vector of one head of many: there are hundreds in a trace
HEAD_DIGITS = 3
JPEG_URI = "data:image/jpeg;base64,"


def trace_out(trace: core.Trace, detail: Detail) -> Told:
    """The trace as the API gives it, with as much detail as was asked for."""
    told = {
        **_output_fields(trace.output, detail),
        "schema": core.TRACE_SCHEMA,
        "model": stamp_out(trace.model),
        "task": trace.task,
        "request": request_out(trace.request, detail),
        "source": axis_out(trace.source),
        "runners_up": [_output_fields(other, detail, shared=True) for other in trace.runners_up],
        "timing": {
            "encode_ms": _rounded(trace.timing.encode_ms),
            "decode_ms": _rounded(trace.timing.decode_ms),
        },
    }
    if trace.memory is not None and detail != "weights":
        told["memory"] = _vectors_out(trace.memory, detail)
    return told | _pictured(trace)


def start_event(opening: core.TraceHeader, detail: Detail) -> Told:
    """What is known before the first step, a `StartEvent`."""
    told = {
        "schema": core.TRACE_SCHEMA,
        "model": stamp_out(opening.model),
        "task": opening.task,
        "request": request_out(opening.request, detail),
        "source": axis_out(opening.source),
    }
    return told | _pictured(opening)


def step_event(output: core.Output, since: int, detail: Detail) -> Told:
    """What one step changed, a `StepEvent`: everything from position `since` on."""
    return {
        "index": len(output.steps) - 1,
        "since": since,
        "target": tokens_out(output.target),
        "maps": [
            map_out(attention_map, detail, since, shared=True)
            for attention_map in output.maps
            if attention_map.query == "target"
        ],
        "steps": steps_out(output.steps[since:], detail),
    }


def _output_fields(output: core.Output, detail: Detail, *, shared: bool = False) -> Told:
    """What a trace and a runner-up have in common."""
    return {
        "text": output.text,
        "target": tokens_out(output.target),
        # What was written, and so the keys of self-attention, is each hypothesis's own.
        "maps": [
            map_out(each, detail, shared=shared and each.key != "decoder_input")
            for each in output.maps
        ],
        "steps": steps_out(output.steps, detail),
        "log_probability": _rounded(output.log_probability),
        "score": _rounded(output.score),
        "finish": output.finish,
    }


def stamp_out(stamp: core.ModelStamp) -> Told:
    """Which model it was."""
    return {
        "id": stamp.id,
        "weights": stamp.weights,
        "mechanism": stamp.mechanism,
        "order": stamp.order,
    }


def request_out(request: core.TraceRequest, detail: Detail) -> Told:
    """What was asked for."""
    search = request.search
    told: Told = {
        "text": request.text,
        "target": request.target,
        "search": {
            "kind": search.kind,
            "beam": search.beam,
            "seed": search.seed,
            "temperature": float(search.temperature),
            "length_penalty": float(search.length_penalty),
        },
        "detail": detail,
    }
    if request.draws:
        told["draws"] = request.draws
    if request.vectors != "cross":
        told["vectors"] = request.vectors
    return told


def _pictured(seen: core.Trace | core.TraceHeader) -> Told:
    """The picture, so that it can be drawn below its maps, and what was asked of it."""
    told: Told = {}
    if (picture := seen.picture) is not None:
        told["picture"] = {
            "width": picture.width,
            "height": picture.height,
            "format": picture.format,
            "preview": JPEG_URI + base64.b64encode(picture.preview).decode(),
        }
    if seen.question is not None:
        told["question"] = tokens_out(seen.question)
    return told


def axis_out(axis: core.Axis) -> Told:
    """What was read: pieces, or cells."""
    if isinstance(axis, core.TokenAxis):
        return tokens_out(axis)
    return {
        "kind": "grid",
        "rows": axis.rows,
        "columns": axis.columns,
        "left": float(axis.left),
        "top": float(axis.top),
        "width": float(axis.width),
        "height": float(axis.height),
    }


def tokens_out(axis: core.TokenAxis) -> Told:
    """What was read or written, piece by piece."""
    told: Told = {
        "kind": "tokens",
        "text": axis.text,
        "tokens": [
            {"id": id, "text": text, "start": start, "end": end, "word": word, "special": special}
            for id, text, start, end, word, special in axis.tokens
        ],
        "words": [
            {"text": text, "start": start, "end": end, "special": special}
            for text, start, end, special in axis.words
        ],
        "merge": axis.merge,
    }
    if axis.rare_words is not None:
        told["rare_words"] = axis.rare_words
    return told


def map_out(
    attention_map: core.AttentionMap, detail: Detail, since: int = 0, *, shared: bool = False
) -> Told:
    """One map, or its rows from `since` on; keys and values not if they are told elsewhere."""
    told: Told = {
        "kind": attention_map.kind,
        "layer": attention_map.layer,
        "head": attention_map.head,
        "query": attention_map.query,
        "key": attention_map.key,
        "weights": _all_rounded(attention_map.weights[since:], WEIGHT_DIGITS),
    }
    if detail == "weights":
        return told
    told["scores"] = _all_rounded(attention_map.scores[since:])  # -inf is written as null
    if (vectors := attention_map.vectors) is not None:
        parts = {"queries": vectors.queries[since:]}
        if not shared:
            parts |= {"keys": vectors.keys, "values": vectors.values}
        joined = np.concatenate(list(parts.values()))
        drawn = iter(_vectors_out(joined, detail, HEAD_CELLS, HEAD_DIGITS))
        told |= {name: list(islice(drawn, len(part))) for name, part in parts.items()}
    return told


def steps_out(steps: Sequence[core.TraceStep], detail: Detail) -> list[Told]:
    """The numbers behind each output token."""
    log_probabilities = np.array([step.log_probability for step in steps])
    probabilities = _all_rounded(np.exp(log_probabilities), PROBABILITY_DIGITS).tolist()
    surprises = _all_rounded(log_probabilities / -math.log(2)).tolist()
    told: list[Told] = [
        {"probability": probability, "surprise": surprise, "alternatives": []}
        for probability, surprise in zip(probabilities, surprises, strict=True)
    ]
    if detail != "weights":
        _add_alternatives(told, steps)
        for name in ("query", "context", "state"):
            vectors = _vectors_out([getattr(step, name) for step in steps], detail)
            for one, vector in zip(told, vectors, strict=True):
                one[name] = vector
    for one, step in zip(told, steps, strict=True):
        if step.gate is not None:
            one["gate"] = _rounded(step.gate, WEIGHT_DIGITS)
        if (drawn := step.drawn) is not None:
            log_probability = _rounded(drawn.log_probability)
            one["drawn"] = {"cell": drawn.cell, "log_probability": log_probability}
    return told


def _add_alternatives(told: Sequence[Told], steps: Sequence[core.TraceStep]) -> None:
    chances = [other.probability for step in steps for other in step.alternatives]
    rounded = iter(_all_rounded(chances, PROBABILITY_DIGITS).tolist())
    for one, step in zip(told, steps, strict=True):
        one["alternatives"] = [
            {"id": other.id, "text": other.text, "probability": next(rounded)}
            for other in step.alternatives
        ]


def _vectors_out(
    vectors: core.Floats | Sequence[core.Floats],
    detail: Detail,
    most: int = PICTURE_CELLS,
    digits: int = NUMBER_DIGITS,
) -> list[Told]:
    if not len(vectors):
        return []
    stacked = np.array(vectors, np.float64)
    size = stacked.shape[1]
    starts, counts = _cells(size, most)
    pictures = _all_rounded(np.add.reduceat(stacked, starts, axis=1) / counts, digits)
    norms = _all_rounded(np.sqrt(np.einsum("ij,ij->i", stacked, stacked)), digits).tolist()
    told: list[Told] = [
        {"size": size, "norm": norm, "summary": picture}
        for norm, picture in zip(norms, pictures, strict=True)
    ]
    if detail == "full":
        for one, values in zip(told, _all_rounded(stacked), strict=True):
            one["values"] = values
    return told


@lru_cache
def _cells(size: int, most: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Of each cell of the picture of a vector, where it begins and how many numbers it holds."""
    cells = min(most, size)
    starts = np.arange(cells) * size // cells
    return starts, np.diff(np.append(starts, size))


def _all_rounded(values: ArrayLike, digits: int = NUMBER_DIGITS) -> Doubles:
    rounded = np.asarray(values, np.float64).round(digits)
    rounded += 0.0  # there is no -0.0
    return rounded


def _rounded(value: float, digits: int = NUMBER_DIGITS) -> float:
    return round(float(value), digits)
