"""The wire contract, the only one: what the API takes and what it gives.

In every attention map **rows are what was written (queries), columns are what was read (keys)**,
and a row sums to 1. What `detail` leaves out is absent; where a `null` is written it means
something: no target was asked for, no field is to blame, a key was masked.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag
from pydantic.json_schema import SkipJsonSchema

from heed.models import trace as core

TRACE_SCHEMA_ID = "urn:heed:schema:trace:2"

Detail = Literal["weights", "steps", "full"]
Optional = TypeVar("Optional")
Item = TypeVar("Item")
Many = Annotated[list[Item], Field(fail_fast=True)]
"""A list of what may come from outside as well: its first bad item is told, not all of them."""
Row = Many[float]


def _is_none(value: object) -> bool:
    return value is None


def _without_default(schema: dict[str, Any]) -> None:
    schema.pop("default", None)


Absent = Annotated[
    Optional | SkipJsonSchema[None],
    Field(exclude_if=_is_none, json_schema_extra=_without_default),
]
"""Something that may be left out, and is never null."""


class Wire(BaseModel):
    """Base of all schemas: unknown fields are refused, docstrings of fields describe them."""

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,
    )


# --- what the API takes -----------------------------------------------------------------------


class Asked(Wire):
    """Base of what the API takes: a number is not taken for a string, nor a string for a number."""

    model_config = ConfigDict(strict=True)


class SearchIn(Asked):
    """How the output is chosen."""

    model_config = ConfigDict(frozen=True)  # or the default would be copied for every request

    kind: Literal["greedy", "beam", "sample"] = "greedy"
    """`greedy` takes the likeliest token each time, `beam` keeps the best few hypotheses,
    `sample` draws."""
    beam: Annotated[int, Field(ge=1, le=10)] = 4
    """Hypotheses kept by `beam`; as many come back, the best as the trace, the others as
    `runners_up`."""
    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = 0
    """Seed of `sample`: the same seed draws the same text."""
    temperature: Annotated[float, Field(gt=0, le=10)] = 1.0
    """Temperature of `sample`: below 1 is bolder, above 1 wilder."""
    length_penalty: Annotated[float, Field(ge=0, le=3)] = 1.0
    """Exponent α of `beam`: hypotheses are ranked by log-probability / lengthᵅ."""


class Options(Asked):
    """What one text and a batch of texts have in common."""

    model: str | None = None
    """Id of a model of `GET /api/v1/models`; the server's default model if left out."""
    search: SearchIn = SearchIn()
    """How the output is chosen; not used where a `target` is given."""
    detail: Detail = "steps"
    """`weights`: axes, maps and probabilities. `steps`: scores, alternatives and a compact
    picture of the vectors besides. `full`: the vectors whole."""
    vectors: core.Vectors = "cross"
    """Of a model with several heads: whose queries, keys and values are told. `cross`: those of the
    heads that look at what was read. `all`: those of self-attention as well, which are many."""


class TranslateIn(Options):
    """One text to be read, and the target if the user gives it (forced decoding)."""

    text: str
    """What the model reads."""
    target: str | None = None
    """Forced decoding: the model does not choose, it tells what it attends to and how surprised
    it is at each token of this target."""


class CaptionIn(Options):
    """A picture to be described. The picture itself is beside these fields, in `image`."""

    target: str | None = None
    """Forced decoding: the model does not choose, it tells where it would look for each word of
    this caption, and how surprised it is at it."""
    draws: Annotated[int, Field(ge=0, le=100)] = 0
    """Of hard attention only: what was written is drawn so often again, from as many seeds on, and
    the shares of the draws on each cell come as a map of kind `drawn`."""


class AskIn(CaptionIn):
    """A question about a picture. The picture itself is beside these fields, in `image`."""

    question: str
    """What is asked of the picture."""


class BatchIn(Options):
    """Several texts, answered in their order. A bad one fails alone."""

    texts: list[Any]
    """What the model reads: strings, as many as `GET /version` says under `limits.batch`."""


