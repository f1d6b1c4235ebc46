"""What an address of the page asks for, and how it is looked at, read as `state.js` reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.datastructures import QueryParams

from heed.app.schemas import SearchIn, TranslateIn
from heed.models.catalogue import Card
from heed.models.trace import Vectors

Place = Annotated[int, Field(ge=1)]
Fields = TypeVar("Fields", bound=BaseModel)


class Question(BaseModel):
    """The fields of the form."""

    model_config = ConfigDict(frozen=True)

    model: str | None = None
    text: str | None = None
    target: str | None = None
    search: Literal["greedy", "beam", "sample"] = "greedy"
    beam: Annotated[int, Field(ge=1, le=10)] = 4
    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = 0
    temperature: Annotated[float, Field(ge=0.01, le=10)] = 1.0
    penalty: Annotated[float, Field(ge=0, le=3)] = 1.0

    def asked(self, card: Card, vectors: Vectors = "cross") -> TranslateIn:
        """What is asked of the model of this card."""
        search = SearchIn(
            kind=self.search,
            beam=self.beam,
            seed=self.seed,
            temperature=self.temperature,
            length_penalty=self.penalty,
        )
        text = next(iter(card.examples), "") if self.text is None else self.text
        return TranslateIn(
            text=text, model=card.id, target=self.target, search=search, vectors=vectors
        )


class Looks(BaseModel):
    """How an address says that an answer is looked at, as `state.js` reads it; places from 1 on."""

    model_config = ConfigDict(frozen=True)

    view: Literal["map", "lines", "step", "heads", "compare"] = "map"
    step: Place = 1
    units: Literal["words", "subwords"] | None = None
    scale: Literal["whole", "row"] = "whole"
    log: bool = False
    layer: Place | None = None
    head: Place | None = None
    pick: Annotated[int, Field(ge=0, le=9)] = 0
    map: Literal["cross", "encoder-self", "decoder-self"] | None = None
    pool: str | None = None
    rows: str = ""
    columns: str = ""

    @property
    def as_table(self) -> bool:
        """Whether a map looks like the table, which knows nothing of what else can be chosen."""
        return self.map in (None, "cross") and not (self.pool or self.rows or self.columns)

    @property
    def takes_apart(self) -> bool:
        """Whether a head of self-attention is taken apart, which wants its vectors."""
        of_itself = self.map in ("encoder-self", "decoder-self")
        return self.view == "step" and of_itself and not self.pool


class Link(NamedTuple):
    """All that an address says."""

    question: Question
    looks: Looks
    waits: bool
    """Whether the answer is wanted in the page, however long it takes: nothing will ask for it."""

    def asked(self, card: Card) -> TranslateIn:
        """What is asked of the model of this card, for all that is looked at."""
        whole = self.looks.takes_apart and card.mechanism == "multihead"
        return self.question.asked(card, "all" if whole else "cross")


def link_of(query: QueryParams) -> Link:
    """What an address says; what makes no sense in it is taken as not said."""
    given = dict(reversed(query.multi_items()))  # of a name given twice the script takes the first
    return Link(_read(Question, given), _read(Looks, given), waits="wait" in given)


def _read(kind: type[Fields], given: Mapping[str, str]) -> Fields:
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        senseless = {problem["loc"][0] for problem in error.errors()}
        return kind.model_validate({name: given[name] for name in given if name not in senseless})
