"""The trace, and the events that it grows by.

In every attention map **rows are queries (output), columns are keys (input)**, and a row sums to 1.
Fields that `detail` excludes are absent; a `null` has a meaning: no target was given, a key was
masked.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Discriminator, Field, Tag

from heed.app.schemas.base import (
    LARGEST_WHOLE,
    MOST_NUMBERS,
    Absent,
    Count,
    Few,
    Many,
    Maps,
    Name,
    Number,
    Pair,
    Positive,
    Row,
    Text,
    Whole,
    Wire,
)
from heed.app.schemas.edits import PLACE_TAGS, Edits
from heed.models import trace as core
from heed.output.serialize import Detail

TRACE_SCHEMA_ID = "urn:heed:schema:trace:2"
MOST_PREVIEW_CHARACTERS = 1_000_000
MOST_LINK_CHARACTERS = 20_000


class WordOut(Wire):
    """A word of a text; positions count Unicode code points, not UTF-16 code units."""

    text: Text
    start: Whole
    end: Whole
    special: bool
    """True for the end-of-sequence token, which is not part of the text."""


class TokenOut(Wire):
    """A token of the model; `word` is an index into `words` of the axis."""

    id: Whole
    text: Text
    start: Whole
    end: Whole
    word: Whole
    special: bool


class GridAxisOut(Wire):
    """The cells of a picture, row by row: cell `i` is in row `i // columns`, column `i % columns`.

    Together they cover a rectangle of the original picture, in its pixels. With `marks`, a map has
    a row or column for each of them before those of the cells.
    """

    kind: Literal["grid"]
    unit: Absent[Literal["cells"]] = None
    """A row or column of a map is a cell. Traces saved by older servers have no `unit`."""
    rows: Annotated[int, Field(ge=1, le=LARGEST_WHOLE)]
    columns: Annotated[int, Field(ge=1, le=LARGEST_WHOLE)]
    left: Number
    top: Number
    width: Positive
    height: Positive
    marks: Absent[Many[Name]] = None
    """Names of tokens that are no part of the picture, such as the class token."""


class PatchesOut(Wire):
    """The tokens of an axis that are the patches of a picture, from `first` on."""

    first: Count
    grid: GridAxisOut


class TokenAxisOut(Wire):
    """The tokens along one axis of a map, and the words they form."""

    kind: Literal["tokens"] = "tokens"
    unit: Absent[Literal["tokens"]] = None
    """A row or column of a map is a token, which may be a part of a word: figures and tables merge
    them into words."""
    text: Text
    """The text that `start` and `end` of tokens and words refer to."""
    tokens: Many[TokenOut]
    words: Many[WordOut]
    merge: core.Merge
    """How the weights of the tokens of a word are merged: `sum` for input, `mean` for output."""
    rare_words: Absent[Many[Whole]] = None
    """Words that were rare in the training data, so that the model may guess or copy them, as
    indices into `words`. For input, where it is known."""
    unknown_words: Absent[Many[Whole]] = None
    """Words that are in no training text of their language and not in the input: the model made
    them up. Indices into `words`, for output, where it is known."""
    copied_words: Absent[Many[Whole]] = None
    """Words that are in no training text of their language but in the input: the model copied them.
    Indices into `words`, for output, where it is known."""
    written: Absent[Whole] = None
    """Index of the first token that the model wrote, if the axis holds a prompt and its answer."""
    frame_seconds: Absent[Positive] = None
    """Seconds of each token, if the tokens are frames of a sound."""
    patches: Absent[PatchesOut] = None
    """The tokens that a picture was read as, if there is one within the text."""


class SentenceAxisOut(Wire):
    """The sentences of a story. A special one is not part of the text: the empty sentence."""

    kind: Literal["sentences"]
    unit: Absent[Literal["sentences"]] = None
    text: Text
    """The text that `start` and `end` of sentences and words refer to."""
    sentences: Many[WordOut]
    unknown_words: Many[WordOut]
    """The words that the model does not know, and reads all alike."""


class HopAxisOut(Wire):
    """The hops of a memory network: row `i` of a map is hop `i + 1`."""

    kind: Literal["hops"]
    unit: Absent[Literal["hops"]] = None
    text: Text
    """The answer after the last hop."""
    hops: Annotated[int, Field(ge=0, le=64)]


class NodeOut(Wire):
    """A node of a graph, at its place on a drawing."""

    text: Text
    """Its name."""
    x: Annotated[float, Field(ge=0, le=1)]
    """From left to right. The larger of width and height of the drawing is 1."""
    y: Annotated[float, Field(ge=0, le=1)]
    """From top to bottom."""
    known: Absent[Whole] = None
    """Its class, if that was given, as an index into `classes`."""
    hint: Absent[Whole] = None
    """The class that was hinted at, if any."""


class GraphAxisOut(Wire):
    """The nodes of a graph: row and column `i` of a map are node `i`."""

    kind: Literal["graph"]
    unit: Absent[Literal["nodes"]] = None
    text: Text
    """The title of the graph, or its size."""
    nodes: Many[NodeOut]
    edges: Many[Pair[Whole]]
    """Pairs of nodes, without direction. Every node attends to itself, too."""
    classes: Many[Name]
    """The names of all classes."""


class ClassAxisOut(Wire):
    """The nodes of a graph with the classes that the model found."""

    kind: Literal["classes"]
    unit: Absent[Literal["nodes"]] = None
    text: Text
    """How many nodes have each class."""
    nodes: Many[Name]
    """The names of the nodes."""
    classes: Many[Name]
    """The name of the class of each node."""


class BoxOut(Wire):
    """A square of the picture, in its pixels; a part of it may lie outside."""

    left: Number
    top: Number
    side: Positive


class GlimpseAxisOut(Wire):
    """The glimpses at a picture in their order: row `i` of a map is glimpse `i + 1`."""

    kind: Literal["glimpses"]
    unit: Absent[Literal["glimpses"]] = None
    text: Text
    """The class that the model believes in after the last glimpse."""
    glimpses: Many[Annotated[list[BoxOut], Field(min_length=1, max_length=8, fail_fast=True)]]
    """The squares that each glimpse sees, the finest first."""


KINDS = ("tokens", "grid", "sentences", "graph", "hops", "glimpses", "classes")
AXES: dict[str, str] = {kind: f"<{kind}>" for kind in KINDS}
AXIS_TAGS = (*AXES.values(), *PLACE_TAGS)
"""Part of the location of an error within an axis or an edit, and of no body."""
WRITTEN = (AXES["hops"], AXES["glimpses"], AXES["classes"])
"""The axes of outputs that are no tokens."""


def _axis_tag(value: object) -> str:
    kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)
    return AXES.get(kind, AXES["tokens"]) if isinstance(kind, str) else AXES["tokens"]


def _target_tag(value: object) -> str:
    tag = _axis_tag(value)
    return tag if tag in WRITTEN else AXES["tokens"]


def _source_tag(value: object) -> str:
    tag = _axis_tag(value)
    return AXES["tokens"] if tag in WRITTEN else tag


AxisOut = Annotated[
    Annotated[TokenAxisOut, Tag(AXES["tokens"])]
    | Annotated[GridAxisOut, Tag(AXES["grid"])]
    | Annotated[SentenceAxisOut, Tag(AXES["sentences"])]
    | Annotated[GraphAxisOut, Tag(AXES["graph"])],
    Discriminator(_source_tag),
]
TargetAxisOut = Annotated[
    Annotated[TokenAxisOut, Tag(AXES["tokens"])]
    | Annotated[HopAxisOut, Tag(AXES["hops"])]
    | Annotated[ClassAxisOut, Tag(AXES["classes"])]
    | Annotated[GlimpseAxisOut, Tag(AXES["glimpses"])],
    Discriminator(_target_tag),
]


class PictureOut(Wire):
    """The original picture in its displayed orientation."""

    width: Annotated[int, Field(ge=1, le=LARGEST_WHOLE)]
    """In pixels, the unit of the grid axis."""
    height: Annotated[int, Field(ge=1, le=LARGEST_WHOLE)]
    format: Name
    preview: Annotated[str, Field(max_length=MOST_PREVIEW_CHARACTERS)]
    """A JPEG of at most 640 pixels on its longer side, without metadata, as a `data:` URI."""


class VectorOut(Wire):
    """A vector. `summary` has means of neighbouring numbers: at most 32, for a head at most 16."""

    size: Whole
    norm: Number
    summary: Row
    values: Absent[Annotated[list[Number], Field(max_length=MOST_NUMBERS, fail_fast=True)]] = None
    """The complete vector, with `detail: full`."""


class MapOut(Wire):
    """An attention map. Rows are queries (output), columns are keys (input)."""

    kind: core.MapKind
    layer: Whole
    head: Whole
    query: core.AxisName
    key: core.AxisName
    weights: Many[Row]
    """α, after the softmax and before dropout; each row sums to 1, with its sink if it has one."""
    sinks: Absent[Row] = None
    """Of each row, the weight that went to no key: to a learned sink, or to padding."""
    scores: Absent[Many[Many[Number | None]]] = None
    """e, before the softmax; null where a key was masked. Absent with `detail: weights`."""
    queries: Absent[Many[VectorOut]] = None
    """q of each row, for a model with several heads or with a memory tape: e = q·k / √size, or the
    score of its own mechanism. Absent with `detail: weights`, and for self-attention of several
    heads unless the request has `vectors: all`, as are `keys` and `values`."""
    keys: Absent[Many[VectorOut]] = None
    """k of each column. Absent in `runners_up` where the keys are those of the trace itself, and in
    the events of a stream before `trace`; the same holds for `values`."""
    values: Absent[Many[VectorOut]] = None
    """v of each column: the output of the head is their sum, weighted by α."""
    states: Absent[Many[VectorOut]] = None
    """The state of each row after the layer, for the patches of a picture if one head was
    requested. After the last layer it is normalised."""


class LinkedMapOut(Wire):
    """A map that the answer leaves out, and its address."""

    kind: core.MapKind
    layer: Whole
    head: Whole
    query: core.AxisName
    key: core.AxisName
    rows: Count
    columns: Count
    address: Name
    """Path on the server: the weights as a NumPy file of 16-bit numbers, or the map as JSON."""


class AlternativeOut(Wire):
    """A candidate for the output token."""

    id: Whole
    text: Text
    probability: Number


class DrawnOut(Wire):
    """Hard attention: the cell that was sampled from the row of the map."""

    cell: Count
    log_probability: Number


class StepOut(Wire):
    """The numbers of one output token (token `i` of the target axis is step `i`), hop or glimpse.

    After a hop or a glimpse, the alternatives are the likeliest answers if the model stopped there,
    and the probability is that of the final answer. Of a node of a graph, they are the classes.
    """

    probability: Number
    surprise: Number
    """-log₂ of the probability, in bits."""
    alternatives: Many[AlternativeOut] = []  # noqa: RUF012 - pydantic copies defaults
    """The most probable tokens at this step, best first."""
    query: Absent[VectorOut] = None
    """The query: the decoder's state before the update (`order: before`) or after it (`after`); in
    a Transformer, the input of the heads of the last layer; in a memory network u, which is the
    question at first."""
    context: Absent[VectorOut] = None
    """c, the context vector: the weighted sum of the values; with several heads, the concatenation
    of those of the last layer; of a glimpse g, what was seen and where; of a memory tape h̃."""
    state: Absent[VectorOut] = None
    """s, the decoder's state after this step."""
    gate: Absent[Number] = None
    """β, for a model with a gate: the context is scaled to β·c."""
    drawn: Absent[DrawnOut] = None
    keys: Absent[Many[VectorOut]] = None
    """m of each sentence, in a hop of a memory network: e = u·m. Absent with `detail: weights`, as
    are `values`."""
    values: Absent[Many[VectorOut]] = None
    """c of each sentence, in a hop: the context is their sum, weighted by α."""
    seen: Absent[Few[Many[Row]]] = None
    """The patches of a glimpse, the finest first: rows of ink, from 0 to 1. Absent with `detail:
    weights`."""
    cell: Absent[VectorOut] = None
    """c of the last word that an LSTM with a memory tape has read. Absent with `detail: weights`,
    as are `cell_context` and `gates`."""
    cell_context: Absent[VectorOut] = None
    """c̃, the sum of the cells on the tape, weighted by α; `context` is h̃."""
    gates: Absent[Annotated[list[VectorOut], Field(max_length=8, fail_fast=True)]] = None
    """i, f and o: how much of the last word was written into its cell, how much of the c̃ before was
    kept, and how much of the cell was shown."""


