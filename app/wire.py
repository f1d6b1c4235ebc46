"""From the core's `Trace` to the wire's `TraceOut`. Numbers are rounded here, once.

All steps are rounded together, as arrays: one by one it would take longer than the model does.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from app import schemas as wire
from models import trace as core

WEIGHT_DIGITS = 6
NUMBER_DIGITS = 4
PICTURE_CELLS = 32
HEAD_CELLS = 16  # of a vector of one head of many: there are hundreds in a trace
HEAD_DIGITS = 3
JPEG_URI = "data:image/jpeg;base64,"


class OutputFields(TypedDict):
    """What a trace and a runner-up have in common."""

    text: str
    target: wire.TokenAxisOut
    maps: list[wire.MapOut]
    steps: list[wire.StepOut]
    log_probability: float
    score: float
    finish: core.Finish


def trace_out(trace: core.Trace, detail: wire.Detail) -> wire.TraceOut:
    """The trace as the API gives it, with as much detail as was asked for."""
    return wire.TraceOut(
        **_output_fields(trace.output, detail),
        model=stamp_out(trace.model),
        task=trace.task,
        request=request_out(trace.request, detail),
        source=axis_out(trace.source),
        runners_up=[
            wire.OutputOut(**_output_fields(other, detail, shared=True))
            for other in trace.runners_up
        ],
        timing=wire.TimingOut(
            encode_ms=_rounded(trace.timing.encode_ms), decode_ms=_rounded(trace.timing.decode_ms)
        ),
        memory=None
        if trace.memory is None or detail == "weights"
        else _vectors_out(list(trace.memory), detail),
        picture=picture_out(trace.picture),
        question=question_out(trace.question),
    )


def start_event(opening: core.Opening, detail: wire.Detail) -> wire.StartEvent:
    """What is known before the first step."""
    return wire.StartEvent(
        model=stamp_out(opening.model),
        task=opening.task,
        request=request_out(opening.request, detail),
        source=axis_out(opening.source),
        picture=picture_out(opening.picture),
        question=question_out(opening.question),
    )


def step_event(output: core.Output, since: int, detail: wire.Detail) -> wire.StepEvent:
    """What one step changed: everything from position `since` on."""
    return wire.StepEvent(
        index=len(output.steps) - 1,
        since=since,
        target=tokens_out(output.target),
        maps=[
            map_out(attention_map, detail, since, shared=True)
            for attention_map in output.maps
            if attention_map.query == "target"
        ],
        steps=steps_out(output.steps[since:], detail),
    )


def _output_fields(
    output: core.Output, detail: wire.Detail, *, shared: bool = False
) -> OutputFields:
    return {
        "text": output.text,
        "target": tokens_out(output.target),
        "maps": [map_out(each, detail, shared=shared) for each in output.maps],
        "steps": steps_out(output.steps, detail),
        "log_probability": _rounded(output.log_probability),
        "score": _rounded(output.score),
        "finish": output.finish,
    }


def stamp_out(stamp: core.ModelStamp) -> wire.StampOut:
    """Which model it was."""
    return wire.StampOut(
        id=stamp.id, weights=stamp.weights, mechanism=stamp.mechanism, order=stamp.order
    )


def request_out(request: core.TraceRequest, detail: wire.Detail) -> wire.RequestOut:
    """What was asked for."""
    search = request.search
    return wire.RequestOut(
        text=request.text,
        target=request.target,
        search=wire.SearchOut(
            kind=search.kind,
            beam=search.beam,
            seed=search.seed,
            temperature=search.temperature,
            length_penalty=search.length_penalty,
        ),
        detail=detail,
        draws=request.draws or None,
    )


def picture_out(picture: core.PictureSeen | None) -> wire.PictureOut | None:
    """The picture, so that it can be drawn below its maps."""
    if picture is None:
        return None
    return wire.PictureOut(
        width=picture.width,
        height=picture.height,
        format=picture.format,
        preview=JPEG_URI + base64.b64encode(picture.preview).decode(),
    )


def question_out(question: core.TokenAxis | None) -> wire.TokenAxisOut | None:
    """What was asked of a picture."""
    return None if question is None else tokens_out(question)


def axis_out(axis: core.Axis) -> wire.TokenAxisOut | wire.GridAxisOut:
    """What was read: pieces, or cells."""
    if isinstance(axis, core.TokenAxis):
        return tokens_out(axis)
    return wire.GridAxisOut(
        kind="grid",
        rows=axis.rows,
        columns=axis.columns,
        left=axis.left,
        top=axis.top,
        width=axis.width,
        height=axis.height,
    )


def tokens_out(axis: core.TokenAxis) -> wire.TokenAxisOut:
    """What was read or written, piece by piece."""
    return wire.TokenAxisOut(
        text=axis.text,
        tokens=[
            wire.TokenOut(
                id=token.id,
                text=token.text,
                start=token.start,
                end=token.end,
                word=token.word,
                special=token.special,
            )
            for token in axis.tokens
        ],
        words=[
            wire.WordOut(text=word.text, start=word.start, end=word.end, special=word.special)
            for word in axis.words
        ],
        merge=axis.merge,
    )


def map_out(
    attention_map: core.AttentionMap, detail: wire.Detail, since: int = 0, *, shared: bool = False
) -> wire.MapOut:
    """One map, or its rows from `since` on; keys and values not if they are told elsewhere."""
    weights, scores = attention_map.weights[since:], attention_map.scores[since:]
    vectors = None if detail == "weights" else attention_map.vectors
    return wire.MapOut(
        kind=attention_map.kind,
        layer=attention_map.layer,
        head=attention_map.head,
        query=attention_map.query,
        key=attention_map.key,
        weights=_rows(weights, WEIGHT_DIGITS),
        scores=None if detail == "weights" else _score_rows(scores),
        queries=_of_head(vectors.queries[since:], detail) if vectors else None,
        keys=_of_head(vectors.keys, detail) if vectors and not shared else None,
        values=_of_head(vectors.values, detail) if vectors and not shared else None,
    )


def steps_out(steps: Sequence[core.TraceStep], detail: wire.Detail) -> list[wire.StepOut]:
    """The numbers behind each output token."""
    if detail == "weights":
        return [
            wire.StepOut(
                probability=probability,
                surprise=surprise,
                gate=_gate_out(step),
                drawn=_drawn_out(step),
            )
            for step, (probability, surprise) in zip(steps, map(_likelihood, steps), strict=True)
        ]
    queries = _vectors_out([step.query for step in steps], detail)
    contexts = _vectors_out([step.context for step in steps], detail)
    states = _vectors_out([step.state for step in steps], detail)
    outs = []
    for i, step in enumerate(steps):
        probability, surprise = _likelihood(step)
        outs.append(
            wire.StepOut(
                probability=probability,
                surprise=surprise,
                alternatives=[_alternative_out(other) for other in step.alternatives],
                query=queries[i],
                context=contexts[i],
                state=states[i],
                gate=_gate_out(step),
                drawn=_drawn_out(step),
            )
        )
    return outs


def _gate_out(step: core.TraceStep) -> float | None:
    return None if step.gate is None else _rounded(step.gate, WEIGHT_DIGITS)


def _drawn_out(step: core.TraceStep) -> wire.DrawnOut | None:
    drawn = step.drawn
    if drawn is None:
        return None
    return wire.DrawnOut(cell=drawn.cell, log_probability=_rounded(drawn.log_probability))


def _likelihood(step: core.TraceStep) -> tuple[float, float]:
    probability = _rounded(math.exp(step.log_probability), WEIGHT_DIGITS)
    surprise = _rounded(-step.log_probability / math.log(2)) + 0.0  # never -0.0
    return probability, surprise


def _alternative_out(other: core.Alternative) -> wire.AlternativeOut:
    probability = _rounded(other.probability, WEIGHT_DIGITS)
    return wire.AlternativeOut(id=other.id, text=other.text, probability=probability)


def _of_head(vectors: core.Floats, detail: wire.Detail) -> list[wire.VectorOut]:
    return _vectors_out(list(vectors), detail, HEAD_CELLS, HEAD_DIGITS)


def _vectors_out(
    vectors: Sequence[core.Floats],
    detail: wire.Detail,
    most: int = PICTURE_CELLS,
    digits: int = NUMBER_DIGITS,
) -> list[wire.VectorOut]:
    if not vectors:
        return []
    stacked = np.stack(vectors).astype(np.float64)
    size = stacked.shape[1]
    cells = min(most, size)
    starts = np.arange(cells) * size // cells
    counts = np.diff(np.append(starts, size))
    pictures = _rows(np.add.reduceat(stacked, starts, axis=1) / counts, digits)
    values = _rows(stacked) if detail == "full" else [None] * len(vectors)
    norms = np.linalg.norm(stacked, axis=1).round(digits).tolist()
    return [
        wire.VectorOut(size=size, norm=norm, picture=picture, values=value)
        for norm, picture, value in zip(norms, pictures, values, strict=True)
    ]


def _rows(matrix: np.ndarray, digits: int = NUMBER_DIGITS) -> list[wire.Row]:
    rows: list[wire.Row] = (matrix.astype(np.float64).round(digits) + 0.0).tolist()
    return rows


def _score_rows(scores: core.Floats) -> list[list[float | None]]:
    rows = _rows(scores)
    if np.isfinite(scores).all():
        return [list(row) for row in rows]
    return [[None if math.isinf(score) else score for score in row] for row in rows]


def _rounded(value: float, digits: int = NUMBER_DIGITS) -> float:
    return round(float(value), digits)
