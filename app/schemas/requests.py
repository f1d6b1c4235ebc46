"""The bodies of requests."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from heed.app.schemas.base import Item, Name, Pair, RequestModel, Text
from heed.app.schemas.edits import Edits
from heed.models.trace import Vectors
from heed.output.serialize import Detail

MOST_LAYERS = 10_000
MOST_NODES = 1_000
MOST_EDGES = 10_000
MOST_TEXTS = 1_024
MOST_PIXELS = 1_024
"""Rows or columns of pixels."""
MOST_ENCODED = 140_000_000
"""Characters of a file of 100 MB, the largest that a setting allows, as base64."""
MOST_PIECES = 512
"""Pieces of input or output that can be drawn."""
MOST_MAPS = 4_096
"""Maps that can be saved."""
MOST_PIECE_CHARACTERS = 4_096
MOST_STEPS = 10_000

Pixels = Annotated[
    list[Annotated[float, Field(ge=0, le=255)]], Field(max_length=MOST_PIXELS, fail_fast=True)
]
Pieces = Annotated[
    list[Annotated[str, Field(max_length=MOST_PIECE_CHARACTERS)]], Field(max_length=MOST_PIECES)
]
PlainRow = Annotated[list[Annotated[float, Field(ge=0, le=1.01)]], Field(max_length=MOST_PIECES)]
Matrix = Annotated[list[PlainRow], Field(max_length=MOST_PIECES)]
PlainMaps = Annotated[list[Item], Field(max_length=MOST_MAPS)]


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


class RunOptions(RequestModel):
    """Options of every request that runs a model."""

    model: Name | None = None
    """Id of a model of `GET /api/v1/models`. Default: the default model of the server."""
    detail: Detail = "steps"
    """`weights`: axes, maps and probabilities. `steps`: also scores, alternatives and summaries of
    the vectors. `full`: also the complete vectors."""


class LinkedRunOptions(RunOptions):
    """Options of a request whose trace may be too large for one answer."""

    maps: Literal["inline", "linked"] = "inline"
    """`linked`: a trace of more than 500,000 weights comes without its maps, each of which has an
    address (`linked`). `inline`: every trace has its maps."""


class Options(RunOptions):
    """Options of every request to a model that writes token by token."""

    search: SearchIn = SearchIn()
    """Decoding. Ignored if a `target` is given."""
    vectors: Vectors = "cross"
    """Heads whose queries, keys and values are returned, for a model with several heads. `cross`:
    those of cross-attention. `all`: also those of self-attention, which are many."""


class LinkedOptions(Options, LinkedRunOptions):
    """Options of a request to a model that writes, whose trace may be too large for one answer."""


class EditedOptions(LinkedOptions):
    """Options of a request whose attention may be edited."""

    edits: Edits | None = None
    """Edits of the attention, in their order. The trace is the run under them, and its `baseline`
    the run without them."""
    continue_from: Annotated[int | None, Field(ge=0, le=MOST_STEPS)] = None
    """The step from which the model writes on by itself. The tokens before it are those of the
    `target`, else of the run without edits. By default it is 0, or with a `target` its end."""


class TranslateIn(EditedOptions):
    """A text to translate, and perhaps a target (forced decoding)."""

    text: Text
    """The input of the model."""
    target: Text | None = None
    """Forced decoding: the model writes this target, and the trace contains its attention and
    surprise at each token."""


class CaptionIn(EditedOptions):
    """Options for describing a picture. The picture is the field `image` of the form."""

    target: Text | None = None
    """Forced decoding: the model writes this caption, and the trace contains its attention and
    surprise at each word."""
    draws: Annotated[int, Field(ge=0, le=100)] = 0
    """Only for hard attention: number of times the cells are sampled again for the same output,
    with consecutive seeds. The frequency of each cell is returned as a map of kind `drawn`."""


class AskIn(CaptionIn):
    """A question about a picture. The picture is the field `image` of the form."""

    question: Text
    """The question."""


class TranscribeIn(LinkedOptions):
    """Options for transcribing a sound. The sound is the field `sound` of the form."""

    target: Text | None = None
    """Forced decoding: the model writes this text, and the trace contains its attention and
    surprise at each token."""


class SeeIn(LinkedRunOptions):
    """Options for looking at a picture. The picture is the field `image` of the form."""

    layer: Annotated[int | None, Field(ge=0, le=MOST_LAYERS)] = None
    """With `head`: the layer, from 0, of the one map of self-attention that is returned, with its
    scores, queries, keys and values, and the states after the layer. By default, all maps are
    returned, without these."""
    head: Annotated[int | None, Field(ge=0, le=MOST_LAYERS)] = None
    """The head of that layer, from 0; by default the first."""
    edits: Edits | None = None
    """Edits of the attention, in their order. The trace is the answer under them, and its
    `baseline` the answer without them."""


class StoryIn(RunOptions):
    """A story and a question about it."""

    story: Text
    """The story: sentences that end in `.`, `!`, `?`, `;` or at the end of a line."""
    question: Text
    """The question."""
    edits: Edits | None = None
    """Edits of the attention, in their order. The trace is the answer under them, and its
    `baseline` the answer without them."""


class NodeIn(RequestModel):
    """A node of a graph, and the classes that are given for it."""

    name: Name
    """Its name, which no other node has."""
    known: Name | None = None
    """Its class, if that is known: `A`, `B`, `C` or `D`."""
    hint: Name | None = None
    """A class that something hints at, such as the words of a paper. It may be wrong."""


class GraphIn(RunOptions):
    """A graph whose nodes are to be classified: as text, or as nodes and edges."""

    graph: Text | None = None
    """The graph as text: a line for a node (`Ann: A`) or an edge (`Ann - Bob`); or the title of an
    example of the model, such as `Karate club`."""
    nodes: Annotated[list[NodeIn], Field(max_length=MOST_NODES, fail_fast=True)] | None = None
    """The nodes, in the order of the rows and columns; instead of `graph`."""
    edges: Annotated[list[Pair[Name]], Field(max_length=MOST_EDGES, fail_fast=True)] | None = None
    """The edges: pairs of names of nodes. They have no direction."""
    edits: Edits | None = None
    """Edits of the attention, in their order. The trace is the answer under them, and its
    `baseline` the answer without them."""


class ReadIn(RunOptions):
    """A sentence to read word by word."""

    text: Text
    """The sentence; it need not be finished."""
    edits: Edits | None = None
    """Edits of the attention, in their order. The trace is the answer under them, and its
    `baseline` the answer without them."""


class GlimpseIn(RunOptions):
    """A picture of a digit: either `picture` or `pixels`."""

    picture: Annotated[str, Field(max_length=MOST_ENCODED)] | None = None
    """The file of the picture as base64, or as a `data:` URI."""
    pixels: Annotated[list[Pixels], Field(max_length=MOST_PIXELS, fail_fast=True)] | None = None
    """The picture as rows of gray values, from 0 to 1 or from 0 to 255."""


class BatchIn(Options):
    """Several texts. Results are in their order; an invalid text gets an error of its own."""

    texts: Annotated[list[Any], Field(max_length=MOST_TEXTS)]
    """Inputs of the model: strings, at most `limits.batch` of `GET /version`."""
    edits: Edits | None = None
    """Edits of the attention of each text."""
    continue_from: Annotated[int | None, Field(ge=0, le=MOST_STEPS)] = None
    """The step from which the model writes on by itself, after the tokens of the run without
    edits; 0 by default."""


PlainKind = Literal["cross", "encoder-self", "decoder-self"]


class PlainIn(RequestModel):
    """Attention of any model: input tokens, output tokens, and the weights between them."""

    source: Pieces | Text
    """The input tokens: a list, or a text that is split at spaces."""
    target: SkipJsonSchema[None] | Pieces | Text = None
    """The output tokens. Default for a `kind` of self-attention: the source."""
    weights: Matrix | PlainMaps[Matrix] | PlainMaps[PlainMaps[Matrix]]
    """A matrix, or one per head, or one per layer and head, with a row for each output token."""
    kind: PlainKind = "cross"
