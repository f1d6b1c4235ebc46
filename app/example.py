"""The example that the page opens on, sent along with it: a table that is painted without script.

A model of this server has answered it. While it has not, the page comes without, and asks.
"""

from __future__ import annotations

import asyncio
import logging
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from app.catalogue import Defaults
from app.schemas import MapOut, TokenAxisOut, TokenOut, TraceOut, TranslateIn, WordOut
from app.translation import Translation
from models.zoo import Card, Zoo

SHADES = 24
"""Steps of the colour scale in the style sheet, beside the colour of the page itself."""
MARKS = {"</s>": "end", "<s>": "start"}
BLANK = "␣"
SHORT = 2
"""Characters of the longest heading over narrow columns."""
MEASURED = re.compile(r"alignment_layer(\d+)_head(\d+)")

Matrix = npt.NDArray[np.float64]
log = logging.getLogger("heed")


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


class Shown(NamedTuple):
    """An answered example, as the template takes it."""

    trace: str
    """JSON that no text in it can lead out of its `<script>`."""
    read: str
    wrote: str
    piece: str
    """What a row stands for: a word, or a character."""
    granularity: str
    mergeable: bool
    """Whether rows may also be the pieces that words are cut into."""
    columns: list[Heading]
    rows: list[Line]
    largest: float

    @property
    def short(self) -> bool:
        """Whether its columns may be narrow."""
        return max(len(heading.text) for heading in self.columns if not heading.quiet) <= SHORT

    @property
    def direction(self) -> str:
        """The direction in which the columns are read."""
        return direction(self.read)


class Example:
    """The default model's first example: asked for once, and again only after it failed."""

    def __init__(self, zoo: Zoo, translation: Translation, defaults: Defaults) -> None:
        card = zoo.cards.get(defaults.get("text", ""))
        self._card = card if card and card.examples else None
        self._translation = translation
        self._making: asyncio.Task[None] | None = None
        self._shown: Shown | None = None

    @property
    def shown(self) -> Shown | None:
        """The example, if it is answered; if not, it will be."""
        if self._shown is None:
            self.make()
        return self._shown

    def make(self) -> None:
        """Have it answered in the background."""
        if self._card is None or (self._making is not None and not self._making.done()):
            return
        self._making = asyncio.create_task(self._make(self._card))
        self._making.add_done_callback(_tell)

    def stop(self) -> None:
        """Wait for no answer any more."""
        if self._making is not None:
            self._making.cancel()

    async def _make(self, card: Card) -> None:
        asked = TranslateIn(text=card.examples[0], model=card.id)
        known = await self._translation.one(asked, _never)
        self._shown = await asyncio.to_thread(shown_of, known.content, card)
        if self._shown is None:  # nor will it ever be
            self._card = None


def shown_of(content: bytes, card: Card) -> Shown | None:
    """What the page shows of an answer; nothing for a model that looks at nothing."""
    trace = TraceOut.model_validate_json(content)
    seen = first_map(trace, card.quality)
    if seen is None or not isinstance(trace.source, TokenAxisOut):
        return None
    characters = card.granularity == "characters"
    columns, summed = _merging(trace.source, apart=characters)
    rows, gathered = _merging(trace.target, apart=characters)
    averaged = gathered / gathered.sum(axis=0)
    weights = averaged.T @ np.asarray(seen.weights) @ summed
    largest = float(weights.max())
    shades = np.rint(weights / (largest or 1.0) * SHADES).astype(int)
    pieces = len(trace.source.tokens) + len(trace.target.tokens)
    return Shown(
        trace=content.decode().replace("<", "\\u003c"),
        read=trace.source.text,
        wrote=trace.target.text,
        piece="character" if characters else "word",
        granularity=card.granularity,
        mergeable=_words(trace.source) + _words(trace.target) < pieces,
        columns=columns,
        rows=[
            Line(heading, [Cell(float(w), int(s)) for w, s in zip(*row, strict=True)])
            for heading, *row in zip(rows, weights, shades, strict=True)
        ],
        largest=largest,
    )


def first_map(trace: TraceOut, quality: Mapping[str, float]) -> MapOut | None:
    """The map that the page opens on: of several heads the one that was measured to look best."""
    cross = {(one.layer, one.head): one for one in trace.maps if one.kind == "cross"}
    measured = {
        (int(place[1]), int(place[2])): value
        for name, value in quality.items()
        if (place := MEASURED.fullmatch(name))
    }
    best = max(measured, key=measured.__getitem__, default=None)
    last = max((layer for layer, _ in cross), default=0)
    return cross.get(best or (last, 0)) or cross.get((last, 0))


def direction(text: str) -> str:
    """The direction of the first letter that has one."""
    kinds = (unicodedata.bidirectional(sign) for sign in text)
    return (
        "rtl" if next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L") != "L" else "ltr"
    )


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


def _words(axis: TokenAxisOut) -> int:
    return len({token.word for token in axis.tokens})


async def _never() -> None:
    """Nobody waits for it who could leave."""
    await asyncio.Event().wait()


def _tell(making: asyncio.Task[None]) -> None:
    if not making.cancelled() and (error := making.exception()):
        log.info("the page opens without its example: %s", error)
