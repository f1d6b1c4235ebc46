"""The units of a lesson: what a step of it states, and what it lets a learner do."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Parameters = dict[str, str | int | float]
"""Parameters of an address."""
Share = Annotated[float, Field(gt=0, le=1)]
Plain = Annotated[str, Field(pattern=r"^[^*]*$")]
"""A text without the emphasis of Markdown, which is rendered in the prose alone."""
CheckKey = Literal[
    "strongest-input", "most-covered", "sharpest", "most-spread", "least-certain", "steps"
]
"""The questions about the learner's own run; `CHECKS` of static/js/core/lesson_run.js."""


class Unit(BaseModel):
    """A part of a lesson's file, in which a name that nobody knows is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Statement(Unit):
    """Conditions of a run, all of which hold: a fact of a step, or the goal of a learner.

    A test checks the facts against the shipped models, and the page checks goals, by one function
    (`unmet` in static/js/core/lesson_run.js).
    """

    model: str | None = None
    """The model of the run, if it is not that of the step."""
    writes: str | None = None
    """The whole output."""
    writes_not: str | None = None
    """An output that is not written."""
    contains: tuple[str, ...] = ()
    """Words of the output."""
    lacks: tuple[str, ...] = ()
    """Words that the output does not have."""
    ends: bool = False
    """True if the output ends with the stop token."""
    row: str | None = None
    """A word of the output, for `strongest`, `inside` and `gets`."""
    strongest: str | None = None
    """The input word that has the largest weight of the row."""
    inside: tuple[float, float, float, float] | None = None
    """Left, top, right and bottom of a part of a picture, in shares of its sides."""
    at_least: float = 0.0
    """The least weight that the word, or the part of the picture, has in the row."""
    own: bool = False
    """True if the input is another one than that of the step."""
    edited: bool = False
    """True if the attention is edited."""
    least_words: int = 0
    """The fewest words of the input."""
    most_words: int | None = None
    """The most words of the input."""
    some_row_above: Share | None = None
    """A word of the output whose largest weight is at least this."""
    some_row_below: Share | None = None
    """A word of the output whose largest weight is at most this."""
    crosses: bool = False
    """True if some word of the output looks further left than the word before it."""
    least_certain: Share | None = None
    """A word of the output is written with at most this probability."""
    same_as: str | None = None
    """A model that writes the same output."""
    differs_from: str | None = None
    """A model that writes another output."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.model_fields_set <= {"model", "row", "at_least"}:
            raise ValueError("a statement has no condition")
        if (self.strongest or self.inside) and self.row is None:
            raise ValueError("`strongest` and `inside` need the word of a `row`")
        return self


class Predict(Unit):
    """A guess before the answer is shown, scored by the weight or the probability on it."""

    of: Literal["word", "next", "cell"]
    """An input word and a cell by their weights, the next output word by its probability."""
    reveal: Parameters
    """The parameters of the address that show the answer."""


class Do(Unit):
    """A goal without steps, and hints for those who want them."""

    goal: Statement
    nudge: Plain
    suggestion: Plain
    show: Parameters
    """The parameters that reach the goal."""


class Check(Unit):
    """A question whose answer is in the learner's own run."""

    question: Plain
    key: CheckKey


class Question(Unit):
    """A question on the lesson before, with its answer."""

    question: Plain
    options: Annotated[tuple[Plain, ...], Field(min_length=2, max_length=5)]
    answer: Plain
    why: Plain

    @model_validator(mode="after")
    def _answer_is_an_option(self) -> Self:
        if self.options.count(self.answer) != 1:
            raise ValueError(f"{self.answer!r} is not one of the options")
        return self
