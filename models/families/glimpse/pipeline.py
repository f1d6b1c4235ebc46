"""The pipeline of glimpse networks, which read a digit by looking at a few places of a picture.

There is no search: a step is a glimpse at the mean of the policy, so that the same picture always
gives the same path, and the answer is the likeliest class after the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final

import numpy as np
from PIL import Image

from heed.models.card import Card
from heed.models.families.glimpse.result import GlimpseResult
from heed.models.families.glimpse.runtime import NumpyGlimpse
from heed.models.generation.computed_batch import ComputedPipeline, ComputedRequest
from heed.models.generation.protocol import wrong_request
from heed.models.generation.requests import GlimpseRequest, Request
from heed.models.pictures.drawing import fit_drawing
from heed.models.trace import (
    AttentionMap,
    Box,
    Floats,
    GlimpseAxis,
    GridAxis,
    Output,
    PictureInfo,
    TraceHeader,
    TraceRequest,
    TraceStep,
    likeliest,
)

__all__ = ["GlimpsePipeline", "GlimpseRequest"]

CELLS: Final = 12  # rows and columns of the grid on which a map shows what is covered
QUALITY: Final = 95  # of the JPEG of the drawing


@dataclass(frozen=True, slots=True)
class PreparedGlimpse(ComputedRequest):
    """A drawing that was checked and can be looked at."""

    drawing: Floats


class GlimpsePipeline(ComputedPipeline[PreparedGlimpse, GlimpseResult]):
    """A glimpse network."""

    def __init__(self, card: Card, runtime: NumpyGlimpse) -> None:
        self.card = card
        self._runtime = runtime

    def prepare(self, request: Request) -> PreparedGlimpse:
        """Fit a picture into the square that the network reads, or raise `InputError`."""
        if not isinstance(request, GlimpseRequest):
            raise wrong_request(self.card, request)
        side = self._runtime.config.picture
        drawing = fit_drawing(request.picture, side)
        opening = TraceHeader(
            self._stamp(),
            self.card.task,
            TraceRequest(""),
            GridAxis(CELLS, CELLS, 0.0, 0.0, side, side),
            picture=PictureInfo(side, side, request.picture.format, _jpeg(drawing)),
        )
        return PreparedGlimpse(opening, None, drawing)

    def answer(self, prepared: Sequence[PreparedGlimpse]) -> list[GlimpseResult]:
        """Compute every glimpse of a batch."""
        return self._runtime.look([item.drawing for item in prepared])

    def output(self, _prepared: PreparedGlimpse, read: GlimpseResult, steps: int, /) -> Output:
        """Build the output after so many glimpses."""
        final = int(read.log_probabilities[-1].argmax())
        now = int(read.log_probabilities[steps - 1].argmax())
        glimpses = tuple(self._boxes(place) for place in read.places[:steps])
        certainty = float(read.log_probabilities[steps - 1, now])
        return Output(
            target=GlimpseAxis(str(now), glimpses),
            maps=(self._covered(glimpses),),
            steps=tuple(_step(read, step, final) for step in range(steps)),
            log_probability=certainty,
            score=certainty,
            finish="end",
        )

    def _boxes(self, place: Floats) -> tuple[Box, ...]:
        """Return the squares that a glimpse at a place sees, the finest first."""
        config = self._runtime.config
        x, y = np.floor((place + 1) * (config.picture / 2) + 0.5).tolist()
        sides = [config.patch * 2**scale for scale in range(config.scales)]
        return tuple(Box(x - side / 2, y - side / 2, float(side)) for side in sides)

    def _covered(self, glimpses: Sequence[Sequence[Box]]) -> AttentionMap:
        """Return the share of the pixels of each glimpse that lie in each cell of the picture.

        Every patch has as many pixels as the others, so a cell of the finest counts most. What
        lies beyond the picture is left out.
        """
        edges = np.linspace(0, self._runtime.config.picture, CELLS + 1, dtype=np.float32)
        shares = [[_share(box, edges) for box in boxes] for boxes in glimpses]
        weights = np.sum(shares, axis=1).reshape(len(glimpses), -1)
        weights = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
        with np.errstate(divide="ignore"):
            scores = np.log(weights)
        return AttentionMap("cross", 0, 0, "target", "source", weights, scores)


def _share(box: Box, edges: Floats) -> Floats:
    """Return the share of a square that lies in each cell of a grid (rows, columns)."""
    across, down = (
        np.minimum(edges[1:], start + box.side) - np.maximum(edges[:-1], start)
        for start in (box.left, box.top)
    )
    shares: Floats = np.outer(down.clip(0), across.clip(0)).astype(np.float32) / box.side**2
    return shares


def _step(read: GlimpseResult, step: int, final: int) -> TraceStep:
    logs = read.log_probabilities[step]
    return TraceStep(
        log_probability=float(logs[final]),
        alternatives=likeliest(logs, str),
        query=read.queries[step],
        context=read.seen[step],
        state=read.states[step],
        seen=read.patches[step],
    )


def _jpeg(drawing: Floats) -> bytes:
    """Return a drawing as a picture of dark strokes on white."""
    image = Image.fromarray((255 - 255 * drawing).round().astype(np.uint8))
    file = BytesIO()
    image.save(file, "JPEG", quality=QUALITY)
    return file.getvalue()