class OutputOut(Wire):
    """One hypothesis: its text, its attention, and its probability."""

    text: Text
    target: TargetAxisOut
    """The rows of the maps: the tokens of the output, the hops of a memory network, or the nodes of
    a graph, or glimpses."""
    maps: Maps[MapOut]
    linked: Absent[Maps[LinkedMapOut]] = None
    """The maps of a large trace, instead of `maps`, if the request has `maps: linked`."""
    steps: Many[StepOut]
    log_probability: Number
    score: Number
    """Log-probability / lengthᵅ, by which hypotheses are ranked."""
    finish: core.Finish
    """`end`: the model wrote its end token. `length`: the output was cut off. `forced`: a target
    was given."""


class StampOut(Wire):
    """The model of a trace; `weights` is the SHA-256 of its weights."""

    id: Name
    weights: Name
    mechanism: Name
    order: core.Order
    """`before` the state update (Bahdanau), `after` it (Luong), or a `fixed` context vector."""


class SearchOut(Wire):
    """Search settings of the output; unused if a target was given."""

    kind: Literal["greedy", "beam", "sample"]
    beam: Whole
    seed: Whole
    temperature: Number
    length_penalty: Number


class RequestOut(Wire):
    """The request. Sent again with the id of the model, it gives the same trace."""

    text: Text
    """The input text, the story, or the graph as text; for a picture the question, or the empty
    string."""
    target: Text | None
    search: SearchOut
    detail: Detail
    draws: Absent[Whole] = None
    vectors: Absent[core.Vectors] = None
    """`all`, if the vectors of self-attention were requested."""
    edits: Absent[Edits] = None
    """The edits of the attention that change something."""
    continue_from: Absent[Count] = None


