"""The records of attention while models learned, which their folders may have."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any, Self

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup
from pydantic import BaseModel, Field, ValidationError, model_validator

FILE = "learning.json"
MOST_BYTES = 300_000
"""Of the file of one model, which is a part of the page."""

log = logging.getLogger("heed")

Row = Annotated[list[Annotated[float, Field(ge=0, allow_inf_nan=False)]], Field(min_length=1)]


class _Token(BaseModel):
    text: str
    special: bool


class _Text(BaseModel):
    text: str
    tokens: Annotated[list[_Token], Field(min_length=1)]


class _Pair(BaseModel):
    source: _Text
    target: _Text


class _Moment(BaseModel):
    update: Annotated[int, Field(ge=0)]
    maps: list[list[Row]]
    loss: Annotated[float | None, Field(allow_inf_nan=False)] = None


class _Record(BaseModel):
    """A record, as far as the page reads it."""

    model: str
    layer: Annotated[int, Field(ge=0)] = 0
    head: Annotated[int, Field(ge=0)] = 0
    heads: int = 1
    shorter: bool = False
    sentences: Annotated[list[_Pair], Field(min_length=1)]
    moments: Annotated[list[_Moment], Field(min_length=1)]

    @model_validator(mode="after")
    def _has_a_map_of_each_sentence(self) -> Self:
        shapes = [(len(pair.target.tokens), len(pair.source.tokens)) for pair in self.sentences]
        for moment in self.moments:
            if [(len(rows), len(rows[0]) if rows else 0) for rows in moment.maps] != shapes:
                raise ValueError(f"the maps after {moment.update} updates have other shapes")
            if any(len(row) != len(rows[0]) for rows in moment.maps for row in rows):
                raise ValueError(f"the rows after {moment.update} updates differ in length")
        return self


class Records(tuple[Mapping[str, Any], ...]):
    """The records that a page contains."""

    @cached_property
    def json(self) -> Markup:
        """Their JSON, which is made once: it takes longer than the rest of the page."""
        return htmlsafe_json_dumps(self)


@cache
def records(*folders: Path) -> Records:
    """Return the records of all models in folders of weights, of each model the first one."""
    files: dict[str, Path] = {}
    for folder in folders:
        for file in sorted(folder.glob(f"*/{FILE}")):
            files.setdefault(file.parent.name, file)
    return Records(record for record in map(_read, files.values()) if record is not None)


def _read(file: Path) -> Mapping[str, Any] | None:
    """Return a record, or None and a line in the log if its file is broken."""
    try:
        return _Record.model_validate_json(_content(file)).model_dump(exclude_unset=True)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        problem = f"{place}: {first['msg']}" if place else first["msg"]
    except (OSError, ValueError) as error:
        problem = str(error)
    log.warning("%s is left out of /learn/watch: %s.", file, problem)
    return None


def _content(file: Path) -> bytes:
    if file.stat().st_size > MOST_BYTES:
        raise ValueError(f"it has more than {MOST_BYTES:,} bytes")
    return file.read_bytes()
