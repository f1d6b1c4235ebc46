"""A trace of Heed from outside: its fields, and whether they agree with each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from heed.app.errors import FieldError
from heed.app.http.validation_errors import validated
from heed.app.schemas import (
    MOST_PIECES,
    AxisOut,
    BaselineOut,
    ClassAxisOut,
    GlimpseAxisOut,
    GraphAxisOut,
    GridAxisOut,
    HopAxisOut,
    MapOut,
    OutputOut,
    PictureOut,
    SentenceAxisOut,
    StepOut,
    TargetAxisOut,
    TokenAxisOut,
    TraceOut,
)
from heed.app.traces.trace_import.preview import check_preview
from heed.app.traces.trace_import.weights import check_map_count, check_weights
from heed.models.heads import WORD, read_links
from heed.models.trace import AxisName

IMPORTED = "imported"
DEFAULTS: Final = {
    "task": IMPORTED,
    "runners_up": [],
    "timing": {"encode_ms": 0.0, "decode_ms": 0.0},
    "log_probability": 0.0,
    "score": 0.0,
    "finish": "end",
}
"""Fields that drawing does not need, and the values that stand in for them."""
REQUEST_DEFAULTS: Final = {
    "target": None,
    "search": {"kind": "greedy", "beam": 1, "seed": 0, "temperature": 1.0, "length_penalty": 1.0},
    "detail": "weights",
}
MAX_CELLS = 1024
MAX_MARKS = 16
MAX_GLIMPSES = 64
MAX_PATCH = 64

Json = dict[str, object]


def validated_trace(value: Json) -> TraceOut:
    """Return the value as a complete trace without contradictions, or raise a `FieldError`."""
    source, request = value.get("source"), value.get("request")
    text = source.get("text") if isinstance(source, dict) else None
    filled = {**DEFAULTS, "request": {"text": text, **REQUEST_DEFAULTS}, **value}
    if isinstance(request, dict):
        filled["request"] = {"text": text, **REQUEST_DEFAULTS, **request}
    trace = validated(filled, TraceOut, strict=True)
    if any(part.linked is not None for part in _outputs(trace).values()):
        message = 'The maps of this trace are not in it. Request it with "maps": "inline".'
        raise FieldError("invalid_trace", message, "linked")
    lengths: dict[AxisName, int] = {"source": _check_source(trace.source, trace.picture)}
    if trace.question is not None:
        lengths["question"] = _check_token_axis(trace.question, "question")
    _check_pairing(trace)
    if trace.memory is not None and len(trace.memory) != lengths["source"]:
        message = f"There are {len(trace.memory)} vectors of memory for {lengths['source']}"
        raise FieldError("invalid_trace", f"{message} pieces of input.", "memory")
    length = lengths["source"]
    if trace.positions is not None and [len(row) for row in trace.positions] != [length] * length:
        message = f"The positions must be {length} rows of {length}."
        raise FieldError("invalid_trace", message, "positions")
    for prefix, output in _outputs(trace).items():
        own = output.source if isinstance(output, BaselineOut) else None
        axes = lengths
        if own is not None:
            axes = {**lengths, "source": _check_token_axis(own, f"{prefix}source")}
        _check_output(output, axes, prefix)
    if trace.links is not None:
        _check_links(trace, trace.links)
    return trace


def _check_links(trace: TraceOut, text: str) -> None:
    """Refuse links that are not between words of two texts."""
    try:
        links = read_links(text, "-?")
    except ValueError as error:
        raise FieldError("invalid_trace", f"The {error}.", "links") from None
    if not (isinstance(trace.source, TokenAxisOut) and isinstance(trace.target, TokenAxisOut)):
        message = "There are links, but not between the words of two texts."
        raise FieldError("invalid_trace", message, "links")
    read, wrote = (len(WORD.findall(axis.text)) for axis in (trace.source, trace.target))
    for key, query in sorted(links):
        if key >= read or query >= wrote:
            message = f"The texts have no words {key}-{query}, which a link names."
            raise FieldError("invalid_trace", message, "links")


def _outputs(trace: TraceOut) -> dict[str, OutputOut]:
    """Return all outputs of a trace by the prefix of their fields, its own first."""
    others = {f"runners_up[{index}].": output for index, output in enumerate(trace.runners_up)}
    before = {} if trace.baseline is None else {"baseline.": trace.baseline}
    return {"": trace, **others, **before}


def _check_source(source: AxisOut, picture: PictureOut | None) -> int:
    """Return the length of the axis."""
    if isinstance(source, TokenAxisOut) and source.patches is not None:
        first, grid = source.patches.first, source.patches.grid
        count = _check_grid(grid, picture)
        if grid.marks or first + count > len(source.tokens):
            message = "The patches of the picture are not tokens of the text."
            raise FieldError("invalid_trace", message, "source.patches")
        return _check_axis(source, "source")
    if not isinstance(source, GridAxisOut):
        if picture is not None:
            message = "There is a picture, but the source is text."
            raise FieldError("invalid_trace", message, "picture")
        return _check_axis(source, "source")
    return _check_grid(source, picture)


def _check_grid(source: GridAxisOut, picture: PictureOut | None) -> int:
    """Return the length of a grid, which must lie within its picture."""
    if picture is None:
        message = "The source is a grid, but there is no picture for it."
        raise FieldError("invalid_trace", message, "picture")
    if len(source.marks or ()) > MAX_MARKS:
        message = f"The grid has {len(source.marks or ())} marks; at most {MAX_MARKS} are allowed."
        raise FieldError("invalid_trace", message, "source.marks")
    if source.rows * source.columns > MAX_CELLS:
        cells = f"{source.rows} × {source.columns} cells"
        message = f"The grid has {cells}; at most {MAX_CELLS} can be drawn."
        raise FieldError("invalid_trace", message, "source")
    right, bottom = source.left + source.width, source.top + source.height
    if min(source.left, source.top) < 0 or right > picture.width or bottom > picture.height:
        message = "The grid lies partly outside of the picture."
        raise FieldError("invalid_trace", message, "source")
    check_preview(picture)
    return len(source.marks or ()) + source.rows * source.columns


def _check_pairing(trace: TraceOut) -> None:
    """Refuse an output that does not fit its source, and a story without its question."""
    of_story = isinstance(trace.source, SentenceAxisOut)
    of_graph = isinstance(trace.source, GraphAxisOut)
    for prefix, output in _outputs(trace).items():
        if isinstance(output.target, HopAxisOut) != of_story:
            message = "A story has hops as its output, and nothing else has."
            raise FieldError("invalid_trace", message, f"{prefix}target")
        if isinstance(output.target, ClassAxisOut) != of_graph:
            message = "A graph has the classes of its nodes as its output, and nothing else has."
            raise FieldError("invalid_trace", message, f"{prefix}target")
        if isinstance(output.target, ClassAxisOut):
            _check_classes(trace.source, output.target, f"{prefix}target")
        of_glimpses = isinstance(output.target, GlimpseAxisOut)
        if of_glimpses and not isinstance(trace.source, GridAxisOut):
            message = "The output has glimpses, but the source is no picture."
            raise FieldError("invalid_trace", message, f"{prefix}target")
    if of_story and trace.question is None:
        message = "The source is a story, but there is no question about it."
        raise FieldError("invalid_trace", message, "question")


def _check_classes(source: AxisOut, target: ClassAxisOut, field: str) -> None:
    """Refuse classes that the graph does not have, or of other nodes."""
    if not isinstance(source, GraphAxisOut):
        return
    if target.nodes != [node.text for node in source.nodes]:
        message = "The classes of the output are not those of the nodes of the graph."
        raise FieldError("invalid_trace", message, f"{field}.nodes")
    if len(target.classes) != len(target.nodes) or not set(target.classes) <= set(source.classes):
        message = "The output has no class of the graph for some node."
        raise FieldError("invalid_trace", message, f"{field}.classes")


def _check_graph(axis: GraphAxisOut, name: str) -> int:
    """Return the number of nodes; edges and classes must name nodes and classes that exist."""
    if len(axis.nodes) > MOST_PIECES:
        message = f"The {name} has {len(axis.nodes)} nodes; at most {MOST_PIECES} can be drawn."
        raise FieldError("invalid_trace", message, name)
    for index, edge in enumerate(axis.edges):
        if not all(0 <= end < len(axis.nodes) for end in edge):
            message = f"Edge {index + 1} joins a node that does not exist."
            raise FieldError("invalid_trace", message, f"{name}.edges[{index}]")
    for index, node in enumerate(axis.nodes):
        given = [place for place in (node.known, node.hint) if place is not None]
        if not all(0 <= place < len(axis.classes) for place in given):
            message = f"Node {index + 1} has a class that does not exist."
            raise FieldError("invalid_trace", message, f"{name}.nodes[{index}]")
    return len(axis.nodes)


def _check_axis(axis: SentenceAxisOut | GraphAxisOut | TargetAxisOut, name: str) -> int:
    """Return the length of an axis of any kind but a grid."""
    if isinstance(axis, HopAxisOut):
        return axis.hops
    if isinstance(axis, ClassAxisOut):
        return len(axis.nodes)
    if isinstance(axis, GraphAxisOut):
        return _check_graph(axis, name)
    if isinstance(axis, GlimpseAxisOut):
        if not 0 < len(axis.glimpses) <= MAX_GLIMPSES:
            message = f"The {name} has {len(axis.glimpses)} glimpses; from 1 to {MAX_GLIMPSES} can "
            raise FieldError("invalid_trace", f"{message}be drawn.", name)
        return len(axis.glimpses)
    if isinstance(axis, TokenAxisOut):
        if axis.patches is not None and name != "source":
            message = f"The {name} has patches of a picture, which only the source may have."
            raise FieldError("invalid_trace", message, f"{name}.patches")
        return _check_token_axis(axis, name)
    if len(axis.sentences) > MOST_PIECES:
        message = f"The {name} has {len(axis.sentences)} sentences; at most {MOST_PIECES} can be "
        raise FieldError("invalid_trace", f"{message}drawn.", name)
    for kind, spans in (("sentences", axis.sentences), ("unknown_words", axis.unknown_words)):
        for index, span in enumerate(spans):
            if not 0 <= span.start <= span.end <= len(axis.text):
                message = f"The range of number {index + 1} of the {kind} is outside the text."
                raise FieldError("invalid_trace", message, f"{name}.{kind}[{index}]")
    return len(axis.sentences)


def _check_token_axis(axis: TokenAxisOut, name: str) -> int:
    """Return the length of the axis; its tokens and rare words must name words that exist."""
    cells = axis.patches.grid.rows * axis.patches.grid.columns if axis.patches else 0
    if len(axis.tokens) - cells > MOST_PIECES:  # the cells have a limit of their own
        message = f"The {name} has {len(axis.tokens)} tokens; at most {MOST_PIECES} can be drawn."
        raise FieldError("invalid_trace", message, name)
    for index, token in enumerate(axis.tokens):
        known = 0 <= token.word < len(axis.words)
        if not known or token.start < 0 or token.end < token.start:
            message = f"Token {index + 1} of the {name} has no word, or its range is invalid."
            raise FieldError("invalid_trace", message, f"{name}.tokens[{index}]")
    if axis.written is not None and not 0 <= axis.written <= len(axis.tokens):
        message = f"The {name} has no token {axis.written}, which 'written' names."
        raise FieldError("invalid_trace", message, f"{name}.written")
    for field in ("rare_words", "unknown_words", "copied_words"):
        for index, word in enumerate(getattr(axis, field) or ()):
            if not 0 <= word < len(axis.words):
                message = f"The {name} has no word {word}, which '{field}' names."
                raise FieldError("invalid_trace", message, f"{name}.{field}[{index}]")
    return len(axis.tokens)


def _check_output(output: OutputOut, inputs: Mapping[AxisName, int], prefix: str) -> None:
    written = _check_axis(output.target, f"{prefix}target")
    unit = {"hops": "hops", "glimpses": "glimpses"}.get(output.target.kind, "tokens of output")
    if output.steps and len(output.steps) != written:
        message = f"There are {len(output.steps)} steps for {written} {unit}."
        raise FieldError("invalid_trace", message, f"{prefix}steps")
    lengths = {**inputs, "target": written, "decoder_input": written}
    check_map_count(len(output.maps), f"{prefix}maps")
    for index, attention in enumerate(output.maps):
        where = f"Map {index + 1}: " if len(output.maps) > 1 else ""
        _check_map(attention, lengths, index, f"{prefix}maps[{index}]", where)
    for index, step in enumerate(output.steps):
        if step.drawn is not None and step.drawn.cell >= inputs["source"]:
            message = f"Step {index + 1} drew cell {step.drawn.cell}, which does not exist."
            raise FieldError("invalid_trace", message, f"{prefix}steps[{index}].drawn.cell")
        _check_seen(step, f"{prefix}steps[{index}].seen")
        for name in ("keys", "values"):
            vectors = getattr(step, name)
            if vectors is not None and len(vectors) != inputs["source"]:
                message = f"Step {index + 1} has {len(vectors)} {name}, the source has "
                message += f"{inputs['source']}."
                raise FieldError("invalid_trace", message, f"{prefix}steps[{index}].{name}")


def _check_seen(step: StepOut, field: str) -> None:
    """Refuse patches that are not squares of one size."""
    patches = step.seen or []
    sides = {len(patch) for patch in patches} | {len(row) for patch in patches for row in patch}
    if len(sides) > 1 or not all(0 < side <= MAX_PATCH for side in sides):
        message = f"The patches of a glimpse must be squares of at most {MAX_PATCH} pixels a side."
        raise FieldError("invalid_trace", message, field)


def _check_map(
    attention: MapOut, lengths: Mapping[AxisName, int], index: int, field: str, where: str
) -> None:
    for axis in (attention.query, attention.key):
        if axis not in lengths:
            message = f"Map {index + 1} has the axis '{axis}', which the trace lacks."
            raise FieldError("invalid_trace", message, field)
    rows, columns = lengths[attention.query], lengths[attention.key]
    if attention.sinks is None:
        check_weights(attention.weights, rows, columns, f"{field}.weights", where)
    else:
        _check_sinks(attention, attention.sinks, (rows, columns), field, where)
    if attention.scores is not None and [len(row) for row in attention.scores] != [columns] * rows:
        message = f"{where}The scores must be {rows} rows of {columns}."
        raise FieldError("invalid_trace", message, f"{field}.scores")
    for name, expected in (
        *(("queries", rows), ("states", rows)),
        *(("keys", columns), ("values", columns)),
    ):
        vectors = getattr(attention, name)
        if vectors is not None and len(vectors) != expected:
            message = f"{where}There are {len(vectors)} {name}, but the axis has {expected}."
            raise FieldError("invalid_trace", message, f"{field}.{name}")


def _check_sinks(
    attention: MapOut, sinks: list[float], size: tuple[int, int], field: str, where: str
) -> None:
    """Check weights that sum to 1 with that of a sink, as if the sink were a further column."""
    rows, columns = size
    if len(sinks) != rows or any(len(row) != columns for row in attention.weights):
        message = f"{where}There are {len(sinks)} sinks, or the weights are not {rows} × {columns}."
        raise FieldError("invalid_trace", message, f"{field}.sinks")
    joined = [[*row, sink] for row, sink in zip(attention.weights, sinks, strict=False)]
    check_weights(joined, rows, columns + 1, f"{field}.weights", where)