class ChangeOut(Wire):
    """The effect of edits on a step, while the tokens of the run without edits are forced."""

    before: Number
    """The log-probability of the token without the edits."""
    after: Number
    """The same under the edits."""
    delta: Number
    """`after` less `before`."""
    divergence: Number
    """KL(p ‖ p′) in nats: p is the distribution over the whole vocabulary without the edits, p′
    that under them."""


class BaselineOut(OutputOut):
    """The run without the edits, and what they changed."""

    changes: Many[ChangeOut]
    """Of each step of this run."""
    parts_at: Absent[Count] = None
    """The first step at which both runs wrote another token; absent if they wrote the same."""
    unused: Many[Count]
    """Edits of steps that the edited run did not reach, as indices into `request.edits`."""
    source: Absent[TokenAxisOut] = None
    """The axis of this run, where prompt and answer stand on one; else it is that of the trace."""


class TimingOut(Wire):
    """Milliseconds in the model, for the whole batch this text was part of."""

    encode_ms: Number
    decode_ms: Number


class TraceOut(OutputOut):
    """One run of one model. Self-contained: a trace can be drawn and saved without the server."""

    schema_: Annotated[Literal["heed.trace/2"], Field(alias="schema")] = "heed.trace/2"
    model: StampOut
    task: Name
    request: RequestOut
    source: AxisOut
    """The input: tokens, the cells of a picture, the sentences of a story, or the nodes of a
    graph."""
    runners_up: Few[OutputOut]
    """The other hypotheses of a beam search, best first."""
    timing: TimingOut
    memory: Absent[Many[VectorOut]] = None
    """h, the encoder state of each input token. With one head and no projection, c is their sum
    weighted by α. Absent with `detail: weights`, and for pictures."""
    picture: Absent[PictureOut] = None
    """The picture under the grid, if the source is a grid, or has patches."""
    question: Absent[TokenAxisOut] = None
    """The question about the picture or the story; the keys of a map may be its tokens."""
    run: Absent[Name] = None
    """Path of the whole trace on the server, if its maps are `linked`. It is kept for a while."""
    positions: Absent[Many[Row]] = None
    """The cosine between the positional embeddings of each two tokens of the input, where a model
    has learned such embeddings for the patches of a picture."""
    baseline: Absent[BaselineOut] = None
    """The run without edits, if the request has some that change something."""
    links: Absent[Annotated[str, Field(max_length=MOST_LINK_CHARACTERS)]] = None
    """Words of input and output that a person linked, counted from 0 between spaces: `0-0 2-1`,
    possible ones `3?1`. No model writes them; a saved trace may have them."""

    model_config = ConfigDict(populate_by_name=True, title="Trace")


class StartEvent(Wire):
    """First event of a stream: the trace before the first step."""

    schema_: Annotated[Literal["heed.trace/2"], Field(alias="schema")] = "heed.trace/2"
    model: StampOut
    task: str
    request: RequestOut
    source: AxisOut
    picture: Absent[PictureOut] = None
    question: Absent[TokenAxisOut] = None

    model_config = ConfigDict(populate_by_name=True)


class StepEvent(Wire):
    """One event per step: replace everything from position `since` on by this.

    With greedy search `since` is `index`; a beam search may revise earlier positions. Maps of the
    encoder are part of the event `trace` only.
    """

    index: int
    """Position of the newest token."""
    since: int
    """Position of the first row of `maps` and `steps`."""
    target: TargetAxisOut
    """The complete output so far."""
    maps: list[MapOut]
    steps: list[StepOut]
