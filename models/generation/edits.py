"""The edits of a request, checked against what a model reads and writes, and resolved to rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heed.models.edits.operations import (
    Edit,
    Gate,
    KeysEdit,
    Permute,
    Places,
    Row,
    Scale,
    SetWeight,
    Temperature,
)
from heed.models.edits.rows import NO_KEYS, NO_WEIGHTS, Indices, RowEdit
from heed.models.errors import InputError
from heed.models.networks.map_group import MapGroup
from heed.models.runtime.edited import EditPlan, MapEdit
from heed.models.trace import Axis, AxisName, GraphAxis, GridAxis, MapKind, TokenAxis

SEEDS: Final = 2**32
MAX_ROWS: Final = 100_000
"""Rows that all edits of a request change together, counted again for each edit."""

MAX_CELLS: Final = 2**26
"""Weights of all maps of a kind, each a byte while edits are checked."""

Bools = NDArray[np.bool_]


class EditedModel(NamedTuple):
    """A model, its maps and the axes of one request, against which edits are checked."""

    name: str
    groups: Sequence[MapGroup]
    axes: Mapping[AxisName, Axis]  # those of the input
    longest: int  # queries that an output may have
    hides_end: bool = False  # true if no query sees the last key of an input
    gated: bool = False  # true if it has a gate
    seen: Bools | None = None  # (Q, K), the keys that each query sees, if not all of an axis
    most_rows: int = MAX_ROWS
    continues: bool = False  # true if the output stands behind the input, on one axis

    def length(self, axis: AxisName) -> int:
        """Return the length of an axis, the greatest if it is that of the output."""
        if axis not in self.axes:
            return self.longest
        return len(self.axes[axis]) + (self.longest if self.continues else 0)

    def grows(self, axis: AxisName) -> bool:
        """Return true if each query sees the keys up to its own place."""
        return axis == "decoder_input" or self.continues


class ResolvedEdits(NamedTuple):
    """The edits that change something, and the same by row."""

    edits: tuple[Edit, ...]
    plan: EditPlan
    first_queries: tuple[int, ...]  # of the output, by edit; those of an input are always reached

    def unused(self, written: int) -> tuple[int, ...]:
        """Return the edits that an output of this length never reached."""
        return tuple(at for at, query in enumerate(self.first_queries) if query >= written)


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of one edit of the list, for its errors."""

    place: int

    def error(self, code: str, message: str, name: str = "") -> InputError:
        """Make the error of a field of this edit, or of the edit as a whole."""
        where = f"edits[{self.place}]"
        return InputError(code, message, f"{where}.{name}" if name else where)


def plan_of(edits: ResolvedEdits | None) -> EditPlan | None:
    """Return the plan of edits, if there are any."""
    return None if edits is None else edits.plan


def first_difference(old: Sequence[int], new: Sequence[int]) -> int:
    """Return the first place at which two texts differ, or the end of the shorter one."""
    for place, (before, now) in enumerate(zip(old, new, strict=False)):
        if before != now:
            return place
    return min(len(old), len(new))


def resolve(edits: Sequence[Edit], model: EditedModel) -> ResolvedEdits | None:
    """Resolve edits to rows; None if none of them changes anything. Raises `InputError`."""
    return _Resolver(model).resolved(edits)


