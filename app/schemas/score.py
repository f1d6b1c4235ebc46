"""A score of attention, taken apart."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from heed.app.schemas.base import Absent, Count, Few, Many, Name, Number, RequestModel, Text, Wire
from heed.app.schemas.requests import MOST_LAYERS, MOST_STEPS, SearchIn
from heed.models.trace import MapKind


class ScoreIn(RequestModel):
    """The cell of a map whose score is taken apart."""

    model: Name | None = None
    """Id of a model of `GET /api/v1/models`. Default: the default model of the server."""
    search: SearchIn = SearchIn()
    """Decoding. Ignored if a `target` is given."""
    target: Text | None = None
    """The output that the model is forced to write; by default, what it writes by itself."""
    kind: Literal["cross", "encoder-self", "decoder-self"] = "cross"
    """The kind of map."""
    layer: Annotated[int, Field(ge=0, le=MOST_LAYERS)] = 0
    """The layer, from 0."""
    head: Annotated[int, Field(ge=0, le=MOST_LAYERS)] = 0
    """The head, from 0."""
    row: Annotated[int, Field(ge=0, le=MOST_STEPS)]
    """The token of the output, or in self-attention of the input, that looks, from 0."""
    column: Annotated[int, Field(ge=0, le=MOST_STEPS)]
    """The token, or the cell of a picture, that it looks at, from 0."""


class TranslateScoreIn(ScoreIn):
    """A text, and the cell of its map whose score is taken apart."""

    text: Text
    """The input of the model."""


class CaptionScoreIn(ScoreIn):
    """The cell of a caption's map. The picture is the field `image` of the form."""


class ScoreSplitOut(Wire):
    """The parts of the query and of the key, with the scale of each layer norm held."""

    query: Few[Name]
    """`embedding`, or the `features` of a cell, `position`, each sublayer before it, and `biases`,
    which depend on no token."""
    key: Few[Name]
    products: Few[Few[Number]]
    """A row for each part of the query, a column for each of the key; they add up to `score`."""


class LeftOutWordOut(Wire):
    """A word that was left out, with the output forced once more."""

    word: Count
    """Index into `words` of `source`, or of `target` for a word that was written."""
    change: Number | None
    """The part of the score that is gone without it; `null` for the word of the key."""


class ScoreOut(Wire):
    """The score of a cell, e before the softmax, and what it is made of."""

    model: Name
    kind: MapKind
    layer: Count
    head: Count
    row: Count
    column: Count
    score: Number
    split: Absent[ScoreSplitOut] = None
    """Of a Transformer, whose scores are sums of products."""
    left_out: Absent[Many[LeftOutWordOut]] = None
    """Of other translators, in which the words of the input do not add up."""
    written: Absent[Many[LeftOutWordOut]] = None
    """Of other captioners: the words that were written before."""
    cells: Absent[Many[Number]] = None
    """Beside `written`: the part of the score that is gone if a cell is taken from all rows before;
    none before the second row."""
    remainder: Absent[Number] = None
    """With `left_out` or `written`: the score without all changes."""
