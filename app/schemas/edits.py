"""Edits of attention, in requests and in traces."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from heed.app.schemas.base import Absent, Name, Number, RequestModel
from heed.models.edits.operations import MOST_EDITS, EditedAxis, EditedKind

MOST_PLACES = 1_000
LAST_PLACE = 10_000
MOST_WORDS = 100
LARGEST_FACTOR = 1e30

PLACE_TAGS = ("<one>", "<several>", "<range>", "<all>")
"""Part of the location of an error within places or words, and of no body."""


Place = Annotated[int, Field(ge=0, le=LAST_PLACE)]


class RangeIn(RequestModel):
    """All places from the first to the last, both included."""

    first: Place
    last: Place


def _places_tag(value: object) -> str:
    if isinstance(value, list | tuple):
        return "<several>"
    if isinstance(value, dict | RangeIn):
        return "<range>"
    return "<all>" if isinstance(value, str) else "<one>"


def _words_tag(value: object) -> str:
    return "<several>" if isinstance(value, list | tuple) else "<one>"


Places = Annotated[
    Annotated[Place, Tag("<one>")]
    | Annotated[
        Annotated[list[Place], Field(max_length=MOST_PLACES, fail_fast=True)], Tag("<several>")
    ]
    | Annotated[RangeIn, Tag("<range>")]
    | Annotated[Literal["all"], Tag("<all>")],
    Discriminator(_places_tag),
]
Words = Annotated[
    Annotated[Name, Tag("<one>")]
    | Annotated[
        Annotated[list[Name], Field(max_length=MOST_WORDS, fail_fast=True)], Tag("<several>")
    ],
    Discriminator(_words_tag),
]
Box = Annotated[list[Number], Field(min_length=4, max_length=4, fail_fast=True)]
Share = Annotated[float, Field(ge=0, le=1)]
Factor = Annotated[float, Field(ge=0, le=LARGEST_FACTOR)]
RowWeights = Annotated[list[Factor], Field(max_length=MOST_PLACES, fail_fast=True)]


class EditIn(RequestModel):
    """An edit of attention: an operation on rows of one kind of map, before their softmax."""

    op: Literal[
        "block",
        "only",
        "scale",
        "set",
        "silence",
        "temperature",
        "uniform",
        "permute",
        "row",
        "gate",
    ]
    """The operation."""
    kind: Absent[EditedKind] = None
    """The kind of map: the model's only one by default, else `cross`."""
    axis: Absent[EditedAxis] = None
    """The axis of the keys, where a model has two maps of a kind."""
    layers: Absent[Places] = None
    """The layers: an index from 0, a list, a range, or all, as by default."""
    heads: Absent[Places] = None
    """The heads, in the same way."""
    queries: Absent[Places] = None
    """The queries, which are the rows of a map, in the same way."""
    keys: Absent[Places] = None
    """The keys, which are the columns of a map, for an operation that has any."""
    words: Absent[Words] = None
    """Words of the input as keys: all pieces of each occurrence."""
    box: Absent[Box] = None
    """Left, top, width and height of a part of the picture: the cells in it are keys."""
    factor: Absent[Factor] = None
    """Of `scale`: what the weights of the keys are multiplied by."""
    weight: Absent[Share] = None
    """Of `set`: the sum of the weights of the keys."""
    temperature: Absent[Annotated[float, Field(gt=0, le=LARGEST_FACTOR)]] = None
    """Of `temperature`: what the scores are divided by."""
    seed: Absent[Annotated[int, Field(ge=0, le=2**32 - 1)]] = None
    """Of `permute`: the seed of the order; 0 by default."""
    weights: Absent[RowWeights] = None
    """Of `row`: a weight for each key. They are divided by their sum."""
    value: Absent[Share] = None
    """Of `gate`: the gate β of a captioner."""


Edits = Annotated[list[EditIn], Field(max_length=MOST_EDITS, fail_fast=True)]