# --- what the API gives -----------------------------------------------------------------------


class WordOut(Wire):
    """A stretch of the user's own string, in characters (Unicode code points, not UTF-16)."""

    text: str
    start: int
    end: int
    special: bool
    """True of the end mark, which stands in no string."""


class TokenOut(Wire):
    """A piece as the model sees it; `word` is an index into the axis's `words`."""

    id: int
    text: str
    start: int
    end: int
    word: int
    special: bool


class TokenAxisOut(Wire):
    """The tokens along one side of a map, and the words they merge into."""

    kind: Literal["tokens"] = "tokens"
    text: str
    """The string itself; `start` and `end` of tokens and words count its characters."""
    tokens: Many[TokenOut]
    words: Many[WordOut]
    merge: core.Merge
    """How the weights of a word's tokens merge: `sum` where it was read, `mean` where written."""
    rare_words: Absent[Many[int]] = None
    """Words that the model hardly met while it learned, and guesses at or copies, by their places
    in `words`. Of what was read, where that is known."""


class GridAxisOut(Wire):
    """The cells of a picture, row by row: cell `i` is in row `i // columns`, column `i % columns`.

    Together they cover a rectangle of the user's own picture, in its pixels.
    """

    kind: Literal["grid"]
    rows: Annotated[int, Field(ge=1)]
    columns: Annotated[int, Field(ge=1)]
    left: float
    top: float
    width: Annotated[float, Field(gt=0)]
    height: Annotated[float, Field(gt=0)]


TOKENS_TAG, GRID_TAG = AXIS_TAGS = ("<tokens>", "<grid>")
"""Stand in the place of an error within an axis, and in no body: see `fields.path`."""


def _axis_tag(value: object) -> str:
    kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)
    return GRID_TAG if kind == "grid" else TOKENS_TAG


AxisOut = Annotated[
    Annotated[TokenAxisOut, Tag(TOKENS_TAG)] | Annotated[GridAxisOut, Tag(GRID_TAG)],
    Discriminator(_axis_tag),
]


class PictureOut(Wire):
    """The user's own picture, the way up that it is displayed."""

    width: Annotated[int, Field(ge=1)]
    """In pixels, as the grid axis has them."""
    height: Annotated[int, Field(ge=1)]
    format: str
    preview: str
    """A JPEG of at most 640 pixels on its longer side, without metadata, as a `data:` URI."""


class VectorOut(Wire):
    """A vector, drawn small: means of neighbouring numbers, in at most 32 cells.

    Those of a head are drawn in at most 16.
    """

    size: int
    norm: float
    summary: Row
    values: Absent[Row] = None
    """The whole vector, with `detail: full`."""


class MapOut(Wire):
    """An attention map. Rows are queries (what was written), columns keys (what was read)."""

    kind: core.MapKind
    layer: int
    head: int
    query: core.AxisName
    key: core.AxisName
    weights: Many[Row]
    """α, after the softmax and before dropout; each row sums to 1."""
    scores: Absent[Many[Many[float | None]]] = None
    """e, before the softmax; null where a key was masked. Left out with `detail: weights`."""
    queries: Absent[list[VectorOut]] = None
    """q of each row, of one head of several: e = q·k / √size. Left out with `detail: weights`, and
    of self-attention unless the request says `vectors: all`, like the next two."""
    keys: Absent[list[VectorOut]] = None
    """k of each column. Of what was read, runners-up have the keys and values of the trace itself
    and leave them out; so does a stream, of all, until the trace is whole."""
    values: Absent[list[VectorOut]] = None
    """v of each column: the head saw their sum, each times its weight α."""


class AlternativeOut(Wire):
    """A token that could have been written instead."""

    id: int
    text: str
    probability: float


class DrawnOut(Wire):
    """Hard attention: the one cell that was looked at, drawn from the row of the map."""

    cell: Annotated[int, Field(ge=0)]
    log_probability: float