class _Board:
    """The keys that each row of the maps of one kind still sees, while edits are resolved."""

    def __init__(self, model: EditedModel, groups: Sequence[MapGroup]) -> None:
        first = groups[0]
        queries, keys = model.length(first.query), model.length(first.key)
        shape = (max(group.layer for group in groups) + 1, first.heads, queries, keys)
        self.seen: Bools = np.ones((queries, keys), np.bool_)
        if model.seen is not None:
            self.seen[:] = model.seen
        elif model.grows(first.key):
            self.seen[:] = np.tri(queries, keys)
        elif model.hides_end and keys > 1:
            self.seen[:, -1] = False
        self.live = np.array(np.broadcast_to(self.seen, shape))

    def apply(self, edit: RowEdit, rows: Sequence[Sequence[int]]) -> tuple[int, ...] | None:
        """Apply an edit to the rows of these layers, heads and queries.

        Returns a row that it leaves without a key, if there is one.
        """
        place = np.ix_(*rows)
        seen: Bools = self.seen[list(rows[2])]
        live: Bools = self.live[place]
        chosen = np.zeros(seen.shape[1], bool)
        chosen[edit.keys] = True
        now: Bools = self._after(edit, live, seen, chosen)
        self.live[place] = now
        empty = np.argwhere(~now.any(axis=-1))
        if not len(empty):
            return None
        return tuple(some[at] for some, at in zip(rows, empty[0], strict=True))

    def _after(self, edit: RowEdit, live: Bools, seen: Bools, chosen: Bools) -> Bools:
        sees = _any_key(seen & chosen)
        match edit.op, edit.number:
            case ("block", _) | ("scale", 0):
                return live & ~chosen
            case "only", _:
                return live & (chosen | ~sees)
            case "set", weight:
                return self._set(weight, live, seen, chosen)
            case "row", _:
                return np.broadcast_to(seen & (edit.weights > 0), live.shape)
        return live

    def _set(self, weight: float, live: Bools, seen: Bools, chosen: Bools) -> Bools:
        """Revive what is all blocked, as `set` does, and block what gets no weight."""
        mine, others = seen & chosen, seen & ~chosen
        possible = _any_key(mine) & (_any_key(others) | (weight in (0, 1)))
        now = live.copy()
        for part, share in ((mine, weight), (others, 1 - weight)):
            if share == 0:
                now &= ~part
            else:
                now |= part & ~_any_key(live & part)
        return np.where(possible, now, live)


def _any_key(keys: Bools) -> Bools:
    """Return whether there is any key in each row (…, 1)."""
    return np.asarray(keys.any(axis=-1, keepdims=True))


