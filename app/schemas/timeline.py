"""Timelines: when each operation of a run began and ended."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from heed.app.schemas.base import Count, Many, Name, Number, RequestModel, Wire
from heed.models.generation.timed import Kind

MOST_TIMED_CHARACTERS = 300


class TimelineIn(RequestModel):
    """A text whose translation is timed."""

    model: Name | None = None
    """Id of a model of `GET /api/v1/models`. Default: the default model of the server."""
    text: Annotated[str, Field(max_length=MOST_TIMED_CHARACTERS)]
    """The input of the model."""


class OperationOut(Wire):
    """An operation on the machine of the server."""

    kind: Kind
    """`forwards` and `backwards`: a piece of the input in a recurrent encoder. `attention`,
    `update` and `output`: the parts of a step of its decoder. `self`, `cross` and `feed-forward`:
    those of a layer of a Transformer, whose steps end with `output`, too."""
    place: Count
    """The piece of the input, or the layer, from 0."""
    start: Number
    """Milliseconds since the first operation began."""
    end: Number


class TimelineOut(Wire):
    """The operations of the fastest of several runs of one text."""

    model: str
    text: str
    """The output."""
    read: Many[str]
    """The pieces of the input."""
    written: Many[str]
    """The pieces of the output, one for each step of the decoder."""
    runs: Count
    """The number of runs."""
    milliseconds: Number
    """The time of the whole run, with what lies between its operations."""
    operations: Many[OperationOut]
    """Empty if the server has no compiled kernels, which log them."""
