"""Deletion and insertion over a photo: the probability of a word as cells go, and as they come.

Cells go in the order of a map, the first ones first, in three ways: as keys of the attention,
blurred in the photo, or painted with its mean colour. Deletion begins with all of the photo,
insertion with nothing of it (RISE, Petsiuk et al. 2018). The area below a curve is the trapezoid
over the fractions as they are, both ends included. The way decides which map wins, so there are
three.

Shapes: `F` fractions, `K` cells, `Y` rows and `X` columns of pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

import numpy as np
from PIL import Image, ImageFilter

from heed.models.audit.audit import Band, band, place_map
from heed.models.audit.choices import AuditChoices
from heed.models.audit.forced import ForcedStep, ForcedSteps, forced_runs
from heed.models.audit.row_edits import Maps, RowPlans
from heed.models.audit.run import FigureRun, word_rows
from heed.models.errors import InputError
from heed.models.networks.mobilenet import GRID
from heed.models.pictures.decode import Bytes
from heed.models.pictures.samples import another_photo
from heed.models.runtime.edited import EditPlan
from heed.models.runtime.protocol import PictureInput, Runtime
from heed.models.trace import Axis, GridAxis, Trace

FRACTIONS: Final = 14
DRAWS: Final = 3  # random orders
BLUR: Final = 16  # pixels of 224, the deviation of the blur: the width of a cell
AT_ONCE: Final = 4  # photos, between pauses
BATCH: Final = 28  # sets of keys
PICTURE_ROWS: Final = 10  # forced steps that cost as much as encoding a picture

Way = Literal["keys", "blur", "mean"]
OrderName = Literal["attention", "effects", "centre", "another photo", "random"]
WAYS: Final[tuple[Way, ...]] = ("keys", "blur", "mean")
NAMED: Final[tuple[OrderName, ...]] = ("attention", "effects", "centre", "another photo")
RANDOM: Final[OrderName] = "random"
ORDERS: Final = (*NAMED, *[RANDOM] * DRAWS)


class Curve(NamedTuple):
    """The log-probability of a word in one way and order, at each fraction of the cells."""

    way: Way
    order: OrderName
    deletion: tuple[float, ...]  # (F,), of the cells removed
    insertion: tuple[float, ...]  # (F,), of the cells shown


class Areas(NamedTuple):
    """The areas below the curves of probability of one way."""

    way: Way
    deletion: dict[str, float]  # by order
    insertion: dict[str, float]
    random_deletion: Band
    random_insertion: Band


@dataclass(frozen=True)
class Curves:
    """The curves of one word."""

    trace: Trace
    choices: AuditChoices
    maps: Maps
    word: str
    row: int  # the first of the word
    fractions: tuple[float, ...]  # (F,), as they are
    another: str  # the name of the other photo
    curves: tuple[Curve, ...]
    rows: int  # forced steps that were run

    @property
    def areas(self) -> list[Areas]:
        """The areas of each way whose curves are complete."""
        ways = [[curve for curve in self.curves if curve.way == way] for way in WAYS]
        return [self._areas(curves) for curves in ways if len(curves) == len(ORDERS)]

    def _areas(self, curves: Sequence[Curve]) -> Areas:
        named = [curve for curve in curves if curve.order != "random"]
        random = [curve for curve in curves if curve.order == "random"]
        return Areas(
            curves[0].way,
            {curve.order: area(self.fractions, curve.deletion) for curve in named},
            {curve.order: area(self.fractions, curve.insertion) for curve in named},
            band([area(self.fractions, curve.deletion) for curve in random]),
            band([area(self.fractions, curve.insertion) for curve in random]),
        )


def area(fractions: Sequence[float], logs: Sequence[float]) -> float:
    """Return the area below a curve of probabilities: trapezoids over the fractions."""
    return float(np.trapezoid(np.exp(logs), fractions))


class CurvesRun(FigureRun[PictureInput, Curves]):
    """The run of the curves of one word of a caption."""

    def _price(self, source: Axis, written: int) -> int:
        if not isinstance(source, GridAxis) or source.marks:
            message = "Deletion and insertion are of the cells of a photo."
            raise InputError("wrong_task", message, "figure")
        self._choices.needed_row()
        return _price(len(source), 1, written)

    def _steps(self, trace: Trace) -> Iterator[None]:
        target, row = trace.output.tokens, self._choices.needed_row()
        of_word = word_rows(target, row)
        ids = [token.id for token in target.tokens][: of_word[-1] + 1]
        source = self._prepared.source
        name, other = another_photo(source.pixels)
        steps = self._forced(ids)
        forced = list(steps)
        word = [forced[at] for at in of_word]
        cells = len(trace.source)
        counts = np.round(np.linspace(0, cells, FRACTIONS)).astype(int)
        removed = _Removed(self._pipeline.runtime, self.maps, self._choices.removal, source, ids)
        usual = sum(step.log_probability for step in word)
        made = Curves(
            trace,
            self._choices,
            self.maps,
            target.words[target.tokens[row].word].text,
            of_word[0],
            tuple((counts / cells).tolist()),
            name,
            (),
            0,
        )
        self.total = _price(cells, len(of_word), len(ids))
        without: list[float] = []
        for logs in removed.keys(steps, word, [[cell] for cell in range(cells)]):
            without.extend(logs)
            self.rows = removed.rows
            yield
        looked = [self.maps.attention(step)[0] for step in word]
        of_other = ForcedSteps(self._pipeline.runtime, replace(source, pixels=other), ids)
        theirs = [self.maps.attention(step)[0] for step in of_other][of_word[0] :]
        rankings = [
            np.mean(looked, axis=0),
            usual - np.array(without),
            place_map(trace.source, 1)[0],
            np.mean(theirs, axis=0),
            *(np.random.default_rng([seed, row]).random(cells) for seed in range(DRAWS)),
        ]
        for way in WAYS:
            for order, ranking in zip(ORDERS, rankings, strict=True):
                ranked = np.argsort(-ranking, kind="stable").tolist()
                sets = [ranked[:count] for count in counts]  # that are removed
                sets += [ranked[count:] for count in counts]
                logs_of: list[float] = []
                for logs in (
                    removed.keys(steps, word, sets)
                    if way == "keys"
                    else removed.in_photo(way, sets, of_word[0])
                ):
                    logs_of.extend(logs)
                    self.rows = removed.rows
                    yield
                curve = Curve(way, order, tuple(logs_of[:FRACTIONS]), tuple(logs_of[FRACTIONS:]))
                made = replace(made, curves=(*made.curves, curve), rows=self.rows)
                self._made = made
        self._result = made

    _made: Curves | None = None

    @property
    def so_far(self) -> Curves | None:
        """The curves that are complete."""
        return self._made


def _price(cells: int, pieces: int, written: int) -> int:
    """Return the forced steps of a word of so many pieces, the last of so many tokens."""
    points = 2 * FRACTIONS * len(ORDERS)
    return cells * pieces + points * (pieces + 2 * (PICTURE_ROWS + written))


class _Removed:
    """Removes cells of a photo, and returns the log-probability of a word without them."""

    def __init__(
        self,
        runtime: Runtime[PictureInput],
        maps: Maps,
        removal: str,
        source: PictureInput,
        ids: Sequence[int],
    ) -> None:
        self._runtime, self._maps, self._removal = runtime, maps, removal
        self._source, self._ids = source, ids
        self._hidden = {"blur": blurred(source.pixels), "mean": mean_colour(source.pixels)}
        self.rows = 0

    def keys(
        self,
        steps: ForcedSteps[PictureInput],
        word: Sequence[ForcedStep],
        sets: Sequence[Sequence[int]],
    ) -> Iterator[list[float]]:
        """Yield the log-probabilities without these sets of keys, some at a time."""
        for first in range(0, len(sets), BATCH):
            plans = [self._plan(cells, word[0]) for cells in sets[first : first + BATCH]]
            total = np.zeros(len(plans))
            for step in word:
                answers = list(steps.again(step, plans, distances=False))
                total += np.concatenate([answer.log_probabilities for answer in answers])
                self.rows += len(plans)
            yield total.tolist()

    def _plan(self, cells: Sequence[int], step: ForcedStep) -> EditPlan | None:
        """Return the plan without some keys. Without any key all values are silenced."""
        plans = RowPlans(self._maps, step, self._removal)
        nothing = len(cells) == step.attended[0].weights.shape[-1]
        return self._maps.plan("silence", cells) if nothing else plans.without(cells)

    def in_photo(
        self, way: Way, sets: Sequence[Sequence[int]], first_row: int
    ) -> Iterator[list[float]]:
        """Yield the log-probabilities with these cells painted over, some photos at a time."""
        for first in range(0, len(sets), AT_ONCE):
            sources = [
                replace(self._source, pixels=self.painted(way, cells), kept=False)
                for cells in sets[first : first + AT_ONCE]
            ]
            logs = [*forced_runs(self._runtime, sources, self._ids)]
            self.rows += len(sources) * (PICTURE_ROWS + len(logs))
            yield np.sum(logs[first_row:], axis=0).tolist()

    def painted(self, way: Way, cells: Sequence[int]) -> Bytes:
        """Return the photo with some cells as they are in another one."""
        pixels = self._source.pixels.copy()
        side = len(pixels) // GRID
        for cell in cells:
            row, column = divmod(cell, GRID)
            place = np.s_[row * side : (row + 1) * side, column * side : (column + 1) * side]
            pixels[place] = self._hidden[way][place]
        return pixels


def blurred(pixels: Bytes) -> Bytes:
    """Return a photo without its details."""
    return np.asarray(Image.fromarray(pixels).filter(ImageFilter.GaussianBlur(BLUR)))


def mean_colour(pixels: Bytes) -> Bytes:
    """Return a photo in its mean colour alone."""
    return np.broadcast_to(pixels.mean(axis=(0, 1)).round().astype(np.uint8), pixels.shape)
