"""Schemas of the requests and responses of the API.

In every attention map **rows are queries (output), columns are keys (input)**, and a row sums to 1.
Fields that `detail` excludes are absent; a `null` has a meaning: no target was given, the error
concerns no field, a key was masked.
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
"""A list that clients may send, too: validation stops at its first invalid item."""
Row = Many[float]


def _is_none(value: object) -> bool:
    return value is None


def _without_default(schema: dict[str, Any]) -> None:
    schema.pop("default", None)


Absent = Annotated[
    Optional | SkipJsonSchema[None],
    Field(exclude_if=_is_none, json_schema_extra=_without_default),
]
"""A field that may be absent, and is never null."""


class Wire(BaseModel):
    """Base of all schemas: unknown fields are refused, docstrings of fields describe them."""

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,
    )


# --- requests ---------------------------------------------------------------------------------


class RequestModel(Wire):
    """Base of the requests: types are strict, a number is not a string."""

    model_config = ConfigDict(strict=True)


class SearchIn(RequestModel):
    """Decoding: how the output is chosen."""

    model_config = ConfigDict(frozen=True)  # else the default is copied for every request

    kind: Literal["greedy", "beam", "sample"] = "greedy"
    """`greedy` takes the most probable token at each step, `beam` keeps the best hypotheses,
    `sample` draws tokens at random."""
    beam: Annotated[int, Field(ge=1, le=10)] = 4
    """Number of hypotheses of `beam`. All are returned: the best as the trace, the others as
    `runners_up`."""
    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = 0
    """Seed of `sample`: the same seed gives the same output."""
    temperature: Annotated[float, Field(gt=0, le=10)] = 1.0
    """Temperature of `sample`: below 1 sharpens the distribution, above 1 flattens it."""
    length_penalty: Annotated[float, Field(ge=0, le=3)] = 1.0
    """Exponent α of `beam`: hypotheses are ranked by log-probability / lengthᵅ."""


class Options(RequestModel):
    """Options of every request that runs a model."""

    model: str | None = None
    """Id of a model of `GET /api/v1/models`. Default: the default model of the server."""
    search: SearchIn = SearchIn()
    """Decoding. Ignored if a `target` is given."""
    detail: Detail = "steps"
    """`weights`: axes, maps and probabilities. `steps`: also scores, alternatives and summaries of
    the vectors. `full`: also the complete vectors."""
    vectors: core.Vectors = "cross"
    """Heads whose queries, keys and values are returned, for a model with several heads. `cross`:
    those of cross-attention. `all`: also those of self-attention, which are many."""


class TranslateIn(Options):
    """A text to translate, and perhaps a target (forced decoding)."""

    text: str
    """The input of the model."""
    target: str | None = None
    """Forced decoding: the model writes this target, and the trace contains its attention and
    surprise at each token."""


class CaptionIn(Options):
    """Options for describing a picture. The picture is the field `image` of the form."""

    target: str | None = None
    """Forced decoding: the model writes this caption, and the trace contains its attention and
    surprise at each word."""
    draws: Annotated[int, Field(ge=0, le=100)] = 0
    """Only for hard attention: number of times the cells are sampled again for the same output,
    with consecutive seeds. The frequency of each cell is returned as a map of kind `drawn`."""


class AskIn(CaptionIn):
    """A question about a picture. The picture is the field `image` of the form."""

    question: str
    """The question."""


class BatchIn(Options):
    """Several texts. Results are in their order; an invalid text gets an error of its own."""

    texts: list[Any]
    """Inputs of the model: strings, at most `limits.batch` of `GET /version`."""


# --- responses --------------------------------------------------------------------------------


class WordOut(Wire):
    """A word of a text; positions count Unicode code points, not UTF-16 code units."""

    text: str
    start: int
    end: int
    special: bool
    """True for the end-of-sequence token, which is not part of the text."""


class TokenOut(Wire):
    """A token of the model; `word` is an index into `words` of the axis."""

    id: int
    text: str
    start: int
    end: int
    word: int
    special: bool


class TokenAxisOut(Wire):
    """The tokens along one axis of a map, and the words they form."""

    kind: Literal["tokens"] = "tokens"
    text: str
    """The text that `start` and `end` of tokens and words refer to."""
    tokens: Many[TokenOut]
    words: Many[WordOut]
    merge: core.Merge
    """How the weights of the tokens of a word are merged: `sum` for input, `mean` for output."""
    rare_words: Absent[Many[int]] = None
    """Words that were rare in the training data, so that the model may guess or copy them, as
    indices into `words`. For input, where it is known."""


class GridAxisOut(Wire):
    """The cells of a picture, row by row: cell `i` is in row `i // columns`, column `i % columns`.

    Together they cover a rectangle of the original picture, in its pixels.
    """

    kind: Literal["grid"]
    rows: Annotated[int, Field(ge=1)]
    columns: Annotated[int, Field(ge=1)]
    left: float
    top: float
    width: Annotated[float, Field(gt=0)]
    height: Annotated[float, Field(gt=0)]


TOKENS_TAG, GRID_TAG = AXIS_TAGS = ("<tokens>", "<grid>")
"""Part of the location of an error within an axis, and of no body."""


def _axis_tag(value: object) -> str:
    kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)
    return GRID_TAG if kind == "grid" else TOKENS_TAG


AxisOut = Annotated[
    Annotated[TokenAxisOut, Tag(TOKENS_TAG)] | Annotated[GridAxisOut, Tag(GRID_TAG)],
    Discriminator(_axis_tag),
]


class PictureOut(Wire):
    """The original picture in its displayed orientation."""

    width: Annotated[int, Field(ge=1)]
    """In pixels, the unit of the grid axis."""
    height: Annotated[int, Field(ge=1)]
    format: str
    preview: str
    """A JPEG of at most 640 pixels on its longer side, without metadata, as a `data:` URI."""


class VectorOut(Wire):
    """A vector. `summary` has means of neighbouring numbers: at most 32, for a head at most 16."""

    size: int
    norm: float
    summary: Row
    values: Absent[Row] = None
    """The complete vector, with `detail: full`."""


class MapOut(Wire):
    """An attention map. Rows are queries (output), columns are keys (input)."""

    kind: core.MapKind
    layer: int
    head: int
    query: core.AxisName
    key: core.AxisName
    weights: Many[Row]
    """α, after the softmax and before dropout; each row sums to 1."""
    scores: Absent[Many[Many[float | None]]] = None
    """e, before the softmax; null where a key was masked. Absent with `detail: weights`."""
    queries: Absent[list[VectorOut]] = None
    """q of each row, for a model with several heads: e = q·k / √size. Absent with `detail:
    weights`, and for self-attention unless the request has `vectors: all`, as are `keys` and
    `values`."""
    keys: Absent[list[VectorOut]] = None
    """k of each column. Absent in `runners_up` where the keys are those of the trace itself, and in
    the events of a stream before `trace`; the same holds for `values`."""
    values: Absent[list[VectorOut]] = None
    """v of each column: the output of the head is their sum, weighted by α."""


class AlternativeOut(Wire):
    """A candidate for the output token."""

    id: int
    text: str
    probability: float


class DrawnOut(Wire):
    """Hard attention: the cell that was sampled from the row of the map."""

    cell: Annotated[int, Field(ge=0)]
    log_probability: float


class StepOut(Wire):
    """The numbers behind one output token (token `i` of the target axis is step `i`)."""

    probability: float
    surprise: float
    """-log₂ of the probability, in bits."""
    alternatives: Many[AlternativeOut] = []
    """The most probable tokens at this step, best first."""
    query: Absent[VectorOut] = None
    """The query: the decoder's state before the update (`order: before`) or after it (`after`); in
    a Transformer, the input of the heads of the last layer."""
    context: Absent[VectorOut] = None
    """c, the context vector: the weighted sum of the values; with several heads, the concatenation
    of those of the last layer."""
    state: Absent[VectorOut] = None
    """s, the decoder's state after this step."""
    gate: Absent[float] = None
    """β, for a model with a gate: the context is scaled to β·c."""
    drawn: Absent[DrawnOut] = None


