"""A model of picture to text, asked with a picture (and a question of it), answered in traces."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from heed.models.errors import InputError
from heed.models.generation.maps import EncodedInput
from heed.models.generation.pipeline import Between, GenerationPipeline, PreparedInput
from heed.models.generation.search import Decoding, Plan, search
from heed.models.images.read import Picture
from heed.models.runtime.feature_cache import GRID
from heed.models.runtime.protocol import ImageInput
from heed.models.trace import (
    AttentionMap,
    Floats,
    GridAxis,
    PictureInfo,
    SearchRequest,
    Timing,
    Trace,
    TraceHeader,
    TraceRequest,
    Vectors,
)

ASK = "ask"  # the task of answering; that of the others is to caption
HARD = "hard"  # the mechanism that draws the cell it looks at
ROWS = COLUMNS = GRID
SEEDS = 2**32


@dataclass(frozen=True, slots=True)
class ImageRequest:
    """A picture to be read; with a question, that is answered, with a target, that is written.

    `draws` says how often hard attention is drawn anew for the caption that came out.
    """

    picture: Picture
    question: str | None = None
    target: str | None = None
    search: SearchRequest = field(default_factory=SearchRequest)
    draws: int = 0
    vectors: Vectors = "cross"


class Captioner(GenerationPipeline[ImageRequest, ImageInput]):
    """Reads the cells of a picture."""

    def read(self, ask: ImageRequest) -> PreparedInput[ImageInput]:
        """What is to be looked at and the plan for the output, or `InputError`."""
        if (ask.question is None) == (self.card.task == ASK):
            does = "answers questions" if self.card.task == ASK else "answers no questions"
            raise InputError("wrong_task", f"{self.card.id} {does}: ask another model.", "model")
        if ask.draws and self.card.mechanism != HARD:
            message = f"{self.card.id} draws nothing: only hard attention does. Leave it out."
            raise InputError("draws_unsupported", message, "draws")
        question = None if ask.question is None else self._axis(ask.question, "question")
        picture = ask.picture
        return PreparedInput(
            TraceHeader(
                self._stamp(),
                self.card.task,
                TraceRequest(ask.question or "", ask.search, ask.target, ask.draws, ask.vectors),
                GridAxis(ROWS, COLUMNS, 0.0, 0.0, float(picture.width), float(picture.height)),
                PictureInfo(picture.width, picture.height, picture.format, picture.preview),
                question,
            ),
            ImageInput(
                picture.pixels,
                () if question is None else [token.id for token in question.tokens],
                ask.search.seed,
            ),
            self._plan(ask.target, ask.search),
        )

    def trace(
        self,
        reading: PreparedInput[ImageInput],
        decoding: Decoding,
        read: EncodedInput,
        timing: Timing,
        between_steps: Between | None = None,
    ) -> Trace:
        """The trace; what was written is drawn again as often as was asked for."""
        trace = super().trace(reading, decoding, read, timing)
        draws = reading.opening.request.draws
        return self._drawn_again(reading, trace, draws, between_steps) if draws else trace

    def _drawn_again(
        self,
        reading: PreparedInput[ImageInput],
        trace: Trace,
        draws: int,
        between_steps: Between | None,
    ) -> Trace:
        """The trace with one more map: the share of the draws that fell on each cell."""
        opening, look, plan = reading
        written = tuple(token.id for token in trace.output.target.tokens)
        looks = [replace(look, seed=(look.seed + draw) % SEEDS) for draw in range(draws)]
        plans = [Plan(plan.search, len(written), written)] * draws
        state = self._runtime.encode(looks).state
        decodings: list[Decoding] = []
        for decodings in search(self._runtime, state, plans, [opening.lengths] * draws):  # noqa: B007
            if between_steps:
                between_steps()
        shares = np.mean([_cells(each, len(opening.source)) for each in decodings], axis=0)
        with np.errstate(divide="ignore"):
            scores = np.log(shares)
        drawn = AttentionMap("drawn", 0, 0, "target", "source", shares, scores)
        return replace(trace, output=replace(trace.output, maps=(*trace.output.maps, drawn)))


def _cells(decoding: Decoding, cells: int) -> Floats:
    """A row for each token that was written: 1 where it was looked at, else 0."""
    records = [step.record for step in decoding.ranked()[0].path()]
    looked = np.zeros((len(records), cells), dtype=np.float32)
    for row, record in zip(looked, records, strict=True):
        if record is not None and record.drawn is not None:
            row[record.drawn.cell] = 1.0
    return looked
