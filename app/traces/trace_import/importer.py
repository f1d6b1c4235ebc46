"""Attention from outside: a trace of ours, or plain matrices from anywhere. Bytes in, a trace out.

What the page's `imports.js` shows, this keeps, and what it refuses, this refuses.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, get_args

import orjson
from pydantic import ValidationError

from heed.app.errors import FieldError, RequestError, quoted
from heed.app.http.request_body import parsed
from heed.app.http.sse import to_json
from heed.app.http.validation_errors import checked
from heed.app.schemas import (
    AxisOut,
    GridAxisOut,
    MapOut,
    OutputOut,
    PictureOut,
    PlainKind,
    RequestOut,
    SearchOut,
    StampOut,
    TimingOut,
    TokenAxisOut,
    TraceOut,
)
from heed.app.traces.npz import read_npz
from heed.app.traces.trace_import.matrix import check_weights
from heed.app.traces.trace_import.pieces import MOST_TOKENS, axis
from heed.app.traces.trace_import.preview import check_preview
from heed.models.trace import AxisName

IMPORTED = "imported"
MATRIX, HEADS, LAYERS = 2, 3, 4
"""How deep the lists lie: a matrix, one per head, one per layer and head."""
NOTHING: Final = {
    "task": IMPORTED,
    "runners_up": [],
    "timing": {"encode_ms": 0.0, "decode_ms": 0.0},
    "log_probability": 0.0,
    "score": 0.0,
    "finish": "end",
}
"""What a trace need not say to be drawn, and what is said in its place."""
ASKED_NOTHING: Final = {
    "target": None,
    "search": {"kind": "greedy", "beam": 1, "seed": 0, "temperature": 1.0, "length_penalty": 1.0},
    "detail": "weights",
}
MOST_MAPS = 4096
MOST_CELLS = 1024
MOST_KEYS = 64
MOST_LISTS = 200_000
TOO_LARGE = "The trace is larger than {limit} bytes. Send it with less detail."


def imported_json(body: bytes, limit: int) -> bytes:
    """The JSON of a trace, from the JSON of one or from plain matrices in JSON."""
    value = _parsed(body)
    if not isinstance(value, dict):
        message = "The body must be an object: a trace, or source, target and weights."
        raise FieldError("wrong_type", message)
    return _written(ours(value) if "schema" in value else plain(value), limit)


def imported_npz(body: bytes, limit: int) -> bytes:
    """The JSON of a trace, from the arrays `source`, `target` and `weights` of an `.npz`."""
    return _written(plain(read_npz(body, limit)), limit)


def check_saved(content: bytes) -> TraceOut:
    """The trace that was saved, or the error that says why it is none any more."""
    return ours(orjson.loads(content))


def _parsed(body: bytes) -> Any:
    # Reading millions of small lists would hold up the event loop, though on another thread.
    if body.count(b"[") + body.count(b"{") > MOST_LISTS:
        message = f"There are more than {MOST_LISTS} lists and objects; no trace has so many."
        raise FieldError("invalid_trace", message)
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        value = parsed(body)  # slower, but it says what is wrong in words, or takes more
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        message = "The body is not valid Unicode: half of a surrogate pair is missing."
        raise FieldError("invalid_text", message) from None
    return value


def _written(trace: TraceOut, limit: int) -> bytes:
    try:
        content = to_json(trace)
    except orjson.JSONEncodeError:
        message = "The trace has a whole number that is too large."
        raise FieldError("out_of_range", message) from None
    if len(content) > limit:
        raise RequestError("body_too_large", TOO_LARGE.format(limit=limit))
    try:
        # JSON knows no infinity: where one stood there is a null now, and that is noticed.
        TraceOut.model_validate_json(content, strict=True)
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        message = f"The field {quoted(place)} is not a number that can be written down."
        raise FieldError("out_of_range", message, place) from None
    return content


# --- a trace of ours --------------------------------------------------------------------------


def ours(value: dict[str, Any]) -> TraceOut:
    """The trace that the value is, whole and free of contradictions."""
    _check_keys(value)
    source = value.get("source")
    text = source.get("text") if isinstance(source, dict) else None
    filled = {**NOTHING, "request": {"text": text, **ASKED_NOTHING}, **value}
    if isinstance(value.get("request"), dict):
        filled["request"] = {**filled["request"], **value["request"]}
    trace = checked(filled, TraceOut, strict=True)
    read: dict[AxisName, int] = {"source": _check_source(trace.source, trace.picture)}
    if trace.question is not None:
        read["question"] = _check_axis(trace.question, "question")
    if trace.memory is not None and len(trace.memory) != read["source"]:
        message = f"There are {len(trace.memory)} vectors of memory for {read['source']}"
        raise FieldError("invalid_trace", f"{message} pieces read.", "memory")
    _check_output(trace, read, "")
    for index, other in enumerate(trace.runners_up):
        _check_output(other, read, f"runners_up[{index}].")
    return trace


def _check_source(source: AxisOut, picture: PictureOut | None) -> int:
    """How long the axis is; a grid lies within its picture, and there is no other picture."""
    if not isinstance(source, GridAxisOut):
        if picture is not None:
            message = "There is a picture, but what was read are pieces of text."
            raise FieldError("invalid_trace", message, "picture")
        return _check_axis(source, "source")
    if picture is None:
        message = "The source is a grid, but there is no picture below it."
        raise FieldError("invalid_trace", message, "picture")
    if source.rows * source.columns > MOST_CELLS:
        cells = f"{source.rows} × {source.columns} cells"
        message = f"The grid has {cells}; at most {MOST_CELLS} can be drawn."
        raise FieldError("invalid_trace", message, "source")
    across, down = source.left + source.width, source.top + source.height
    if min(source.left, source.top) < 0 or across > picture.width or down > picture.height:
        message = "The grid lies partly outside of the picture."
        raise FieldError("invalid_trace", message, "source")
    check_preview(picture)
    return source.rows * source.columns


def _check_keys(value: dict[str, Any]) -> None:
    """Refuse an object of very many fields before each of them is found to be unknown."""
    waiting: list[Any] = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            if len(one) > MOST_KEYS:
                message = (
                    f"There are {len(one)} fields in one object of the trace; none has so many."
                )
                raise FieldError("unknown_field", message)
            waiting.extend(one.values())
        elif isinstance(one, list) and one and isinstance(one[0], dict | list):
            waiting.extend(one)


def _check_output(output: OutputOut, read: Mapping[AxisName, int], before: str) -> None:
    written = _check_axis(output.target, f"{before}target")
    if output.steps and len(output.steps) != written:
        message = f"There are {len(output.steps)} steps for {written} tokens written."
        raise FieldError("invalid_trace", message, f"{before}steps")
    lengths = {**read, "target": written, "decoder_input": written}
    _check_count(len(output.maps), f"{before}maps")
    for index, one in enumerate(output.maps):
        field = f"{before}maps[{index}]"
        for along in (one.query, one.key):
            if along not in lengths:
                message = f"Map {index + 1} lies along a {along}, which is not there."
                raise FieldError("invalid_trace", message, field)
        rows, columns = lengths[one.query], lengths[one.key]
        where = f"Map {index + 1}: " if len(output.maps) > 1 else ""
        check_weights(one.weights, rows, columns, f"{field}.weights", where)
        if one.scores is not None and [len(row) for row in one.scores] != [columns] * rows:
            message = f"{where}The scores are no {rows} rows of {columns}."
            raise FieldError("invalid_trace", message, f"{field}.scores")
        for name, wanted in (("queries", rows), ("keys", columns), ("values", columns)):
            vectors = getattr(one, name)
            if vectors is not None and len(vectors) != wanted:
                message = f"{where}There are {len(vectors)} {name} where {wanted} belong."
                raise FieldError("invalid_trace", message, f"{field}.{name}")
    for index, step in enumerate(output.steps):
        if step.drawn is not None and step.drawn.cell >= read["source"]:
            message = f"Step {index + 1} drew cell {step.drawn.cell}, which is not there."
            raise FieldError("invalid_trace", message, f"{before}steps[{index}].drawn.cell")


def _check_axis(side: TokenAxisOut, name: str) -> int:
    if len(side.tokens) > MOST_TOKENS:
        message = f"{name} has {len(side.tokens)} pieces; at most {MOST_TOKENS} can be drawn."
        raise FieldError("invalid_trace", f"The {message}", name)
    for index, token in enumerate(side.tokens):
        known = 0 <= token.word < len(side.words)
        if not known or token.start < 0 or token.end < token.start:
            message = f"Token {index + 1} of the {name} is not whole."
            raise FieldError("invalid_trace", message, f"{name}.tokens[{index}]")
    for index, word in enumerate(side.rare_words or ()):
        if not 0 <= word < len(side.words):
            message = f"The {name} has no word {word}, to be a stranger."
            raise FieldError("invalid_trace", message, f"{name}.rare_words[{index}]")
    return len(side.tokens)


# --- plain matrices ---------------------------------------------------------------------------


def plain(value: dict[str, Any]) -> TraceOut:
    """A trace with no more to tell than pieces and weights."""
    for name in ("source", "weights"):
        if name not in value:
            raise FieldError("missing_field", f"The field '{name}' is missing. Add it.", name)
    source = axis(value["source"], "source", "sum")
    kind = value.get("kind", "cross")
    if kind is None:
        kind = "cross"
    if kind not in get_args(PlainKind):
        shown = quoted(kind) if isinstance(kind, str) else "this"
        message = f"The field 'kind' must be one of {', '.join(get_args(PlainKind))}, not {shown}."
        raise FieldError("invalid_choice", message, "kind")
    if kind != "cross" and "target" not in value:
        target = source.model_copy(update={"merge": "mean"})
    else:
        target = axis(value.get("target"), "target", "mean")
    return TraceOut(
        model=StampOut(id=IMPORTED, weights="", mechanism=IMPORTED, order="after"),
        task=IMPORTED,
        request=RequestOut(
            text=source.text,
            target=None,
            search=SearchOut(kind="greedy", beam=1, seed=0, temperature=1, length_penalty=1),
            detail="weights",
        ),
        text=target.text,
        source=source,
        target=target,
        maps=_maps(value["weights"], len(target.tokens), len(source.tokens)),
        steps=[],
        runners_up=[],
        log_probability=0,
        score=0,
        finish="end",
        timing=TimingOut(encode_ms=0, decode_ms=0),
    )


def _maps(weights: Any, rows: int, columns: int) -> list[MapOut]:
    """A map per layer and head, however deep the matrices lie."""
    deep = _depth(weights)
    layers = {MATRIX: [[weights]], HEADS: [weights], LAYERS: weights}.get(deep)
    if layers is None:
        message = (
            "The field 'weights' should be a matrix: a list of rows, each a list of numbers "
            "(or heads of such, or layers of heads)."
        )
        raise FieldError("wrong_type", message, "weights")
    _check_count(sum(len(heads) for heads in layers if isinstance(heads, list)), "weights")
    maps = []
    for layer, heads in enumerate(layers):
        if not isinstance(heads, list):
            message = f"Layer {layer + 1} is no list of heads."
            raise FieldError("wrong_type", message, f"weights[{layer}]")
        for head, matrix in enumerate(heads):
            field = f"weights[{layer}][{head}]" if deep == LAYERS else f"weights[{head}]"
            many = len(layers) * len(heads) > 1
            where = f"Layer {layer + 1}, head {head + 1}: " if many else ""
            check_weights(matrix, rows, columns, "weights" if deep == MATRIX else field, where)
            maps.append(
                MapOut(
                    kind="cross",
                    layer=layer,
                    head=head,
                    query="target",
                    key="source",
                    weights=matrix,
                )
            )
    return maps


def _check_count(maps: int, field: str) -> None:
    if maps > MOST_MAPS:
        message = f"There are {maps} maps; at most {MOST_MAPS} are kept."
        raise FieldError("invalid_trace", message, field)


def _depth(weights: Any) -> int:
    deep = 0
    while isinstance(weights, list):
        weights = weights[0] if weights else None
        deep += 1
        if deep > LAYERS:
            break
    return deep