class OutputOut(Wire):
    """One hypothesis: its text, its attention, and its probability."""

    text: str
    target: TokenAxisOut
    maps: Many[MapOut]
    steps: Many[StepOut]
    log_probability: float
    score: float
    """Log-probability / lengthᵅ, by which hypotheses are ranked."""
    finish: core.Finish
    """`end`: the model wrote its end token. `length`: the output was cut off. `forced`: a target
    was given."""


class StampOut(Wire):
    """The model of a trace; `weights` is the SHA-256 of its weights."""

    id: str
    weights: str
    mechanism: str
    order: core.Order
    """`before` the state update (Bahdanau), `after` it (Luong), or a `fixed` context vector."""


class SearchOut(Wire):
    """Search settings of the output; unused if a target was given."""

    kind: Literal["greedy", "beam", "sample"]
    beam: int
    seed: int
    temperature: float
    length_penalty: float


class RequestOut(Wire):
    """The request. Sent again with the id of the model, it gives the same trace."""

    text: str
    """The input text; for a picture the question, or the empty string."""
    target: str | None
    search: SearchOut
    detail: Detail
    draws: Absent[int] = None
    vectors: Absent[core.Vectors] = None
    """`all`, if the vectors of self-attention were requested."""


class TimingOut(Wire):
    """Milliseconds in the model, for the whole batch this text was part of."""

    encode_ms: float
    decode_ms: float


