"""The choices behind every figure of an audit, and their words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from heed.models.errors import InputError
from heed.models.generation.requests import HeadPlace
from heed.models.networks.map_group import MapGroup

Removal = Literal["block", "silence"]
FigureName = Literal["audit", "contrast", "rewritten", "orders", "curves"]
Unit = Literal["edge", "word"]
MOST_SEEDS: Final = 100
ALL: Final = "all"


@dataclass(frozen=True, slots=True)
class AuditChoices:
    """The choices of an audit. None for a layer or a head means all of them."""

    removal: Removal = "block"
    layer: int | None = None
    head: int | None = None
    row: int | None = None  # whose orders are bounded; None for the one with the largest effect
    seeds: int = 20  # of random sets, orders and permutations
    figure: FigureName = "audit"  # all figures that are shown first, or another one
    other: str | None = None  # the word of a contrast
    unit: Unit = "edge"  # taken before an output is rewritten: the key, or the word from the input

    def check(self, model: str, groups: tuple[MapGroup, ...]) -> None:
        """Raise `InputError` if the model has no such layer or head."""
        layers = 1 + max(group.layer for group in groups)
        HeadPlace(self.layer or 0, self.head or 0).check(model, layers, groups[0].heads)

    def check_row(self, rows: int) -> None:
        """Raise `InputError` if the output has no such row."""
        if self.row is not None and self.row >= rows:
            message = f"There is no row {self.row}: the output has {rows}, counted from 0."
            raise InputError("out_of_range", message, "row")

    def needed_row(self) -> int:
        """Return the row that the figure is about, or raise `InputError`."""
        if self.row is None:
            raise InputError("missing_field", "This figure is that of one row: give `row`.", "row")
        return self.row


class Words(NamedTuple):
    """The choices of an audit as sentences."""

    question: str
    removal: str
    scope: str
    words: str


def in_words(choices: AuditChoices, layers: int, heads: int, *, forced: bool) -> Words:
    """Return the four choices of an audit as sentences: edge, removal, scope, and whose words."""
    removal = {
        "block": "A blocked key gets no weight, and the other keys share what it had.",
        "silence": "A silenced key keeps its weight, but its value counts nothing.",
    }[choices.removal]
    scope = _scope(choices, layers, heads)
    if choices.figure == "rewritten" and choices.unit == "word":
        removal = "Nothing is blocked: the other words are read as if it had never stood there."
        scope = "No head is edited."
    return Words(_question(choices), removal, scope, _words(choices, forced=forced))


def _question(choices: AuditChoices) -> str:
    if choices.figure == "rewritten":
        return {
            "edge": "A key is taken from every row: the edge, not the word. Its neighbours have "
            "read it.",
            "word": "A word is left out of the input: the word, not the edge.",
        }[choices.unit]
    if choices.figure == "curves":
        return (
            "Cells are taken from the rows of one word, or painted over in the photo, where the "
            "model sees it anew."
        )
    return (
        "A key is taken from one row at a time: the edge, not the word. What the word left in the "
        "states of its neighbours stays."
    )


def _words(choices: AuditChoices, *, forced: bool) -> str:
    own = "those of the target" if forced else "those that the model wrote"
    if choices.figure == "rewritten":
        return "The words are rewritten: without the key the model writes on by itself."
    if choices.figure == "contrast":
        return f"The words before are {own}; both words are forced behind them."
    only = "so that only their probability changes"
    return f"The words are {own}; they are forced, {only}."


def _scope(choices: AuditChoices, layers: int, heads: int) -> str:
    if layers * heads == 1:
        return "The model has one head."
    layer = f"layer {choices.layer + 1}" if choices.layer is not None else f"all {layers} layers"
    if layers == 1:
        layer = "the one layer"
    if choices.head is not None:
        head = f"head {choices.head + 1} of {layer} alone"
    else:
        head = f"all {heads} heads of {layer}" if heads > 1 else f"the head of {layer}"
    return f"The key is taken from {head}; the attention is their mean."