class _Resolver:
    """Resolves the edits of one request, one after another."""

    def __init__(self, model: EditedModel) -> None:
        self._model = model
        self._boards: dict[tuple[MapKind, AxisName], _Board] = {}
        self._places: dict[AxisName, Mapping[str, Sequence[int]]] = {}  # by word
        self._maps: list[MapEdit] = []
        self._gates: dict[int, float] = {}
        self._kept: list[Edit] = []
        self._first: list[int] = []
        self._rows = 0

    def resolved(self, edits: Sequence[Edit]) -> ResolvedEdits | None:
        """Resolve all edits; None if none changes anything."""
        for place, edit in enumerate(edits):
            field = _Field(place)
            _check_number(edit, field)
            if isinstance(edit, Gate):
                self._add_gate(edit, field)
            else:
                self._add(edit, field)
        if not self._kept:
            return None
        plan = EditPlan(self._maps, self._gates)
        return ResolvedEdits(tuple(self._kept), plan, tuple(self._first))

    def _add_gate(self, edit: Gate, field: _Field) -> None:
        if not self._model.gated:
            message = f"{self._model.name} has no gate to edit."
            raise field.error("edits_not_supported", message, "op")
        for name in ("kind", "axis", "layers", "heads"):
            if getattr(edit, name) is not None:
                message = f"A gate belongs to no map: leave '{name}' out."
                raise field.error("unknown_field", message, name)
        queries = self._queries(edit, self._model.longest, field)
        self._gates |= dict.fromkeys(queries, edit.value)
        if queries:
            self._kept.append(edit)
            self._first.append(min(queries))

    def _add(self, edit: Edit, field: _Field) -> None:
        groups = self._groups(edit, field)
        first = groups[0]
        layers = _places(
            edit.layers, max(group.layer for group in groups) + 1, "layer", self._model, field
        )
        heads = _places(edit.heads, first.heads, "head", self._model, field)
        queries = self._queries(edit, self._model.length(first.query), field)
        keys = self._keys(edit, first.key, field)
        weights = self._weights(edit, first.key, queries, field)
        row_edit = RowEdit(edit.op, keys, _number(edit), weights)
        self._check_sum(edit, row_edit, first, field)
        no_keys = isinstance(edit, KeysEdit) and not len(keys)
        if edit.idle or no_keys or not (layers and heads and queries):
            return
        self._rows += len(layers) * len(heads) * len(queries)
        if self._rows > self._model.most_rows:
            most = f"{self._model.most_rows:,}"
            message = f"The edits change more than {most} rows together. Name fewer of them."
            raise field.error("out_of_range", message)
        board = self._board(groups, field)
        if empty := board.apply(row_edit, (layers, heads, queries)):
            layer, head, query = empty
            message = f"This leaves query {query} of layer {layer}, head {head} without a key."
            raise field.error("empty_row", message)
        self._maps.append(
            MapEdit(
                *(first.kind, first.key, frozenset(layers), frozenset(heads)),
                None if len(queries) == self._model.length(first.query) else frozenset(queries),
                row_edit,
            )
        )
        self._kept.append(edit)
        written = first.query == "target" or self._model.continues
        self._first.append(min(queries) if written else 0)

    def _groups(self, edit: Edit, field: _Field) -> list[MapGroup]:
        """Return the groups of heads that an edit names by its kind and its axis."""
        kinds = list(dict.fromkeys(group.kind for group in self._model.groups))
        kind = edit.kind or (kinds[0] if len(kinds) == 1 else "cross")
        if kind not in kinds:
            message = f"{self._model.name} has no attention of the kind {kind}, only "
            raise field.error("invalid_choice", f"{message}{_listed(kinds)}.", "kind")
        groups = [group for group in self._model.groups if group.kind == kind]
        axes = list(dict.fromkeys(group.key for group in groups))
        axis = edit.axis or axes[0]
        if axis not in axes:
            message = f"The {kind} attention of {self._model.name} has no axis '{axis}'."
            raise field.error("invalid_choice", message, "axis")
        return [group for group in groups if group.key == axis]

    def _queries(self, edit: Edit, count: int, field: _Field) -> list[int]:
        return _places(edit.queries, count, "query", self._model, field)

    def _board(self, groups: Sequence[MapGroup], field: _Field) -> _Board:
        first = groups[0]
        name = first.kind, first.key
        if name not in self._boards:
            lengths = self._model.length(first.query), self._model.length(first.key)
            if math.prod(lengths) * len(groups) * first.heads > MAX_CELLS:
                message = f"The maps of {self._model.name} are too large to be edited"
                raise field.error("out_of_range", f"{message} at this length: shorten the input.")
            self._boards[name] = _Board(self._model, groups)
        return self._boards[name]

    def _keys(self, edit: Edit, axis: AxisName, field: _Field) -> Indices:
        """Return the keys of an edit that has any: by index, by word and by box together."""
        if not isinstance(edit, KeysEdit):
            return NO_KEYS
        if edit.keys is None and edit.words is None and edit.box is None:
            message = f"The operation '{edit.op}' needs keys: 'keys', 'words' or a 'box'."
            raise field.error("missing_field", message, "keys")
        keys: set[int] = set()
        if edit.keys is not None:
            keys.update(_places(edit.keys, self._model.length(axis), "key", self._model, field))
        if edit.words is not None:
            words = (edit.words,) if isinstance(edit.words, str) else edit.words
            keys.update(self._tokens_of(words, axis, field))
        if edit.box is not None:
            keys.update(_cells_of(edit.box, self._model.axes.get(axis), field))
        return np.array(sorted(keys), np.int32)

    def _tokens_of(self, words: Sequence[str], name: AxisName, field: _Field) -> Iterator[int]:
        """Yield the tokens of every occurrence of these words, or the nodes of these names."""
        axis = self._model.axes.get(name)
        if name not in self._places:
            self._places[name] = _places_by_word(axis, field)
        places, of_graph = self._places[name], isinstance(axis, GraphAxis)
        for same, word in {word if of_graph else word.casefold(): word for word in words}.items():
            if same not in places:
                message = f"The graph has no node '{word}'."
                if not of_graph:
                    message = f"The input has no word '{word}'."
                raise field.error("unknown_word", message, "words")
            yield from places[same]

    def _weights(
        self, edit: Edit, axis: AxisName, queries: Sequence[int], field: _Field
    ) -> NDArray[np.float64]:
        """Return the weights of `row`: as many as there are keys, or as its row can see."""
        if not isinstance(edit, Row):
            return NO_WEIGHTS
        count, given = self._model.length(axis), len(edit.weights)
        if self._model.grows(axis):
            lengths = {query + 1 for query in queries}
            if lengths and lengths != {given}:
                message = f"Query {min(queries)} sees {min(lengths)} keys, not {given}."
                if len(lengths) > 1:
                    message = "Each query of this kind sees another count of keys: edit one by one."
                raise field.error("invalid_row", message, "weights")
            return np.pad(np.array(edit.weights, np.float64), (0, count - given))
        if given != count:
            message = f"A row of this map has {count} keys, and there are {given} weights."
            raise field.error("invalid_row", message, "weights")
        return np.array(edit.weights, np.float64)

    def _check_sum(self, edit: Edit, row: RowEdit, group: MapGroup, field: _Field) -> None:
        """Refuse to give all keys of an axis a sum below 1."""
        if not (isinstance(edit, SetWeight) and 0 < edit.weight < 1 and len(row.keys)):
            return
        count = self._model.length(group.key)
        hidden = self._model.hides_end and not self._model.grows(group.key) and count > 1
        if set(range(count - hidden)) <= set(row.keys.tolist()):
            message = f"The weights of all keys sum to 1, not to {edit.weight:g}."
            raise field.error("impossible_weight", message, "weight")