class TraceOut(OutputOut):
    """One run of one model. Self-contained: a trace can be drawn and saved without the server."""

    schema_: Annotated[Literal["heed.trace/2"], Field(alias="schema")] = "heed.trace/2"
    model: StampOut
    task: str
    request: RequestOut
    source: AxisOut
    """The input: tokens, or the cells of a picture."""
    runners_up: Many[OutputOut]
    """The other hypotheses of a beam search, best first."""
    timing: TimingOut
    memory: Absent[Many[VectorOut]] = None
    """h, the encoder state of each input token. With one head and no projection, c is their sum
    weighted by α. Absent with `detail: weights`, and for pictures."""
    picture: Absent[PictureOut] = None
    """The picture under the grid, if the source is a grid."""
    question: Absent[TokenAxisOut] = None
    """The question about the picture; the keys of a map may be its tokens."""

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
    target: TokenAxisOut
    """The complete output so far."""
    maps: list[MapOut]
    steps: list[StepOut]


class ErrorBody(Wire):
    """An error: a stable code, a message that says what to do, and the field, if any."""

    code: str
    message: str
    field: str | None


class ErrorOut(Wire):
    """The shape of every error response."""

    error: ErrorBody


class BatchOut(Wire):
    """A trace for each text in the order of the request, or the error of a text that failed."""

    traces: list[TraceOut | ErrorOut]


PlainKind = Literal["cross", "encoder-self", "decoder-self"]


class PlainIn(RequestModel):
    """Attention of any model: input tokens, output tokens, and the weights between them."""

    source: list[str] | str
    """The input tokens: a list, or a text that is split at spaces."""
    target: SkipJsonSchema[None] | list[str] | str = None
    """The output tokens. Default for a `kind` of self-attention: the source."""
    weights: list[Row] | list[list[Row]] | list[list[list[Row]]]
    """A matrix, or one per head, or one per layer and head, with a row for each output token."""
    kind: PlainKind = "cross"


class SavedOut(Wire):
    """The address of a saved trace, and the key that deletes it, which is shown only once."""

    id: str
    url: str
    """Path of the page that shows it."""
    embed: str
    """Path of the page for a frame of another page."""
    key: str
    """Deletes the trace. The server stores only its digest."""
    expires: str | None
    """Time when the trace is deleted (ISO 8601, UTC); null if it does not expire."""


class LanguageOut(Wire):
    """A language or notation: its code and its name."""

    code: str
    name: str


class ModelOut(Wire):
    """One model of the catalogue."""

    id: str
    name: str
    task: str
    source: LanguageOut
    target: LanguageOut
    mechanism: str
    formula: str
    """Score e of a query q and a key k by this mechanism, or how it does without scores."""
    paper: str
    """Reference to the paper that defines the score."""
    order: core.Order
    input_feeding: bool
    """True if the attentional vector of a step is an input of the next (Luong et al. 2015)."""
    heads: int
    layers: int
    parameters: int
    bytes: int
    """Size of the file of the weights."""
    weights: str
    """SHA-256 of the weights, including those of a shared image encoder."""
    granularity: Literal["characters", "subwords"]
    """The kind of its tokens."""
    quality: dict[str, float]
    """Metrics on held-out data; the card explains them."""
    limits: dict[str, int]
    """Maximum `characters` and `tokens` of the input and `steps` of the output."""
    examples: list[str]
    hints: dict[str, str]
    """Explanations of some of the examples."""
    guided: str
    """Description of the attention that was supervised in training; empty if none was."""
    learned_from: str
    """The kind of examples it was trained on, in a few words; empty if its card alone says it."""
    default: bool
    """True if it handles requests that name no model: one model for text, one for each task with
    pictures."""
    loaded: bool
    card: str
    """The card, in Markdown."""


class ModelsOut(Wire):
    """The models of the server, the best first."""

    models: list[ModelOut]


class HealthOut(Wire):
    """State of the server."""

    status: Literal["alive", "ready"]


class LimitsOut(Wire):
    """Limits of requests."""

    batch: int
    """Texts in a batch."""
    body_bytes: int
    """Size of a request body."""
    image_bytes: int
    """Size of an image file."""
    image_pixels: int
    """Pixels that an image file may declare."""
    queue: int
    """Requests that may wait."""
    deadline_seconds: float
    """Seconds a request may take, including its time in the queue."""
    trace_bytes: int
    """Size of a trace to be saved."""
    keep_days: float
    """Days after which a saved trace is deleted; 0: never."""


class BoundOut(Wire):
    """One limit of this server."""

    name: str
    value: int | float
    unit: str
    """The unit of the value."""
    setting: str
    """The environment variable that changes it."""
    description: str


class BoundsOut(Wire):
    """All limits of this server. The length of a text is a limit of its model."""

    limits: list[BoundOut]


class VersionOut(Wire):
    """Versions and limits of the server."""

    name: str
    version: str
    python: str
    torch: str
    schema_: Annotated[str, Field(alias="schema")]
    """Version of the trace schema."""
    limits: LimitsOut
    models: list[str]
    """Ids of the models, the best first."""

    model_config = ConfigDict(populate_by_name=True)
