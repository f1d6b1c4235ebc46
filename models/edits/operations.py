"""The operations that edit attention, as data: part of a request, and of every copy of it.

An edit changes rows of a map between the scores ℓ₀ = e and the weights:

    ℓᵢ = τᵢ·ℓᵢ₋₁ + bᵢ   for each edit i of the row in order
    α' = m ⊙ softmax(ℓₙ)

`rows.py` computes this. Fields are as in the API: what is None means all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, Literal

Places = int | tuple[int, ...] | range | Literal["all"]
"""One place, several, a range, or all; counted from 0."""
EditedKind = Literal["cross", "encoder-self", "decoder-self"]
EditedAxis = Literal["source", "question"]
Box = tuple[float, float, float, float]
"""Left, top, width and height of a rectangle of the picture, in its pixels."""
MOST_EDITS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """The rows that an edit changes: those of these layers, heads and queries of one kind of map.

    `axis` is that of the keys, where a model has two maps of one kind.
    """

    op: ClassVar[str]

    kind: EditedKind | None = None
    axis: EditedAxis | None = None
    layers: Places | None = None
    heads: Places | None = None
    queries: Places | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, list) or (isinstance(value, range) and value.step != 1):
                object.__setattr__(self, field.name, tuple(value))

    @property
    def idle(self) -> bool:
        """Return true if it changes nothing, whatever the scores are."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class KeysEdit(Edit):
    """An edit of keys: by their index, by words (each occurrence, all its pieces), or by a box."""

    keys: Places | None = None
    words: str | tuple[str, ...] | None = None
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Block(KeysEdit):
    """Nothing looks at these keys."""

    op: ClassVar[str] = "block"


@dataclass(frozen=True, slots=True)
class Only(KeysEdit):
    """Nothing looks at any other key."""

    op: ClassVar[str] = "only"


@dataclass(frozen=True, slots=True)
class Scale(KeysEdit):
    """The weights of these keys are multiplied, before the row is normalised again."""

    op: ClassVar[str] = "scale"

    factor: float

    @property
    def idle(self) -> bool:
        """Return true if it changes nothing."""
        return self.factor == 1


@dataclass(frozen=True, slots=True)
class SetWeight(KeysEdit):
    """The weights of these keys sum to this; proportions within them and outside of them stay."""

    op: ClassVar[str] = "set"

    weight: float


@dataclass(frozen=True, slots=True)
class Silence(KeysEdit):
    """The values of these keys count nothing; the other weights stay."""

    op: ClassVar[str] = "silence"


@dataclass(frozen=True, slots=True)
class Temperature(Edit):
    """The scores are divided by this."""

    op: ClassVar[str] = "temperature"

    temperature: float

    @property
    def idle(self) -> bool:
        """Return true if it changes nothing."""
        return self.temperature == 1


@dataclass(frozen=True, slots=True)
class Uniform(Edit):
    """All keys that are not blocked have the same weight."""

    op: ClassVar[str] = "uniform"


@dataclass(frozen=True, slots=True)
class Permute(Edit):
    """The scores of the keys that are not blocked change places at random."""

    op: ClassVar[str] = "permute"

    seed: int = 0


@dataclass(frozen=True, slots=True)
class Row(Edit):
    """The row has these weights, one for each key."""

    op: ClassVar[str] = "row"

    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Gate(Edit):
    """The gate β of a captioner has this value; it belongs to no map."""

    op: ClassVar[str] = "gate"

    value: float


OPERATIONS: Final[Mapping[str, type[Edit]]] = {
    operation.op: operation
    for operation in (
        *(Block, Only, Scale, SetWeight, Silence),
        *(Temperature, Uniform, Permute, Row, Gate),
    )
}
"""Every operation by its name in the API."""


def fields_of(edit: Edit) -> dict[str, Any]:
    """Return an edit as an object of the API."""
    given = {field.name: getattr(edit, field.name) for field in fields(edit)}
    return {"op": edit.op} | {
        name: _plain(value) for name, value in given.items() if value is not None
    }


def _plain(value: object) -> object:
    if isinstance(value, range):
        return {"first": value.start, "last": value.stop - 1}
    return list(value) if isinstance(value, tuple) else value
