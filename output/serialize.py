"""From the `Trace` of the models to the fields of `TraceOut`. Numbers are rounded here, once.

The result consists of plain dictionaries and arrays, which orjson encodes as they are, and all
steps are rounded together: a validated object for each vector would take as long as the model does.
`app/schemas/trace.py` is the contract, and a test compares the two.

Rounded arrays have 64 bits, and those of a long trace would take several times the memory of its
JSON. `deferred_trace_out` makes those of a map when the encoder comes to it.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heed.models import trace as core
from heed.models.edits.operations import fields_of

Detail = Literal["weights", "steps", "full"]
"""How much of a trace is given."""
JsonObject = dict[str, object]
"""An object of the API as JSON, except that it may contain arrays."""
Doubles = NDArray[np.float64]

WEIGHT_DIGITS = 5
PROBABILITY_DIGITS = 6
NUMBER_DIGITS = 4
COSINE_DIGITS = 3
SUMMARY_CELLS = 32
HEAD_CELLS = 16  # of a vector of one of several heads: a trace has hundreds
HEAD_DIGITS = 3
SEEN_DIGITS = 3  # of the pixels of a glimpse
JPEG_URI = "data:image/jpeg;base64,"

Make = Callable[..., object]
"""Calls a function with its arguments, or returns a `partial` that does."""


def trace_out(trace: core.Trace, detail: Detail) -> JsonObject:
    """Return the trace as the API gives it, in this detail."""
    return _trace_fields(trace, detail, _made)


def deferred_trace_out(trace: core.Trace, detail: Detail) -> JsonObject:
    """Return the trace for `to_json` alone, which makes each map when it comes to it."""
    return _trace_fields(trace, detail, partial)


def _made(function: Callable[..., object], /, *given: object, **named: object) -> object:
    return function(*given, **named)


def _trace_fields(trace: core.Trace, detail: Detail, make: Make) -> JsonObject:
    # Of patches that attend to each other the scores would be as long as the weights.
    dense = trace.positions is not None and detail != "full"
    fields: JsonObject = {
        **_output_fields(trace.output, detail, make, scored=not dense),
        **_header_fields(trace, detail),
        "runners_up": [
            make(_output_fields, other, detail, make, shared=True) for other in trace.runners_up
        ],
        "timing": {
            "encode_ms": _rounded(trace.timing.encode_ms),
            "decode_ms": _rounded(trace.timing.decode_ms),
        },
    }
    if trace.memory is not None and detail != "weights":
        fields["memory"] = _vectors_out(trace.memory, detail)
    if trace.positions is not None:
        fields["positions"] = _all_rounded(trace.positions, COSINE_DIGITS)
    if trace.baseline is not None:
        fields["baseline"] = make(_baseline_fields, trace.baseline, detail, make)
    return fields | _picture_fields(trace)


def start_event(header: core.TraceHeader, detail: Detail) -> JsonObject:
    """Return a `StartEvent`: the fields that are known before the first step."""
    return _header_fields(header, detail) | _picture_fields(header)


def step_event(output: core.Output, since: int, detail: Detail) -> JsonObject:
    """Return a `StepEvent`: everything that changed, from position `since` on."""
    return {
        "index": len(output.steps) - 1,
        "since": since,
        "target": axis_out(output.target),
        "maps": [
            map_out(attention_map, detail, since, shared=True)
            for attention_map in output.maps
            if attention_map.query == "target"
        ],
        "steps": steps_out(output.steps[since:], detail),
    }


def _header_fields(run: core.Trace | core.TraceHeader, detail: Detail) -> JsonObject:
    """Return the fields that a trace and its first event have in common."""
    return {
        "schema": core.TRACE_SCHEMA,
        "model": stamp_out(run.model),
        "task": run.task,
        "request": request_out(run.request, detail),
        "source": axis_out(run.source),
    }


def _output_fields(
    output: core.Output, detail: Detail, make: Make, *, shared: bool = False, scored: bool = True
) -> JsonObject:
    """Return the fields that a trace and a runner-up have in common."""
    return {
        "text": output.text,
        "target": axis_out(output.target),
        # The keys of self-attention are the output, which differs between hypotheses.
        "maps": [
            make(
                map_out,
                attention,
                detail if scored or attention.query == "target" else "weights",
                shared=shared and attention.key != "decoder_input",
            )
            for attention in output.maps
        ],
        "steps": steps_out(output.steps, detail),
        "log_probability": _rounded(output.log_probability),
        "score": _rounded(output.score),
        "finish": output.finish,
    }


def _baseline_fields(baseline: core.Baseline, detail: Detail, make: Make) -> JsonObject:
    """Return the run without edits, and what they changed."""
    fields = _output_fields(baseline.output, detail, make, shared=True)
    fields["changes"] = [
        {
            "before": _rounded(before, PROBABILITY_DIGITS),
            "after": _rounded(after, PROBABILITY_DIGITS),
            "delta": _rounded(after - before, PROBABILITY_DIGITS),
            "divergence": _rounded(divergence, PROBABILITY_DIGITS),
        }
        for before, after, divergence in baseline.changes
    ]
    if baseline.parts_at is not None:
        fields["parts_at"] = baseline.parts_at
    fields["unused"] = baseline.unused
    if baseline.source is not None:
        fields["source"] = axis_out(baseline.source)
    return fields


def stamp_out(stamp: core.ModelStamp) -> JsonObject:
    """Return the stamp of the model."""
    return {
        "id": stamp.id,
        "weights": stamp.weights,
        "mechanism": stamp.mechanism,
        "order": stamp.order,
    }


def request_out(request: core.TraceRequest, detail: Detail) -> JsonObject:
    """Return the request."""
    search = request.search
    fields: JsonObject = {
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
        fields["draws"] = request.draws
    if request.vectors != "cross":
        fields["vectors"] = request.vectors
    if request.edits:
        fields["edits"] = [fields_of(edit) for edit in request.edits]
    if request.continue_from is not None:
        fields["continue_from"] = request.continue_from
    return fields


def _picture_fields(run: core.Trace | core.TraceHeader) -> JsonObject:
    """Return the picture, to be drawn below its maps, and the question about it."""
    fields: JsonObject = {}
    if (picture := run.picture) is not None:
        fields["picture"] = {
            "width": picture.width,
            "height": picture.height,
            "format": picture.format,
            "preview": JPEG_URI + base64.b64encode(picture.preview).decode(),
        }
    if run.question is not None:
        fields["question"] = tokens_out(run.question)
    return fields


def axis_out(axis: core.Axis | core.TargetAxis) -> JsonObject:
    """Return an axis of any kind."""
    if isinstance(axis, core.TokenAxis):
        return tokens_out(axis)
    if isinstance(axis, core.HopAxis):
        return {"kind": "hops", "unit": "hops", "text": axis.text, "hops": axis.hops}
    if isinstance(axis, core.GlimpseAxis):
        boxes = [[box._asdict() for box in glimpse] for glimpse in axis.glimpses]
        return {"kind": "glimpses", "unit": "glimpses", "text": axis.text, "glimpses": boxes}
    if isinstance(axis, core.SentenceAxis):
        return {
            "kind": "sentences",
            "unit": "sentences",
            "text": axis.text,
            "sentences": _words_out(axis.sentences),
            "unknown_words": _words_out(axis.unknown_words),
        }
    if isinstance(axis, core.GraphAxis):
        return _graph_out(axis)
    if isinstance(axis, core.ClassAxis):
        return {
            "kind": "classes",
            "unit": "nodes",
            "text": axis.text,
            "nodes": axis.nodes,
            "classes": axis.classes,
        }
    fields: JsonObject = {
        "kind": "grid",
        "unit": "cells",
        "rows": axis.rows,
        "columns": axis.columns,
        "left": float(axis.left),
        "top": float(axis.top),
        "width": float(axis.width),
        "height": float(axis.height),
    }
    if axis.marks:
        fields["marks"] = axis.marks
    return fields


def _graph_out(axis: core.GraphAxis) -> JsonObject:
    return {
        "kind": "graph",
        "unit": "nodes",
        "text": axis.text,
        "nodes": [_node_out(node) for node in axis.nodes],
        "edges": axis.edges,
        "classes": axis.classes,
    }


def _node_out(node: core.Node) -> JsonObject:
    fields: JsonObject = {"text": node.text, "x": node.x, "y": node.y}
    given = {"known": node.known, "hint": node.hint}
    return fields | {name: value for name, value in given.items() if value is not None}


def tokens_out(axis: core.TokenAxis) -> JsonObject:
    """Return an axis of tokens."""
    fields: JsonObject = {
        "kind": "tokens",
        "unit": "tokens",
        "text": axis.text,
        "tokens": [
            {"id": id, "text": text, "start": start, "end": end, "word": word, "special": special}
            for id, text, start, end, word, special in axis.tokens
        ],
        "words": _words_out(axis.words),
        "merge": axis.merge,
    }
    if axis.rare_words is not None:
        fields["rare_words"] = axis.rare_words
    if axis.unknown_words is not None:
        fields["unknown_words"] = axis.unknown_words
    if axis.copied_words is not None:
        fields["copied_words"] = axis.copied_words
    if axis.written is not None:
        fields["written"] = axis.written
    if axis.frame_seconds is not None:
        fields["frame_seconds"] = float(axis.frame_seconds)
    if axis.patches is not None:
        first, grid = axis.patches
        fields["patches"] = {"first": first, "grid": axis_out(grid)}
    return fields


def _words_out(words: Sequence[core.Word]) -> list[JsonObject]:
    return [
        {"text": text, "start": start, "end": end, "special": special}
        for text, start, end, special in words
    ]


def map_out(
    attention_map: core.AttentionMap, detail: Detail, since: int = 0, *, shared: bool = False
) -> JsonObject:
    """Return a map, or its rows from `since` on; without keys and values if they are `shared`."""
    fields: JsonObject = {
        "kind": attention_map.kind,
        "layer": attention_map.layer,
        "head": attention_map.head,
        "query": attention_map.query,
        "key": attention_map.key,
        "weights": _all_rounded(attention_map.weights[since:], WEIGHT_DIGITS),
    }
    if attention_map.sinks is not None:
        fields["sinks"] = _all_rounded(attention_map.sinks[since:], WEIGHT_DIGITS)
    if detail == "weights":
        return fields
    fields["scores"] = _all_rounded(attention_map.scores[since:])  # -inf is encoded as null
    if (vectors := attention_map.vectors) is not None:
        parts = {"queries": vectors.queries[since:]}
        if not shared:
            parts |= {"keys": vectors.keys, "values": vectors.values}
        fields |= _parts_out(parts, detail)
    if attention_map.states is not None:
        fields["states"] = _vectors_out(attention_map.states[since:], detail)
    return fields


def _parts_out(parts: dict[str, core.Floats], detail: Detail) -> JsonObject:
    """Return the vectors of a head; those of one width are rounded together."""
    if len({part.shape[1] for part in parts.values()}) > 1:
        return {
            name: _vectors_out(part, detail, HEAD_CELLS, HEAD_DIGITS)
            for name, part in parts.items()
        }
    joined = np.concatenate(list(parts.values()))
    drawn = iter(_vectors_out(joined, detail, HEAD_CELLS, HEAD_DIGITS))
    return {name: list(islice(drawn, len(part))) for name, part in parts.items()}


def steps_out(steps: Sequence[core.TraceStep], detail: Detail) -> list[JsonObject]:
    """Return the numbers behind each output token, or each hop."""
    log_probabilities = np.array([step.log_probability for step in steps])
    probabilities = _all_rounded(np.exp(log_probabilities), PROBABILITY_DIGITS).tolist()
    surprises = _all_rounded(log_probabilities / -math.log(2)).tolist()
    fields: list[JsonObject] = [
        {"probability": probability, "surprise": surprise, "alternatives": []}
        for probability, surprise in zip(probabilities, surprises, strict=True)
    ]
    if detail != "weights":
        _add_alternatives(fields, steps)
        for name in ("query", "context", "state", "cell", "cell_context"):
            own = [array for step in steps if (array := getattr(step, name)) is not None]
            if len(own) < len(steps):  # vectors that only some models have
                continue
            for field, vector in zip(fields, _vectors_out(own, detail), strict=True):
                field[name] = vector
    for field, step in zip(fields, steps, strict=True):
        if step.gate is not None:
            field["gate"] = _rounded(step.gate, WEIGHT_DIGITS)
        if (drawn := step.drawn) is not None:
            log_probability = _rounded(drawn.log_probability)
            field["drawn"] = {"cell": drawn.cell, "log_probability": log_probability}
        if detail != "weights":
            for name in ("keys", "values", "gates"):
                if (vectors := getattr(step, name)) is not None:
                    field[name] = _vectors_out(vectors, detail, HEAD_CELLS, HEAD_DIGITS)
            if step.seen is not None:
                field["seen"] = _all_rounded(step.seen, SEEN_DIGITS)
    return fields


def _add_alternatives(fields: Sequence[JsonObject], steps: Sequence[core.TraceStep]) -> None:
    probabilities = [other.probability for step in steps for other in step.alternatives]
    rounded = iter(_all_rounded(probabilities, PROBABILITY_DIGITS).tolist())
    for field, step in zip(fields, steps, strict=True):
        field["alternatives"] = [
            {"id": other.id, "text": other.text, "probability": next(rounded)}
            for other in step.alternatives
        ]


def _vectors_out(
    vectors: core.Floats | Sequence[core.Floats],
    detail: Detail,
    most: int = SUMMARY_CELLS,
    digits: int = NUMBER_DIGITS,
) -> list[JsonObject]:
    if not len(vectors):
        return []
    stacked = np.array(vectors, np.float64)
    size = stacked.shape[1]
    starts, counts = _cells(size, most)
    summaries = _all_rounded(np.add.reduceat(stacked, starts, axis=1) / counts, digits)
    norms = _all_rounded(np.sqrt(np.einsum("ij,ij->i", stacked, stacked)), digits).tolist()
    fields: list[JsonObject] = [
        {"size": size, "norm": norm, "summary": summary}
        for norm, summary in zip(norms, summaries, strict=True)
    ]
    if detail == "full":
        for field, values in zip(fields, _all_rounded(stacked), strict=True):
            field["values"] = values
    return fields


@lru_cache
def _cells(size: int, most: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the start of each cell of a summary, and how many numbers it averages."""
    cells = min(most, size)
    starts = np.arange(cells) * size // cells
    return starts, np.diff(np.append(starts, size))


def _all_rounded(values: ArrayLike, digits: int = NUMBER_DIGITS) -> Doubles:
    rounded = np.asarray(values, np.float64).round(digits)
    rounded += 0.0  # turns -0.0 into 0.0
    return rounded


def _rounded(value: float, digits: int = NUMBER_DIGITS) -> float:
    return round(float(value), digits)