class StepOut(Wire):
    """The numbers that led to one output token (token `i` of the target axis is step `i`)."""

    probability: float
    surprise: float
    """-log₂ of the probability, in bits."""
    alternatives: Many[AlternativeOut] = []
    """The likeliest tokens at this step, best first, the one written among them if it is."""
    query: Absent[VectorOut] = None
    """What asked: the decoder's old state if it attends `before` the update, its new one if
    `after`; in a Transformer, what goes to the heads of the last layer."""
    context: Absent[VectorOut] = None
    """c, the weighted sum of what was read; of several heads, their sums joined (those of the last
    layer)."""
    state: Absent[VectorOut] = None
    """s, the decoder's state after this step."""
    gate: Absent[float] = None
    """β, where a model has one: what came of the context is β·c."""
    drawn: Absent[DrawnOut] = None


class OutputOut(Wire):
    """One hypothesis: its text, what was looked at, and how likely it was."""

    text: str
    target: TokenAxisOut
    maps: Many[MapOut]
    steps: Many[StepOut]
    log_probability: float
    score: float
    """Log-probability over lengthᵅ, by which beams are ranked."""
    finish: core.Finish
    """`end`: the model ended its text. `length`: it was cut off. `forced`: the target was given."""


class StampOut(Wire):
    """Which model made this trace; `weights` tells its weights from others by SHA-256."""

    id: str
    weights: str
    mechanism: str
    order: core.Order
    """`before` the state update (Bahdanau), `after` it (Luong), or a `fixed` context vector."""


class SearchOut(Wire):
    """How the output was chosen, unless the target was given."""

    kind: Literal["greedy", "beam", "sample"]
    beam: int
    seed: int
    temperature: float
    length_penalty: float


class RequestOut(Wire):
    """What was asked for: as it is, with the id of the model, it can be asked for again."""

    text: str
    """What was read; of a picture, the question that was asked of it, or nothing."""
    target: str | None
    search: SearchOut
    detail: Detail
    draws: Absent[int] = None
    vectors: Absent[core.Vectors] = None
    """`all`, where the vectors of self-attention were asked for, too."""


class TimingOut(Wire):
    """Milliseconds in the model, for the whole batch this text was part of."""

    encode_ms: float
    decode_ms: float


class TraceOut(OutputOut):
    """One run of one model. Self-contained: it can be drawn, saved and replayed from itself."""

    schema_: Annotated[Literal["heed.trace/2"], Field(alias="schema")] = "heed.trace/2"
    model: StampOut
    task: str
    request: RequestOut
    source: AxisOut
    """What was read: tokens, or the cells of a picture."""
    runners_up: Many[OutputOut]
    """The other hypotheses of a beam, best first, each with its own maps."""
    timing: TimingOut
    memory: Absent[Many[VectorOut]] = None
    """h, what was kept of each token that was read. With one head and nothing projected, c is
    their sum, each times its weight α. Left out with `detail: weights`, and of pictures."""
    picture: Absent[PictureOut] = None
    """What the grid lies over, where the source is a grid."""
    question: Absent[TokenAxisOut] = None
    """What was asked of the picture; a map with the key `question` looks at it."""

    model_config = ConfigDict(populate_by_name=True, title="Trace")


class StartEvent(Wire):
    """First event of a stream: everything that is known before the first step."""

    schema_: Annotated[Literal["heed.trace/2"], Field(alias="schema")] = "heed.trace/2"
    model: StampOut
    task: str
    request: RequestOut
    source: AxisOut
    picture: Absent[PictureOut] = None
    question: Absent[TokenAxisOut] = None

    model_config = ConfigDict(populate_by_name=True)


class StepEvent(Wire):
    """One event per step: drop everything from position `since` on, then append this.

    With greedy search `since` is `index`; a beam may change its mind about earlier positions.
    Maps of the encoder itself come with the whole trace only, in the event `trace`.
    """

    index: int
    """Position of the newest token."""
    since: int
    """Position from which on `maps` and `steps` hold rows."""
    target: TokenAxisOut
    """The whole output so far."""
    maps: list[MapOut]
    steps: list[StepOut]