def _number(edit: Edit) -> float:
    """Return the number of an operation that has one."""
    match edit:
        case Scale():
            return edit.factor
        case SetWeight():
            return edit.weight
        case Temperature():
            return edit.temperature
        case Permute():
            return edit.seed
    return 0.0


def _check_number(edit: Edit, field: _Field) -> None:
    """Refuse a number that an operation cannot have. NaN is refused, too."""
    match edit:
        case Scale(factor=factor) if not 0 <= factor < math.inf:
            raise field.error("out_of_range", "A factor is a number from 0 on.", "factor")
        case SetWeight(weight=weight) if not 0 <= weight <= 1:
            raise field.error("out_of_range", "A weight is a number from 0 to 1.", "weight")
        case Gate(value=value) if not 0 <= value <= 1:
            raise field.error("out_of_range", "A gate is a number from 0 to 1.", "value")
        case Temperature(temperature=temperature) if not 0 < temperature < math.inf:
            raise field.error("out_of_range", "A temperature is above 0.", "temperature")
        case Permute(seed=seed) if not 0 <= seed < SEEDS:
            raise field.error("out_of_range", "A seed is a number of 32 bits.", "seed")
        case Row(weights=weights):
            if not all(0 <= weight < math.inf for weight in weights):
                raise field.error("out_of_range", "A weight is a number from 0 on.", "weights")
            if not any(weights):
                raise field.error("empty_row", "A row needs a weight above 0.", "weights")


def _places(
    places: Places | None, count: int, name: str, model: EditedModel, field: _Field
) -> list[int]:
    """Return the layers, heads, queries or keys that an edit names, or raise `InputError`."""
    if places is None or places == "all":
        return list(range(count))
    several = (places,) if isinstance(places, int) else places
    if not len(several):
        return []
    ends = (several[0], several[-1]) if isinstance(several, range) else several
    for place in (min(ends), max(ends)):
        if not 0 <= place < count:
            message = f"There is no {name} {place}: there are {count}, counted from 0."
            if name in ("layer", "head"):
                message = f"There is no {name} {place}: {model.name} has {count}, counted from 0."
            plural = {"query": "queries"}.get(name, f"{name}s")
            raise field.error("out_of_range", message, plural)
    return sorted(set(several))


def _places_by_word(axis: Axis | None, field: _Field) -> Mapping[str, Sequence[int]]:
    """Return the tokens of all occurrences of each word, or the node of each name."""
    places: dict[str, list[int]] = {}
    match axis:
        case GraphAxis():
            for place, node in enumerate(axis.nodes):
                places.setdefault(node.text, []).append(place)
        case TokenAxis():
            words = [None if word.special else word.text.casefold() for word in axis.words]
            places.update((word, []) for word in words if word is not None)
            for place, token in enumerate(axis.tokens):
                if (word := words[token.word]) is not None:
                    places[word].append(place)
        case _:
            message = "Words name the tokens of a text that is read. Name these keys by index."
            raise field.error("edits_not_supported", message, "words")
    return places


def _cells_of(
    box: tuple[float, float, float, float], axis: Axis | None, field: _Field
) -> Iterator[int]:
    """Yield the cells whose middle lies in a box, or the one in which its middle lies."""
    if not isinstance(axis, GridAxis):
        message = "A box is a part of a picture, and these keys are no cells of one."
        raise field.error("edits_not_supported", message, "box")
    left, top, width, height = box
    wide, high = axis.width / axis.columns, axis.height / axis.rows
    empty = True
    for row in range(axis.rows):
        for column in range(axis.columns):
            x, y = axis.left + (column + 0.5) * wide, axis.top + (row + 0.5) * high
            if left <= x <= left + width and top <= y <= top + height:
                empty = False
                yield len(axis.marks) + row * axis.columns + column
    column, row = (
        math.floor((left + width / 2 - axis.left) / wide),
        math.floor((top + height / 2 - axis.top) / high),
    )
    if empty:
        if not (0 <= row < axis.rows and 0 <= column < axis.columns):
            raise field.error("out_of_range", "The box lies outside of the picture.", "box")
        yield len(axis.marks) + row * axis.columns + column


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
