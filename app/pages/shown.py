"""An answer as a page shows it before any script: a coloured table, and the trace beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from heed.app.pages.links import Looks, Question
from heed.app.pages.notes import direction, reading_note
from heed.app.schemas import MapOut, OutputOut, TokenAxisOut, TokenOut, TraceOut, WordOut
from heed.models.catalogue import Card

SHADES = 24
"""Steps of the colour scale in the style sheet, beside the colour of the page itself."""
DECADES = 3
"""Powers of ten that the logarithmic scale spans, as in `figures.js`."""
MARKS = {"</s>": "⟨end⟩", "<s>": "⟨start⟩"}
BLANK = "␣"
SHORT = 2
"""Characters of the longest heading over narrow columns."""
MEASURED = re.compile(r"alignment_layer(\d+)_head(\d+)")
KINDS = {
    "cross": "output to input",
    "encoder-self": "input to itself",
    "decoder-self": "output to itself",
}
POOLS = ("mean of all", "largest of all")
"""What can be chosen besides a head, and of which maps, in the words of `choices.js`."""
BROUGHT = "imported"
"""Id of the model of a trace that was brought along, as in `imports.js`."""
MOST_BYTES = 512 * 1024
MOST_CELLS = 2_500
"""What is larger comes after its page: it would hold up all else that is to be seen."""

Matrix = npt.NDArray[np.float64]


class Heading(NamedTuple):
    """What stands at a row or a column, and why it is set in a quiet type, if it is."""

    text: str
    quiet: str | None


class Cell(NamedTuple):
    """A weight, and its step on the colour scale."""

    weight: float
    shade: int


class Line(NamedTuple):
    """A row of the map: what was written, and where the model looked for it."""

    heading: Heading
    cells: list[Cell]
    current: bool


class Text(NamedTuple):
    """What was read, or written."""

    text: str
    ends: bool
    """Whether its end mark belongs to it."""
    note: str
    """What was passed over, and what is hardly known of it; empty where nothing is."""


class Option(NamedTuple):
    """One of several maps to choose from, and whether it is the one that is shown."""

    name: str
    chosen: bool


class Choices(NamedTuple):
    """The maps of a model that has several."""

    kinds: list[Option]
    layers: list[Option]
    heads: list[Option]


class Table(NamedTuple):
    """A map: what was read stands above its columns, what was written beside its rows."""

    columns: list[Heading]
    rows: list[Line]
    largest: float
    direction: str
    """In which the columns are read."""

    @property
    def short(self) -> bool:
        """Whether its columns may be narrow."""
        named = (len(heading.text) for heading in self.columns if not heading.quiet)
        return max(named, default=0) <= SHORT


class Shown(NamedTuple):
    """An answer, as the template takes it."""

    trace: str
    """JSON that no text in it can lead out of its `<script>`."""
    read: Text
    wrote: Text
    piece: str
    """What a row stands for: a word, a subword, or a character."""
    granularity: str
    mergeable: bool
    """Whether rows may also be the pieces that words are cut into."""
    table: Table | None
    """Nothing for a model that looks at nothing."""
    choices: Choices
    view: str
    question: Question
    """What was asked, for the form."""
    stays: bool
    """Whether the script will put in its place what is as large."""


def shown_of(
    content: bytes, card: Card | None, looks: Looks | None = None, *, bounded: bool = True
) -> Shown | None:
    """What a page shows of the trace of a text; nothing, if `bounded`, where that is too large.

    Without a card it is of a model that is not here.
    """
    if bounded and len(content) > MOST_BYTES:
        return None
    looks = looks or Looks()
    trace = TraceOut.model_validate_json(content)
    if not isinstance(trace.source, TokenAxisOut):
        return None
    output = [trace, *trace.runners_up][min(looks.pick, len(trace.runners_up))]
    granularity = card.granularity if card else _granularity(trace)
    mergeable = _mergeable(trace.source) or _mergeable(output.target)
    usual = "subwords" if granularity == "characters" else "words"
    apart = ((mergeable and looks.units) or usual) == "subwords"
    seen = picked(output, card.quality if card else {}, looks)
    table = _table(trace.source, output.target, seen, looks, apart=apart) if seen else None
    if bounded and table and len(table.columns) * len(table.rows) > MOST_CELLS:
        return None
    return Shown(
        trace=content.decode().replace("<", "\\u003c"),
        read=_text(trace.source),
        wrote=_text(output.target),
        piece=granularity[:-1] if apart else "word",
        granularity=granularity,
        mergeable=mergeable,
        table=table,
        choices=_choices(output, seen) if seen else Choices([], [], []),
        view=looks.view,
        question=_question(trace),
        stays=table is not None and looks.as_table and not trace.runners_up,
    )


def _table(
    source: TokenAxisOut, target: TokenAxisOut, seen: MapOut, looks: Looks, *, apart: bool
) -> Table:
    columns, summed = _merging(source, apart=apart)
    rows, gathered = _merging(target, apart=apart)
    averaged = gathered / gathered.sum(axis=0)
    weights = averaged.T @ np.asarray(seen.weights) @ summed
    shades = np.rint(_positions(weights, looks) * SHADES).astype(int)
    current = _current(gathered, looks.step - 1)
    cells = [
        [Cell(*cell) for cell in zip(*row, strict=True)]
        for row in zip(weights.tolist(), shades.tolist(), strict=True)
    ]
    lines = [
        Line(heading, row, place == current)
        for place, (heading, row) in enumerate(zip(rows, cells, strict=True))
    ]
    return Table(columns, lines, float(weights.max()), direction(source.text))


def _choices(output: OutputOut, seen: MapOut) -> Choices:
    there = {one.kind for one in output.maps}
    cross = [one for one in output.maps if one.kind == seen.kind]
    heads = _counted({one.head for one in cross if one.layer == seen.layer}, seen.head)
    return Choices(
        kinds=[Option(name, kind == seen.kind) for kind, name in KINDS.items() if kind in there],
        layers=_counted({one.layer for one in cross}, seen.layer),
        heads=heads + [Option(name, chosen=False) for name in POOLS if len(heads) > 1],
    )


def picked(output: OutputOut, quality: Mapping[str, float], looks: Looks) -> MapOut | None:
    """The map that an address opens on: of several heads the one that was measured to look best."""
    cross = {(one.layer, one.head): one for one in output.maps if one.kind == "cross"}
    if not cross:
        return None
    measured = {
        (int(place[1]), int(place[2])): value
        for name, value in quality.items()
        if (place := MEASURED.fullmatch(name))
    }
    best_layer, best_head = max(measured, key=measured.__getitem__, default=(None, None))
    layers = sorted({layer for layer, _ in cross})
    layer = _nearest(layers, _place(looks.layer), _nearest(layers, best_layer, layers[-1]))
    heads = sorted(head for of, head in cross if of == layer)
    best = best_head if layer == best_layer else None
    return cross[layer, _nearest(heads, _place(looks.head), _nearest(heads, best, heads[0]))]


def _place(counted: int | None) -> int | None:
    return None if counted is None else counted - 1


def _nearest(there: Sequence[int], wanted: int | None, otherwise: int) -> int:
    return wanted if wanted in there else otherwise  # type: ignore[return-value]


def _positions(weights: Matrix, looks: Looks) -> Matrix:
    """Weights as positions on the colour scale."""
    top = weights.max(axis=1, keepdims=True) if looks.scale == "row" else weights.max()
    share: Matrix = weights / np.where(top > 0, top, 1.0)
    if not looks.log:
        return share
    with np.errstate(divide="ignore"):
        return np.maximum(0.0, 1 + np.log10(share) / DECADES)


def _current(gathered: Matrix, token: int) -> int:
    """The row that has this token; the last one past the end."""
    return int(gathered[min(token, len(gathered) - 1)].argmax())


def _counted(there: set[int], seen: int) -> list[Option]:
    return [Option(str(place + 1), place == seen) for place in sorted(there)]


def _granularity(trace: TraceOut) -> str:
    """What the pieces of a model are that is not here: letters, if none of them is longer."""
    letters = all(token.special or len(token.text) <= 1 for token in trace.target.tokens)
    return "characters" if letters and trace.model.id != BROUGHT else "subwords"


def _question(trace: TraceOut) -> Question:
    """The fields that ask for a trace again; none where it was brought along."""
    if trace.model.id == BROUGHT:
        return Question()
    given, search = trace.request, trace.request.search
    return Question.model_construct(
        model=trace.model.id,
        text=given.text,
        target=given.target,
        search=search.kind,
        beam=search.beam if search.kind == "beam" else Question().beam,
        seed=search.seed,
        temperature=search.temperature,
        penalty=search.length_penalty,
    )


def _text(axis: TokenAxisOut) -> Text:
    return Text(axis.text, any(token.special for token in axis.tokens), reading_note(axis))


def _merging(axis: TokenAxisOut, *, apart: bool) -> tuple[list[Heading], Matrix]:
    """The headings of an axis, and which of its tokens (rows) belong to which (columns)."""
    places = [at if apart else token.word for at, token in enumerate(axis.tokens)]
    named: Sequence[TokenOut | WordOut] = axis.tokens if apart else axis.words
    kept = sorted(set(places))
    belongs = np.asarray([[place == word for word in kept] for place in places], dtype=np.float64)
    return [_heading(axis.text, named[place]) for place in kept], belongs


def _heading(text: str, piece: TokenOut | WordOut) -> Heading:
    if piece.special:
        return Heading(MARKS.get(piece.text, piece.text.strip("<>")), "mark")
    said = text[piece.start : piece.end].strip()
    return Heading(said or BLANK, None if said else "blank")


def _mergeable(axis: TokenAxisOut) -> bool:
    return len({token.word for token in axis.tokens}) < len(axis.tokens)