class ErrorBody(Wire):
    """What went wrong: a stable code, a sentence that says what to do, and the field if any."""

    code: str
    message: str
    field: str | None


class ErrorOut(Wire):
    """The one shape of every error."""

    error: ErrorBody


class BatchOut(Wire):
    """A trace per text, in the order given; an error stands in the place of a text that failed."""

    traces: list[TraceOut | ErrorOut]


PlainKind = Literal["cross", "encoder-self", "decoder-self"]


class PlainIn(Asked):
    """Attention of any model: pieces read, pieces written, and the weights between them."""

    source: list[str] | str
    """The pieces read: a list, or a text that is cut at its spaces."""
    target: SkipJsonSchema[None] | list[str] | str = None
    """The pieces written; left out, with a `kind` of self-attention, it is the source."""
    weights: list[Row] | list[list[Row]] | list[list[list[Row]]]
    """A matrix, or one per head, or one per layer and head: a row for each piece written."""
    kind: PlainKind = "cross"


class SavedOut(Wire):
    """Where a saved trace is, and the key that deletes it. The key is given this once."""

    id: str
    url: str
    """Path of the page that shows it."""
    embed: str
    """Path of the page that shows it within another, in a frame."""
    key: str
    """Whoever has it can delete the trace. The server itself keeps no more than its digest."""
    expires: str | None
    """When it will be gone (ISO 8601, UTC); null if it is kept until it is deleted."""


class LanguageOut(Wire):
    """A language or notation: its code and its name."""

    code: str
    name: str


class ModelOut(Wire):
    """One model of the catalogue, as its card tells."""

    id: str
    name: str
    task: str
    source: LanguageOut
    target: LanguageOut
    mechanism: str
    order: core.Order
    input_feeding: bool
    """Whether the vector that a token was read from goes into the next update of the state as well
    (Luong et al. 2015)."""
    heads: int
    layers: int
    parameters: int
    bytes: int
    """Size of the weights' file."""
    weights: str
    """SHA-256 of the weights' file; of a model with shared eyes, of its digest and theirs."""
    granularity: Literal["characters", "subwords"]
    """What its tokens are."""
    quality: dict[str, float]
    """Measured on data the model never saw; the card says how."""
    limits: dict[str, int]
    """`characters` and `tokens` of the input, `steps` of the output."""
    examples: list[str]
    hints: dict[str, str]
    """What to look for in an example, for those that have something to say."""
    guided: str
    """What of its attention was told where to look while it learned, in words; empty where nothing
    was, and it found out by itself."""
    default: bool
    """Whether it answers where a request names none: one that reads text, one for each task that
    reads pictures."""
    loaded: bool
    card: str
    """The card, in Markdown."""


class ModelsOut(Wire):
    """The catalogue."""

    models: list[ModelOut]


class HealthOut(Wire):
    """How the server is."""

    status: Literal["alive", "ready"]


class LimitsOut(Wire):
    """What this server takes."""

    batch: int
    """Texts in one batch."""
    body_bytes: int
    """Size of a request body."""
    image_bytes: int
    """Size of a picture's file."""
    image_pixels: int
    """Pixels that a picture may say it has."""
    queue: int
    """Requests that may wait."""
    deadline_seconds: float
    """Seconds a request may take, waiting included."""
    trace_bytes: int
    """Size of a trace to be saved."""
    keep_days: float
    """Days that a saved trace is kept; 0: until it is deleted."""


class BoundOut(Wire):
    """One limit of this server."""

    name: str
    value: int | float
    unit: str
    """What is counted."""
    setting: str
    """The variable of the environment that changes it."""
    description: str


class BoundsOut(Wire):
    """All limits of this server; how long a text may be is the model's affair."""

    limits: list[BoundOut]


class VersionOut(Wire):
    """What is running."""

    name: str
    version: str
    python: str
    torch: str
    schema_: Annotated[str, Field(alias="schema")]
    """Version of the form of a trace."""
    limits: LimitsOut
    models: list[str]
    """Ids, the best model first."""

    model_config = ConfigDict(populate_by_name=True)
